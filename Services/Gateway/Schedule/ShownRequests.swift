// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// The next wake of a sleeping panel.
struct ExpectedWake: Hashable, Sendable {
    /// The widgets on the panel's board.
    var widgets: Set<WidgetID>
    /// The time before which the panel does not wake by itself.
    var earliest: Instant
}

/// The rule for the requests `shown` to the cache: for each source that is fetched when it is shown, the earliest wake of all
/// panels that is still to come.
///
/// A request is repeated until the cache has answered, and again if the announced fetch schedule shows that the cache has lost the
/// wanted time, because its store was restored.
struct ShownRequests: Sendable {
    /// The time after which a request without an answer is sent again.
    static let answerTimeout: Duration = .seconds(5)
    /// The time before a request that failed is sent again.
    static let retryPause: Duration = .seconds(1)
    /// The time after an answer within which the cache has announced what follows from it.
    static let announcementDelay: Duration = .seconds(5)

    private struct Asked: Sendable {
        enum State: Sendable {
            case sent(Instant)
            case failed(Instant)
            case wanted(Instant)
            /// The content cannot be newer by then.
            case notWanted
        }

        var at: Instant
        var state: State
    }

    private var wakes: [ExpectedWake] = []
    private var asked: [SourceID: Asked] = [:]

    /// Replaces the expected wakes of all panels.
    mutating func set(_ wakes: [ExpectedWake]) { self.wakes = wakes }

    /// Returns the requests that are due.
    ///
    /// `source` returns the source of a widget if it is fetched when it is shown, and nil otherwise.
    mutating func due(
        at now: Instant,
        source: (WidgetID) -> SourceID?,
        plan: (SourceID) -> PlannedFetch?
    ) -> [ShownRequest] {
        var wanted: [SourceID: (widget: WidgetID, at: Instant)] = [:]
        for wake in wakes where wake.earliest > now {
            for widget in wake.widgets.sorted() {
                guard let source = source(widget) else { continue }
                if let known = wanted[source], known.at <= wake.earliest { continue }
                wanted[source] = (widget, wake.earliest)
            }
        }
        asked = asked.filter { wanted[$0.key]?.at == $0.value.at }
        var widgets: [Instant: [WidgetID]] = [:]
        for (source, wish) in wanted where mustAsk(source, plan, now: now) {
            asked[source] = Asked(at: wish.at, state: .sent(now))
            widgets[wish.at, default: []].append(wish.widget)
        }
        return widgets.sorted { $0.key < $1.key }.flatMap { instant, widgets in
            let widgets = widgets.sorted()
            return stride(from: 0, to: widgets.count, by: ShownRequest.maximumWidgets).map { start in
                ShownRequest(widgets: Array(widgets[start...].prefix(ShownRequest.maximumWidgets)), at: instant)
            }
        }
    }

    /// Takes the answer to a request; nil if it failed.
    mutating func take(
        _ answer: ShownAnswer?,
        to request: ShownRequest,
        at now: Instant,
        source: (WidgetID) -> SourceID?
    ) {
        let wanted = Set(answer?.wanted ?? [])
        for widget in request.widgets {
            guard let source = source(widget), asked[source]?.at == request.at else { continue }
            asked[source]?.state = answer == nil ? .failed(now) : wanted.contains(widget) ? .wanted(now) : .notWanted
        }
    }

    private func mustAsk(_ source: SourceID, _ plan: (SourceID) -> PlannedFetch?, now: Instant) -> Bool {
        func isOver(_ pause: Duration, since instant: Instant) -> Bool {
            // The clock may have been set back.
            now >= instant.advanced(by: pause) || now < instant
        }
        switch asked[source]?.state {
        case nil: return true
        case .sent(let at): return isOver(Self.answerTimeout, since: at)
        case .failed(let at): return isOver(Self.retryPause, since: at)
        case .notWanted: return false
        case .wanted(let at):
            guard isOver(Self.announcementDelay, since: at), let fetch = plan(source), fetch.isResting else {
                return false
            }
            return fetch.lastAttempt.map { $0 < at } ?? true
        }
    }
}
