// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import TestSupport
import Testing
import WidgetSchema

@testable import Gateway

@Suite struct UpdateHistoryTests {
    private static let start = Instant(milliseconds: 1_763_683_200_000)

    private static func update(_ result: UpdateResult, decided: Int64, hop: Int64 = 5) -> Update {
        let decided = start.advanced(byMilliseconds: decided)
        let times = CycleTimes(
            answered: decided.advanced(byMilliseconds: -3 * hop),
            committed: decided.advanced(byMilliseconds: -2 * hop),
            laidOut: decided.advanced(byMilliseconds: -hop),
            decided: decided
        )
        return .sample(result, result == .newData ? .visibleChange : .notModified) { $0.times = times }
    }

    private static func take(_ history: inout UpdateHistory, _ update: Update) throws {
        history.take(update, now: try #require(update.times.decided).advanced(byMilliseconds: 2))
    }

    @Test func verdictsAreCountedByTheMinute() throws {
        var history = UpdateHistory(start: Self.start)
        for decided in [0, 59_000, 60_000, 125_000] as [Int64] {
            try Self.take(&history, Self.update(.noData, decided: decided))
        }
        try Self.take(&history, Self.update(.newData, decided: 130_000))
        #expect(history.minutes.map(\.noData) == [2, 1, 1])
        #expect(history.minutes.map(\.newData) == [0, 0, 1])
    }

    @Test func updatesFromBeforeTheStartAreNotCounted() throws {
        var history = UpdateHistory(start: Self.start)
        try Self.take(&history, Self.update(.newData, decided: -1))
        #expect(history.minutes.isEmpty)
    }

    @Test func aMinuteHasTheMedianAndThe95thPercentileOfEachHop() throws {
        var history = UpdateHistory(start: Self.start)
        for hop in 1...100 as ClosedRange<Int64> {
            try Self.take(&history, Self.update(.noData, decided: 1_000, hop: hop))
        }
        let minute = try #require(history.minutes.first)
        let layout = try #require(minute.hops[.layout])
        #expect(layout == UpdateHistory.Latency(count: 100, median: 50, percentile95: 95, maximum: 100))
        #expect(minute.hops[.gateway]?.maximum == 2)
    }

    @Test func aDayOfMinutesIsKeptAndNoMore() throws {
        var history = UpdateHistory(start: Self.start)
        for minute in 0..<Int64(UpdateHistory.maximumMinutes + 10) {
            try Self.take(&history, Self.update(.noData, decided: minute * 60_000))
        }
        #expect(history.minutes.count == UpdateHistory.maximumMinutes)
        let last = Int64(UpdateHistory.maximumMinutes + 9) * 60_000
        #expect(history.minutes.last?.at == Self.start.advanced(byMilliseconds: last))
    }
}
