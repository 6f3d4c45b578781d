// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import ServiceRuntime

/// Runs what blocks on a thread of its own: Swift's cooperative threads are as few as cores, and all tests share them.
package func onOwnThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await ServiceThread.run(named: "test", body)
}
