// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import OriginSupport
import TestSupport
import Testing
import WidgetSchema

/// A power cut takes what was not synced; what was published was.
///
/// `make power-cut` tries more seeds.
@Suite(.serialized, .timeLimit(.minutes(10))) struct PowerCutTests {
    private static let widgets = (0..<3).map { "w\($0)" }
    private static let seeds = TestExtent.of(1, nightly: 50)
    /// The services that lose power in each round, in order.
    ///
    /// If the cache and the notifier lose power together, the layout service, the fetcher and the bus are killed.
    private static let cuts: [[ServiceName]] = [
        [.cache], [.notifier], [.notifier, .cache], [.cache], [.notifier, .cache],
    ]

    /// The library that, preloaded, takes what a process has not synced.
    private static let library = SpawnedService.folder.appending(path: "libPowerCut.so").path

    @Test(arguments: 1...seeds)
    func nothingThatWasPublishedIsForgottenWhenThePowerFails(seed: Int) async throws {
        try await withTemporaryFolder { folder in
            try await withScriptedOrigin { origin in
                let sources = origin.serveChanging(Self.widgets)
                let environment = [
                    "LD_PRELOAD": Self.library, "POWER_CUT_FOLDER": folder.path, "POWER_CUT_SEED": "\(seed)",
                    "TIDINGS_STORE": folder.appending(path: "store").path,
                ]
                try await RunningSystem.with(sources, environment: environment) { system in
                    try await WireRecord.with(system.address) { record in
                        for (round, cut) in Self.cuts.enumerated() {
                            try await Self.cut(cut, in: system, record, seed: seed * Self.cuts.count + round)
                        }
                    }
                }
            }
        }
    }

    private static func cut(
        _ services: [ServiceName],
        in system: RunningSystem,
        _ record: WireRecord,
        seed: Int
    ) async throws {
        let streams = widgets.compactMap(WidgetID.init(rawValue:)).flatMap { widget in
            [ServiceName.cache, .notifier].map { WireRecord.Stream(service: $0, widget: widget) }
        }
        try await record.read(3, more: streams)
        // The notifier first: it has something to write for as long as there is a cache.
        for service in services { try await system.cutPower(of: service.rawValue) }
        let others = services.count > 1 ? ["layout", "fetcher", "bus"] : []
        for service in others { try await system.kill(service) }
        for service in others.reversed() + services.reversed().map(\.rawValue) {
            try await system.start(service, environment: ["POWER_CUT_SEED": "\(seed)"])
        }
        for service in [ServiceName.cache, .notifier] {
            let comparison = try await record.compare(service)
            #expect(comparison.faults == [], "seed \(seed), \(services) lost their power, asked \(service)")
            #expect(comparison.compared >= 3 * widgets.count)
        }
    }

    // MARK: The power cut itself

    /// Commits rows one by one, orders the cut after some, and goes on until it comes.
    private static let committer = """
        import os, signal, sqlite3, sys
        store = sqlite3.connect(sys.argv[1], isolation_level=None)
        for setting in ("journal_mode=WAL", f"synchronous={sys.argv[2]}", "wal_autocheckpoint=20"):
            store.execute("PRAGMA " + setting)
        store.execute("CREATE TABLE rows(number INTEGER PRIMARY KEY, bytes BLOB)")
        for number in range(1, 100_000):
            store.execute("INSERT INTO rows VALUES(?, ?)", (number, os.urandom(900)))
            print(number, flush=True)
            if number == 30: os.kill(os.getpid(), signal.SIGUSR2)
        """
    /// A program that prints the number of rows; -1 if a row is missing, or if the store cannot be read.
    private static let counter = """
        import sqlite3, sys
        try:
            rows = [row[0] for row in sqlite3.connect(sys.argv[1]).execute("SELECT number FROM rows ORDER BY number")]
            print(len(rows) if rows == list(range(1, len(rows) + 1)) else -1)
        except sqlite3.Error: print(-1)
        """

    /// Returns the number of rows that a Python program reported as committed, and the number of rows in the store after
    /// the power cut; -1 if the store cannot be read.
    private static func rows(synchronous: String, seed: Int) async throws -> (committed: Int, found: Int) {
        try await withTemporaryFolder { folder in
            let store = folder.appending(path: "rows.sqlite").path
            let committed = try await python(
                committer,
                [store, synchronous],
                ["LD_PRELOAD": library, "POWER_CUT_FOLDER": folder.path, "POWER_CUT_SEED": "\(seed)"]
            )
            #expect(committed.status == -SIGKILL, "the power was not cut")
            let found = try await python(counter, [store])
            return (committed.numbers.last ?? 0, found.numbers.last ?? -1)
        }
    }

    @Test func aStoreThatSyncsKeepsWhatItCommitted() async throws {
        for seed in 1...6 {
            let rows = try await Self.rows(synchronous: "FULL", seed: seed)
            #expect(rows.committed >= 30)
            #expect(rows.found >= rows.committed, "seed \(seed)")
        }
    }

    @Test func aStoreThatDoesNotSyncLosesWhatItCommitted() async throws {
        var losses = 0
        for seed in 1...6 {
            let rows = try await Self.rows(synchronous: "OFF", seed: seed)
            #expect(rows.committed >= 30)
            losses += rows.found < rows.committed ? 1 : 0
        }
        #expect(losses >= 3)
    }

    // MARK: Tools

    /// Runs a program of Debian's Python to its end, and returns its status and the numbers that it printed.
    private static func python(
        _ program: String,
        _ arguments: [String],
        _ environment: [String: String] = [:]
    ) async throws -> (numbers: [Int], status: Int32) {
        let command = ["/usr/bin/python3", "-c", program] + arguments
        let ended = try await EndedProgram.run(command, environment: environment)
        return (ended.output.split(separator: "\n").compactMap { Int($0) }, ended.status)
    }
}
