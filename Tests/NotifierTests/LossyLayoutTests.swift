// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Storage
import Testing
import WidgetSchema

@testable import Notifier

@Suite struct LossyLayoutTests {
    private static let seeds: Range<UInt64> = 0..<8

    @Test func whateverIsLostUpdatesTileAndSayTheTruth() throws {
        let widgets = try (0..<4).map { try widget("w\($0)") }
        var (updates, ranges, failures) = (0, 0, 0)
        for seed in Self.seeds {
            try withDatabasePath { path in
                let database = try DatabaseUpdateStore(path: path, history: 1000)
                var layout = LossyLayout(seed: seed, widgets: widgets, store: FlakyStore(database))
                try layout.run()
                #expect(layout.problems == [], "seed \(seed)")
                updates += layout.published.values.joined().count
                ranges += layout.published.values.joined().count { $0.range?.isSingle == false }
                failures += layout.failures
                database.close()
            }
        }
        #expect(updates > 300 && ranges > 40 && failures > 20, "it was bad enough to prove something")
    }
}
