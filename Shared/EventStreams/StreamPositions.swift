// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

public import WidgetSchema

/// The consumer's side of the stream rules for many widgets: positions, gaps, and the requests that close gaps.
///
/// The consumer passes each message to `handle` and each message of heads to `heads`. After a message, and when
/// `nextDeadline` has passed, it calls `nextAsk`. At most one request is in flight; it covers all widgets with a gap.
/// When the answer arrives, call `answered` first, then pass each record to `handle`; if the request fails, call
/// `askFailed`. A widget is requested at most once in an interval, except for the next page.
public struct StreamPositions: Sendable {
    /// The reasons why a widget must be requested.
    private struct Open: Sendable {
        /// A cycle that exists and was not handled, with the remaining time until it counts as missing.
        struct Target: Sendable {
            var sequence: SequenceNumber
            var wait: Wait
        }

        /// At most two targets: the first one, and the latest one.
        var targets: [Target] = []
        /// The wait that began when the producer's head was found behind the consumer; nil if the head is not behind.
        var behind: Wait?
        /// A sequence number beyond the consumer's position that a downstream consumer has seen.
        var beyond: SequenceNumber?
        /// A Boolean value that indicates whether messages may have been missed that no head has reported yet.
        var isUnsure = false
        /// The wait during which the widget is not requested again.
        var pause: Wait?
        /// The deadline of the widget's entry in the queue; its actual deadline may be later.
        var queuedAt: Instant?

        /// Records that a cycle exists.
        mutating func expect(_ sequence: SequenceNumber, _ wait: Wait) {
            guard var first = targets.first else {
                targets = [Target(sequence: sequence, wait: wait)]
                return
            }
            if wait.end < first.wait.end { first.wait = wait }
            let latest = max(sequence, targets.last?.sequence ?? sequence)
            targets = [first]
            if latest > first.sequence { targets.append(Target(sequence: latest, wait: wait)) }
        }

        /// Returns the sequence number from which to request a replay, for a consumer whose last cycle is `last`.
        ///
        /// Missing cycles come first, because an answer that starts after them would again be a gap.
        func start(after last: SequenceNumber) -> SequenceNumber {
            guard targets.isEmpty, !isUnsure, let beyond else { return last.next }
            return max(last.next, beyond)
        }

        var hasReason: Bool { !targets.isEmpty || behind != nil || beyond != nil || isUnsure }
        var isUrgent: Bool { beyond != nil || isUnsure }

        /// The time at which the widget is to be requested; nil if there is no reason.
        var deadline: Instant? {
            let reason = [targets.first?.wait.end, behind?.end, isUrgent ? .distantPast : nil].compactMap { $0 }
                .min()
            guard let reason else { return nil }
            return max(reason, pause?.end ?? reason)
        }
    }

    /// A widget that may be due from an instant on.
    ///
    /// Widgets with the same deadline are ordered by id.
    private struct Due: Comparable, Sendable {
        var at: Instant
        var widget: WidgetID

        static func < (left: Due, right: Due) -> Bool {
            left.at == right.at ? left.widget < right.widget : left.at < right.at
        }
    }

    private struct Flight: Sendable {
        var ask: ReplayAsk
        var wait: Wait
    }

    public let limits: CatchUpLimits
    private var positions: [WidgetID: StreamPosition]
    private var open: [WidgetID: Open] = [:]
    /// The number of widgets in `open` that have a reason to be requested; all others there are only paused.
    private var reasons = 0
    /// The open widgets with a deadline.
    ///
    /// Only the deadline of the first entry is always up to date.
    private var queue = Heap<Due>()
    /// The requested widgets in the order of the requests.
    ///
    /// A widget without another reason is removed after its pause.
    private var paused = Queue<WidgetID>()
    /// The time of the last call of `nextAsk`.
    private var lookedAt: Instant?
    private var flight: Flight?
    private var asks: UInt64 = 0

    public init(_ positions: [WidgetID: SequenceNumber] = [:], limits: CatchUpLimits = CatchUpLimits()) {
        self.positions = positions.mapValues(StreamPosition.init)
        self.limits = limits
    }

    /// The last cycle of a widget that was handled; zero if there is none.
    public subscript(widget: WidgetID) -> SequenceNumber { positions[widget]?.last ?? .zero }

    /// The positions of all widgets that have one.
    public var all: [WidgetID: SequenceNumber] { positions.mapValues(\.last) }

    /// The number of widgets that have a gap or may have one.
    public var openCount: Int { reasons }

