// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import ServiceRuntime
internal import Synchronization

/// Keeps all cores busy while `body` runs.
package func withCPULoad<Result>(threads: Int = 2, _ body: () async throws -> Result) async throws -> Result {
    let flag = LoadFlag()
    for _ in 0..<threads {
        ServiceThread.start(named: "load") {
            var value: UInt64 = 1
            while !flag.isRaised.load(ordering: .relaxed) { value = value &* 6_364_136_223_846_793_005 &+ 1 }
        }
    }
    defer { flag.isRaised.store(true, ordering: .relaxed) }
    return try await body()
}

private final class LoadFlag: Sendable {
    let isRaised = Atomic(false)
}
