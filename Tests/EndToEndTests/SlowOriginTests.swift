// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import OriginSupport
import TestSupport
import Testing

/// Origins that take longer than a lease lasts.
@Suite(.timeLimit(.minutes(2))) struct SlowOriginTests {
    @Test func anOriginSlowerThanItsLeaseIsAFailedCycleAndNotSilence() async throws {
        try await withScriptedOrigin { origin in
            origin.serveChanging("/feed")
            origin.hold("/feed")
            try await RunningSystem.with(["blog": origin.url("/feed")]) { system in
                try await IndependentReader.with(system.address) { reader in
                    try await reader.read("the failure") { $0.last("blog")?.reason == "transient" }
                    origin.release("/feed")
                    try await reader.read("the recovery") { $0.last("blog")?.reason == "visibleChange" }
                    #expect(reader.record.faults == [])
                }
            }
        }
    }
}
