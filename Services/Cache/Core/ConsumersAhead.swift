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

    /// The requests for one widget.
    private struct Requests: Sendable {
        var first: Instant
        var last: Instant
        var reported: Instant
    }

    private var widgets: [WidgetID: Requests] = [:]
    private var nextPurge: Instant?

    /// Takes a request for a number that is too high.
    ///
    /// `isNews` says that the request must be reported. `isLasting` says that the widget has been requested in this way
    /// for some time.
    mutating func take(_ widget: WidgetID, now: Instant) -> (isNews: Bool, isLasting: Bool) {
        purge(now: now)
        guard var requests = widgets[widget], Self.isRecent(requests.last, now: now), requests.first <= now else {
            widgets[widget] = Requests(first: now, last: now, reported: now)
            return (isNews: true, isLasting: false)
        }
        requests.last = now
        let isNews = now >= requests.reported.advanced(by: Self.alarmInterval)
        if isNews { requests.reported = now }
        widgets[widget] = requests
        return (isNews, isLasting: now >= requests.first.advanced(by: Self.lastingAfter))
    }

    mutating func forget(_ widget: WidgetID) { widgets[widget] = nil }

    private mutating func purge(now: Instant) {
        if let nextPurge, now < nextPurge { return }
        nextPurge = now.advanced(by: Self.longestPause)
        widgets = widgets.filter { Self.isRecent($0.value.last, now: now) }
    }

    private static func isRecent(_ last: Instant, now: Instant) -> Bool {
        last <= now && now < last.advanced(by: longestPause)
    }
}
