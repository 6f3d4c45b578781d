// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import EventStreams
import WidgetSchema

/// The doubts whether the cache made the cycles that the notifier has handled.
///
/// A message with a wrong sequence number, or a failover that lost cycles, leaves the notifier at a position that the
/// cache has not reached, and every real cycle up to it would count as a duplicate. A widget is doubtful if
///
/// - a head of the cache is below the position, or below a number that a message brought, and arrived at least
///   ``headTolerance`` after it, or
/// - a cycle with exactly the position's number has another time of commit, or
/// - its position is unconfirmed or below the last head, and no head has named the widget for ``longestSilence``, and for a
///   round of all heads beyond it.
///
/// The notifier asks the cache about doubtful widgets, each at most once per ``repeatInterval``. If the cache did not
/// make the cycle, it makes one above it. So an old or wrong head costs one request.
struct CycleConfirmation: Sendable {
    static let headTolerance: Duration = .seconds(1)
    static let repeatInterval: Duration = .seconds(10)
    static let longestSilence: Duration = .seconds(10)
    /// The time after which a request without an answer counts as lost.
    static let answerTimeout: Duration = .seconds(5)
    /// The maximum number of widgets in a request, and the number of heads that the cache publishes in a second.
    static let widgetsPerRequest = HeadsSchedule.defaultHeadsPerMessage

    /// A request that is due.
    struct Request: Hashable, Sendable {
        var id: UInt64
        var widgets: [WidgetID: ConfirmRequest.Cycle]
    }

    private struct Missed: Sendable {
        var sequence: SequenceNumber
        var at: Instant
    }

    private struct Flight: Sendable {
        var request: Request
        var wait: Wait
    }

    /// The time at which each position was taken that no head has confirmed yet, or at which a head was above it.
    private var unconfirmed: [WidgetID: Instant] = [:]
    /// The highest number above its position that a message brought, for widgets with such a message.
    private var missed: [WidgetID: Missed] = [:]
    /// The widgets in `unconfirmed` in the order of their times, and some that no longer are.
    private var silent = Queue<WidgetDue>()
    /// The doubtful widgets; the value is true if the doubt does not end with a head.
    private var doubts: [WidgetID: Bool] = [:]
    private var queue = Heap<WidgetDue>()
    /// The wait before the next request about each widget.
    private var asked: [WidgetID: Wait] = [:]
    private var nextPurge: Instant?
    /// The time of the last call of `nextRequest`.
    private var lookedAt: Instant?
    private var flight: Flight?
    private var lastID: UInt64 = 0
    /// The sequence number of the cycle that the cache made above a wrong position, until the notifier has handled it.
    private var raised: [WidgetID: SequenceNumber] = [:]

    /// The number of widgets at a position that the cache has denied.
    var wrongCount: Int { raised.count }

    // MARK: Positions and heads

    /// Records that a position was taken: the notifier handled the cycle `sequence` of a widget, or loaded it.
    mutating func took(_ sequence: SequenceNumber, of widget: WidgetID, at now: Instant) {
        expectHead(of: widget, at: now)
        doubts[widget] = nil
        if let expected = raised[widget], sequence >= expected { raised[widget] = nil }
        if let beyond = missed[widget], sequence >= beyond.sequence { missed[widget] = nil }
    }

    /// Records that a message brought the cycle `sequence`, which is beyond the position and was not handled.
    ///
    /// The layout service may have published layouts for it.
    mutating func missed(_ sequence: SequenceNumber, of widget: WidgetID, at now: Instant) {
        let known = missed[widget] ?? Missed(sequence: sequence, at: now)
        missed[widget] = Missed(sequence: max(known.sequence, sequence), at: known.at)
    }

    /// Compares a head of the cache with the position of its widget.
    mutating func heard(_ head: SequenceNumber, of widget: WidgetID, position: SequenceNumber, at now: Instant) {
        let since = missed[widget]?.at ?? unconfirmed[widget]
        if head >= max(position, missed[widget]?.sequence ?? position) {
            confirm(widget)
            if doubts[widget] == false { doubts[widget] = nil }
            // A failover can lose the cycle of the head, and no later head names a widget that was removed.
            if head > position { expectHead(of: widget, at: now) }
        } else if since.map({ Wait(since: $0, duration: Self.headTolerance).isOver(at: now) }) ?? true {
            doubt(widget, isLasting: false, at: now)
        }
    }

    /// Records that a cycle with exactly the number of the position came with another time of commit.
    mutating func differed(_ widget: WidgetID, at now: Instant) { doubt(widget, isLasting: true, at: now) }

    /// Makes a widget doubtful later, unless a head or a cycle comes before.
    private mutating func expectHead(of widget: WidgetID, at now: Instant) {
        unconfirmed[widget] = now
        silent.append(WidgetDue(at: now, widget: widget))
    }

