// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Testing
import WidgetSchema

@Suite struct LossyChannelTests {
    private static let widgets = (0..<5).compactMap { WidgetID(rawValue: "w\($0)") }
    /// In about one run of 3,000 a producer that was put back unnoticed ends at the very number that its consumer has, and
    /// nobody can tell; none of these is such a run.
    private static let seeds: Range<UInt64> = 100..<160

    @Test func whateverIsLostTheRangesTileInTheEnd() {
        var asks = 0
        var overlaps = 0
        for seed in Self.seeds {
            var channel = LossyChannel(seed: seed, widgets: Self.widgets)
            #expect(channel.run() == [], "seed \(seed)")
            asks += channel.asks
            overlaps += channel.handled.values.joined().count { !$0.range.isSingle }
        }
        #expect(asks > 100 && overlaps > 100, "the channel is bad enough to prove something")
    }

    @Test func theSameSeedGivesTheSameRun() {
        var first = LossyChannel(seed: 7, widgets: Self.widgets)
        var second = LossyChannel(seed: 7, widgets: Self.widgets)
        #expect(first.run() == second.run())
        #expect(first.handled == second.handled && first.asks == second.asks)
    }

    @Test(arguments: LossyChannel.Rule.allCases) func eachRuleIsNeeded(rule: LossyChannel.Rule) {
        let breaks = Self.seeds.contains { seed in
            var channel = LossyChannel(seed: seed, widgets: Self.widgets, without: [rule])
            return !channel.run().isEmpty
        }
        #expect(breaks)
    }
}
