// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import OriginSupport
import Testing

/// Fetchers in any number share the work, and no source is fetched twice for one cycle.
@Suite(.serialized, .timeLimit(.minutes(2))) struct SharedWorkTests {
    private static let widgets = (0..<8).map { "w\($0)" }

    @Test func aSecondFetcherSharesTheWorkAlsoWhileTheBusIsKilled() async throws {
        try await withScriptedOrigin { origin in
            for widget in Self.widgets {
                origin.serveChanging("/\(widget)")
                // Long enough that two fetchers are at work at once.
                origin.setDelay("/\(widget)", .milliseconds(20))
            }
            let sources = origin.urls(Self.widgets)
            try await RunningSystem.with(sources) { system in
                try await system.start("fetcher", as: "second")
                try await system.withReader { reader in
                    for _ in 0..<3 {
                        try await reader.goOn(Self.widgets, by: 5, "with two fetchers")
                        try await system.killAndStart("bus")
                    }
                    // Both are asked: with one of them gone the other goes on.
                    try await system.stop("fetcher")
                    try await reader.goOn(Self.widgets, by: 5, "with the second fetcher alone")
                    try await system.stop("second")
                    try await reader.catchUp(Self.widgets, with: origin)
                    #expect(Self.widgets.allSatisfy { origin.maximumConcurrent("/\($0)") == 1 })
                }
            }
        }
    }
}
