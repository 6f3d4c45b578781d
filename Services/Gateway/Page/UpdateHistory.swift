// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// The statistics of updates for each minute in which updates arrived: the numbers of verdicts and the latencies.
///
/// A value type without a clock; callers pass the current time.
struct UpdateHistory: Sendable {
    /// The maximum number of stored minutes, including the latest one: the number of minutes of a day.
    ///
    /// Minutes without updates are not stored. If the maximum is exceeded, the oldest minute is dropped.
    static let maximumMinutes = 1_440
    /// The maximum number of latencies that are stored for one hop in one minute.
    ///
    /// The percentiles are computed from these latencies; further latencies are ignored.
    static let maximumSamples = 4_096
    private static let millisecondsOfMinute: Int64 = 60_000

    /// A step of a cycle on the way from the origin to this gateway.
    ///
    /// Each case describes the time that the step takes.
    enum Hop: String, Codable, CaseIterable, CodingKeyRepresentable, Sendable {
        /// The time from the origin's answer to the cache's commit.
        case commit
        /// The time from the cache's commit until the layout service has laid out the cycle.
        case layout
        /// The time from the end of the layout to the notifier's verdict.
        case verdict
        /// The time from the notifier's verdict until this gateway receives the update.
        case gateway
    }

    /// The number of a hop's latencies in one minute, and their percentiles in milliseconds.
    struct Latency: Codable, Hashable, Sendable {
        var count: Int
        var median: Int64
        var percentile95: Int64
        var maximum: Int64
    }

    struct Minute: Codable, Hashable, Sendable {
        /// The beginning of the minute.
        var at: Instant
        var newData = 0
        var noData = 0
        var failed = 0
        /// The latencies of each hop; a hop that no update passed in this minute is absent.
        var hops: [Hop: Latency] = [:]
    }

    private let start: Instant
    private var finished: [Minute] = []
    private var current: Minute?
    private var samples: [Hop: [Int64]] = [:]

    /// Creates an empty history.
    ///
    /// `start` is the time at which the gateway started. Updates whose verdict was made before `start`, or at an
    /// unknown time, are ignored.
    init(start: Instant) { self.start = start }

    /// The stored minutes in ascending order; the last one is the minute in which the latest update arrived.
    ///
    /// A minute in which no update arrived is absent, even if it is the current minute.
    var minutes: [Minute] { finished + (current.map { [summed($0)] } ?? []) }

    mutating func take(_ update: Update, now: Instant) {
        guard let decided = update.times.decided, decided >= start else { return }
        let at = Instant(milliseconds: now.milliseconds - now.milliseconds % Self.millisecondsOfMinute)
        if let minute = current, minute.at != at { finish(minute) }
        var minute = current ?? Minute(at: at)
        switch update.result {
        case .newData: minute.newData += 1
        case .noData: minute.noData += 1
        case .failed: minute.failed += 1
        }
        current = minute
        let times = update.times
        for (hop, from, to) in [
            (Hop.commit, times.answered, times.committed), (.layout, times.committed, times.laidOut),
            (.verdict, times.laidOut, times.decided), (.gateway, times.decided, now),
        ] {
            guard let from, let to, samples[hop, default: []].count < Self.maximumSamples else { continue }
            samples[hop, default: []].append(max(0, to.milliseconds(since: from)))
        }
    }

    private mutating func finish(_ minute: Minute) {
        finished.append(summed(minute))
        if finished.count >= Self.maximumMinutes { finished.removeFirst() }
        current = nil
        samples = [:]
    }

    private func summed(_ minute: Minute) -> Minute {
        var minute = minute
        for (hop, values) in samples {
            let sorted = values.sorted()
            guard let maximum = sorted.last else { continue }
            minute.hops[hop] = Latency(
                count: sorted.count,
                median: sorted[(sorted.count - 1) / 2],
                percentile95: sorted[(sorted.count * 95 + 99) / 100 - 1],
                maximum: maximum
            )
        }
        return minute
    }
}