    // MARK: Messages and heads

    /// Judges a message, live or from a replay, and advances the position if the message is to be handled.
    ///
    /// The next `nextAsk` requests the missing cycles of a gap. A live message with an implausible sequence number also
    /// counts as a gap: it is dropped, and the replay brings the true state. `isReplayed` marks the records of an
    /// answer to an own request, whose numbers are trusted.
    public mutating func handle(
        _ range: SequenceRange,
        of widget: WidgetID,
        at now: Instant,
        isReplayed: Bool = false
    ) -> StreamStep {
        guard isReplayed || isPlausible(range.sequence, of: widget, at: now) else {
            change(widget) { $0.isUnsure = true }
            return .gap(askFrom: self[widget].next)
        }
        let step = positions[widget, default: StreamPosition()].handle(range)
        switch step {
        case .next, .overlap: settle(widget)
        case .duplicate: break
        case .gap: expect(range.sequence, of: widget, Wait(since: now, duration: .zero))
        }
        return step
    }

    /// Returns a Boolean value that indicates whether the producer may have published a sequence number.
    public func isPlausible(_ sequence: SequenceNumber, of widget: WidgetID, at now: Instant) -> Bool {
        sequence <= PlausibleSequence.latest(after: self[widget], at: now)
    }

    /// Takes the position from a snapshot, unless the current position is ahead of it.
    public mutating func join(_ widget: WidgetID, at sequence: SequenceNumber) {
        guard sequence > self[widget] else { return }
        positions[widget] = StreamPosition(sequence)
        settle(widget)
    }

    /// Compares the producer's heads with the positions.
    ///
    /// If a head differs from the position for longer than `headTolerance`, the widget is requested. Implausible heads
    /// are ignored, and their widgets are returned.
    @discardableResult
    public mutating func heads(_ heads: [WidgetID: SequenceNumber], at now: Instant) -> [WidgetID] {
        var implausible: [WidgetID] = []
        let tolerance = Wait(since: now, duration: limits.headTolerance)
        for (widget, head) in heads {
            let last = self[widget]
            guard isPlausible(head, of: widget, at: now) else {
                implausible.append(widget)
                continue
            }
            if head > last {
                change(widget) { entry in
                    entry.behind = nil
                    // A cycle beyond the head no longer exists: the producer's head is authoritative.
                    entry.targets.removeAll { $0.sequence > head }
                    entry.expect(head, tolerance)
                }
            } else if head == last {
                changeIfOpen(widget) { entry in
                    entry.behind = nil
                    entry.targets = []
                }
            } else {
                change(widget) { entry in
                    entry.targets = []
                    entry.behind = entry.behind ?? tolerance
                }
            }
        }
        return implausible
    }

    /// Requests a sequence number that a downstream consumer has seen but this one has not.
    ///
    /// The request shows the producer that its store was restored from a backup.
    public mutating func askBeyond(_ sequence: SequenceNumber, of widget: WidgetID) {
        guard sequence > self[widget].next else { return }
        change(widget) { $0.beyond = max(sequence, $0.beyond ?? sequence) }
    }

    /// Requests everything after each position.
    ///
    /// Must be called after a start, and after the connection was lost. Heads would also report the missed messages,
    /// but those of unchanged widgets are published only in turn.
    public mutating func askForAll() {
        for widget in positions.keys { change(widget) { $0.isUnsure = true } }
    }

    // MARK: Requests

    /// Returns the request that is due now; nil if nothing is due or a request is in flight.
    public mutating func nextAsk(at now: Instant) -> ReplayAsk? {
        if let flight {
            guard flight.wait.isOver(at: now) else { return nil }
            self.flight = nil
        }
        // The clock was set back: pending waits are over.
        if let lookedAt, now < lookedAt { queueAgain(at: now) }
        lookedAt = now
        forgetPaused(now: now)
        var ask = ReplayAsk(id: asks + 1, from: [:])
        let pause = Wait(since: now, duration: limits.requestInterval)
        // The widgets that have waited longest come first, so that every widget gets its turn even if there are many.
        while ask.from.count < limits.widgetsPerAsk, let due = queue.first, due.at <= now,
            ask.from[due.widget] == nil, let entry = open[due.widget]
        {
            let widget = due.widget
            ask.from[widget] = entry.start(after: self[widget])
            if entry.behind?.isOver(at: now) == true { ask.producerBehind.insert(widget) }
            change(widget) { $0.pause = pause }
            paused.append(widget)
        }
        guard !ask.from.isEmpty else { return nil }
        asks = ask.id
        flight = Flight(ask: ask, wait: Wait(since: now, duration: limits.answerTimeout))
        return ask
    }

