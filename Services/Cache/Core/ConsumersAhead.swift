// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// The widgets of which consumers have requested sequence numbers that this store has not assigned.
struct ConsumersAhead: Sendable {
    /// The minimum time between two reports of the same widget, so that a client cannot fill the log.
    static let alarmInterval: Duration = .seconds(10)
    /// The time for which a widget must be requested again and again before the requests count as lasting.
    ///
    /// A consumer that is ahead repeats its request until it gets a newer cycle. A request for a cycle that is still to
    /// come is not repeated.
    static let lastingAfter: Duration = .seconds(10)
    /// The maximum time between two requests of such a consumer.
    ///
    /// A consumer repeats its request at each head of the widget, and producers publish the heads of all widgets in
    /// rounds. A round of 100,000 widgets takes about four minutes.
    static let longestPause: Duration = .seconds(300)

    /// The requests for numbers of one widget that are not in the future.
    private struct Requests: Sendable {
        var first: Instant
        var last: Instant
    }

    private var requests: [WidgetID: Requests] = [:]
    /// The time of the last report of each widget.
    private var reports: [WidgetID: Instant] = [:]
    private var nextPurge: Instant?

    /// Takes a request for a number that is too high.
    ///
    /// `isFuture` is true if the number is in the future; such a request is reported, but changes nothing else. In the
    /// result, `isNews` is true if the request must be reported, and `isLasting` if other requests for the widget have
    /// lasted for ``lastingAfter``.
    mutating func take(_ widget: WidgetID, isFuture: Bool, now: Instant) -> (isNews: Bool, isLasting: Bool) {
        purge(now: now)
        let isNews = reports[widget].map { !Self.isWithin(Self.alarmInterval, of: $0, now: now) } ?? true
        if isNews { reports[widget] = now }
        guard !isFuture else { return (isNews, false) }
        guard let earlier = requests[widget], Self.isWithin(Self.longestPause, of: earlier.last, now: now) else {
            requests[widget] = Requests(first: now, last: now)
            return (isNews, false)
        }
        requests[widget]?.last = now
        return (isNews, isLasting: now >= earlier.first.advanced(by: Self.lastingAfter))
    }

    mutating func forget(_ widget: WidgetID) { requests[widget] = nil }

    private mutating func purge(now: Instant) {
        if let nextPurge, now < nextPurge { return }
        nextPurge = now.advanced(by: Self.longestPause)
        requests = requests.filter { Self.isWithin(Self.longestPause, of: $0.value.last, now: now) }
        reports = reports.filter { Self.isWithin(Self.alarmInterval, of: $0.value, now: now) }
    }

    private static func isWithin(_ duration: Duration, of earlier: Instant, now: Instant) -> Bool {
        earlier <= now && now < earlier.advanced(by: duration)
    }
}
