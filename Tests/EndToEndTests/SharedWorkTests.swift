// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import OriginSupport
import TestSupport
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
                try await IndependentReader.with(system.address) { reader in
                    for _ in 0..<3 {
                        let before = reader.record
                        try await reader.read("all widgets went on") { record in
                            Self.widgets.allSatisfy { record.count($0) >= before.count($0) + 5 }
                        }
                        try await system.kill("bus")
                        try await system.start("bus")
                    }
                    // Both are asked: with one of them gone the other goes on.
                    try await system.stop("fetcher")
                    let before = reader.record
                    try await reader.read("the second goes on alone") { record in
                        Self.widgets.allSatisfy { record.count($0) >= before.count($0) + 5 }
                    }
                    try await system.stop("second")
                    let requests = Self.widgets.map { origin.requests("/\($0)").count }
                    try await reader.read("an update for each request at the origin") { record in
                        zip(Self.widgets, requests).allSatisfy { widget, count in
                            record.updates.count { $0.widget == widget && $0.cause == "refresh" } == count
                        }
                    }
                    #expect(Self.widgets.allSatisfy { origin.maximumConcurrent("/\($0)") == 1 })
                    #expect(reader.record.faults == [])
                }
            }
        }
    }
}