    /// The next time at which `nextAsk` may return a request even if no message arrives; nil if there is none.
    public var nextDeadline: Instant? { flight?.wait.end ?? queue.first?.at }

    /// Records an answer; must be called before its records are handled.
    ///
    /// The records are ordered by widget id. `more` is true if not all records fitted in the page. If it is true, and
    /// the page contains anything new, the last widget of the page and all later ones are requested again at once.
    public mutating func answered(_ id: UInt64, records: [(WidgetID, SequenceRange)], more: Bool) {
        guard let ask = flight?.ask, ask.id == id else { return }
        flight = nil
        let bringsNew = records.contains { widget, range in range.sequence > self[widget] }
        let reached = more && bringsNew ? records.last?.0 : nil
        for (widget, start) in ask.from {
            changeIfOpen(widget) { entry in
                if let reached, widget >= reached {
                    entry.pause = nil
                } else {
                    entry.behind = nil
                    if let beyond = entry.beyond, start >= beyond { entry.beyond = nil }
                    entry.isUnsure = false
                }
            }
        }
    }

    /// Records that a request failed.
    ///
    /// Its widgets are requested again after the interval.
    public mutating func askFailed(_ id: UInt64) {
        if flight?.ask.id == id { flight = nil }
    }

    // MARK: Bookkeeping

    /// Records that a cycle exists.
    private mutating func expect(_ sequence: SequenceNumber, of widget: WidgetID, _ wait: Wait) {
        change(widget) { $0.expect(sequence, wait) }
    }

    /// Removes the reasons that no longer apply at the current position.
    private mutating func settle(_ widget: WidgetID) {
        let last = self[widget]
        changeIfOpen(widget) { entry in
            entry.targets.removeAll { $0.sequence <= last }
            if let beyond = entry.beyond, beyond <= last { entry.beyond = nil }
        }
    }

    private mutating func changeIfOpen(_ widget: WidgetID, _ body: (inout Open) -> Void) {
        if open[widget] != nil { change(widget, body) }
    }

    /// Changes the reasons of a widget.
    ///
    /// All changes go through here, which keeps the count and the queue consistent.
    private mutating func change(_ widget: WidgetID, _ body: (inout Open) -> Void) {
        var entry = open[widget] ?? Open()
        let hadReason = entry.hasReason
        body(&entry)
        reasons += (entry.hasReason ? 1 : 0) - (hadReason ? 1 : 0)
        if let deadline = entry.deadline, entry.queuedAt.map({ deadline < $0 }) ?? true {
            entry.queuedAt = deadline
            queue.insert(Due(at: deadline, widget: widget))
        }
        open[widget] = entry.hasReason || entry.pause != nil ? entry : nil
        mendQueue()
    }

    /// Removes or moves entries until the first one has its actual deadline.
    private mutating func mendQueue() {
        while let first = queue.first {
            guard var entry = open[first.widget], entry.queuedAt == first.at else {
                queue.removeFirst()
                continue
            }
            let deadline = entry.deadline
            guard deadline != first.at else { return }
            queue.removeFirst()
            entry.queuedAt = deadline
            open[first.widget] = entry
            if let deadline { queue.insert(Due(at: deadline, widget: first.widget)) }
        }
    }

    /// Rebuilds the queue after the clock was set back; waits that began in the future end.
    private mutating func queueAgain(at now: Instant) {
        queue = Heap()
        paused = Queue()
        for (widget, var entry) in open {
            for index in entry.targets.indices { entry.targets[index].wait.end(ifLaterThan: now) }
            entry.behind?.end(ifLaterThan: now)
            entry.pause?.end(ifLaterThan: now)
            entry.queuedAt = entry.deadline
            open[widget] = entry
            if let deadline = entry.deadline { queue.insert(Due(at: deadline, widget: widget)) }
            if entry.pause != nil { paused.append(widget) }
        }
    }

    /// Removes the widgets without a reason whose pause is over.
    private mutating func forgetPaused(now: Instant) {
        defer { mendQueue() }
        while let widget = paused.first {
            if let entry = open[widget], let pause = entry.pause {
                guard pause.isOver(at: now) else { return }
                if !entry.hasReason { open[widget] = nil }
            }
            paused.removeFirst()
        }
    }
}

extension Instant {
    fileprivate static let distantPast = Instant(milliseconds: .min)
}
