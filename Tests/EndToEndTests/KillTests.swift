// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import OriginSupport
import TestSupport
import Testing

/// The promise, with real processes killed: the ranges of `update/` tile, whatever dies.
@Suite(.serialized, .timeLimit(.minutes(5))) struct KillTests {
    private static let kills = TestExtent.of(2, nightly: 10)
    private static let widgets = (0..<6).map { "w\($0)" }

    @Test(arguments: ["bus", "fetcher", "cache", "layout", "notifier"])
    func theRangesTileWhenAServiceIsKilledAgainAndAgain(_ service: String) async throws {
        try await withScriptedOrigin { origin in
            let sources = origin.serveChanging(Self.widgets)
            try await RunningSystem.read(sources) { system, reader in
                try await Self.kill(service, in: system, reader)
                try await system.stop("fetcher")
                try await Self.catchUp(reader, system)
                let record = reader.record
                #expect(record.updates.allSatisfy { $0.first == $0.sequence || $0.first == 1 })
                for widget in Self.widgets {
                    #expect(origin.maximumConcurrent("/\(widget)") == 1)
                    let cycles = record.updates.count { $0.widget == widget && $0.cause == "refresh" }
                    let requests = origin.requests("/\(widget)").count
                    // Only what a dead fetcher had begun is fetched again.
                    #expect(service == "fetcher" ? requests >= cycles : requests == cycles, "\(widget)")
                }
            }
        }
    }

    private static func kill(_ service: String, in system: RunningSystem, _ reader: IndependentReader) async throws {
        for round in 0...kills {
            try await reader.goOn(widgets, by: 3, "after \(round) kills of \(service)")
            guard round < kills else { return }
            try await system.killAndStart(service)
        }
    }

    /// Reads until the record is where the cache is.
    private static func catchUp(_ reader: IndependentReader, _ system: RunningSystem) async throws {
        let heads = try await system.heads()
        #expect(heads.count == widgets.count)
        try await reader.read("the last cycles") { record in heads.allSatisfy { record.last[$0.key] == $0.value } }
    }
}