    private mutating func confirm(_ widget: WidgetID) {
        missed[widget] = nil
        guard unconfirmed.removeValue(forKey: widget) != nil else { return }
        while let first = silent.first, unconfirmed[first.widget] != first.at { silent.removeFirst() }
    }

    private mutating func doubt(_ widget: WidgetID, isLasting: Bool, at now: Instant) {
        guard let known = doubts[widget] else {
            doubts[widget] = isLasting
            queue.insert(WidgetDue(at: max(now, asked[widget]?.end ?? now), widget: widget))
            return
        }
        doubts[widget] = known || isLasting
    }

    // MARK: Requests

    /// Returns the request that is due; nil if there is none, or if one is in flight.
    ///
    /// `widgets` is the number of all widgets. `position` returns the position of a widget, and the time at which its
    /// cycle was committed, if it is known.
    mutating func nextRequest(
        at now: Instant,
        widgets: Int,
        position: (WidgetID) -> ConfirmRequest.Cycle
    ) -> Request? {
        // The clock was set back: pending waits are over.
        if let lookedAt, now < lookedAt {
            (queue, asked) = (Heap(), [:])
            for widget in doubts.keys { queue.insert(WidgetDue(at: now, widget: widget)) }
        }
        lookedAt = now
        if let flight {
            guard flight.wait.isOver(at: now) else { return nil }
            failed(flight.request.id, at: now)
        }
        doubtSilent(among: widgets, at: now)
        purge(at: now)
        var request = Request(id: lastID + 1, widgets: [:])
        while request.widgets.count < Self.widgetsPerRequest, let due = queue.first, due.at <= now {
            queue.removeFirst()
            guard doubts[due.widget] != nil else { continue }
            var cycle = position(due.widget)
            if let beyond = missed[due.widget] { cycle = ConfirmRequest.Cycle(sequence: beyond.sequence) }
            request.widgets[due.widget] = cycle
            asked[due.widget] = Wait(since: now, duration: Self.repeatInterval)
        }
        guard !request.widgets.isEmpty else { return nil }
        lastID = request.id
        flight = Flight(request: request, wait: Wait(since: now, duration: Self.answerTimeout))
        return request
    }

    /// Returns the next time at which `nextRequest` may return a request without a further message; nil if there is none.
    func nextDeadline(widgets: Int) -> Instant? {
        if let flight { return flight.wait.end }
        return [queue.first?.at, silent.first?.at.advanced(by: Self.silence(of: widgets))].compactMap { $0 }.min()
    }

    /// Takes the cache's answer to a request; widgets that the cache does not know, or is behind of, stay doubtful.
    ///
    /// `position` returns the present position of a widget: the cycle that the cache made may have arrived before the answer.
    mutating func answered(
        _ id: UInt64,
        _ answer: ConfirmAnswer,
        at now: Instant,
        position: (WidgetID) -> SequenceNumber
    ) {
        guard let request = flight?.request, request.id == id else { return }
        flight = nil
        for (widget, cycle) in request.widgets {
            // The answer says nothing about a number that was taken since the request.
            let isAsked = position(widget) == cycle.sequence || missed[widget]?.sequence == cycle.sequence
            if let head = answer.heads[widget], head >= cycle.sequence, isAsked {
                doubts[widget] = nil
                let (isWrong, isBehind) = (answer.raised.contains(widget), position(widget) < head)
                raised[widget] = isBehind && (isWrong || raised[widget] != nil) ? head : nil
                if !isWrong { confirm(widget) }
                if isBehind { expectHead(of: widget, at: now) }
            } else {
                askAgain(widget)
            }
        }
    }

    mutating func failed(_ id: UInt64, at now: Instant) {
        guard let request = flight?.request, request.id == id else { return }
        flight = nil
        for widget in request.widgets.keys { askAgain(widget) }
    }

    private mutating func askAgain(_ widget: WidgetID) {
        guard doubts[widget] != nil, let wait = asked[widget] else { return }
        queue.insert(WidgetDue(at: wait.end, widget: widget))
    }

    /// Makes the widgets doubtful that no head has named for too long.
    private mutating func doubtSilent(among widgets: Int, at now: Instant) {
        let silence = Self.silence(of: widgets)
        while let due = silent.first, Wait(since: due.at, duration: silence).isOver(at: now) {
            silent.removeFirst()
            if unconfirmed[due.widget] == due.at { doubt(due.widget, isLasting: false, at: now) }
        }
    }

    private static func silence(of widgets: Int) -> Duration {
        longestSilence + .seconds(widgets / widgetsPerRequest)
    }

    private mutating func purge(at now: Instant) {
        guard nextPurge.map({ now >= $0 }) ?? true else { return }
        nextPurge = now.advanced(by: Self.repeatInterval)
        asked = asked.filter { !$0.value.isOver(at: now) }
    }
}
