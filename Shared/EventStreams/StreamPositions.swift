// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

public import WidgetSchema

/// A consumer's half of the stream rules, for many widgets: positions, gaps, and what to ask for.
///
/// The consumer gives it each message (`handle`), each message of heads (`heads`), and asks what to ask (`nextAsk`) when
/// a message came and when `nextDeadline` has passed. One ask is on its way at a time; it names all widgets that lack
/// something. When its answer comes, `answered` goes first, then each record is handled like a message; when it fails,
/// `askFailed`. Nothing is asked for a widget more often than once in an interval, except for the next page.
public struct StreamPositions: Sendable {
    /// Why a widget must be asked for.
    private struct Open: Sendable {
        /// A cycle that exists and was not handled, and how long it may stay so.
        struct Target: Sendable {
            var sequence: SequenceNumber
            var wait: Wait
        }

        /// The one known longest, and the latest: at most two.
        var targets: [Target] = []
        /// Since when the producer's head is behind the consumer.
        var behind: Wait?
        /// A number beyond the consumer's own that somebody else has seen.
        var beyond: SequenceNumber?
        /// A Boolean value that indicates whether messages may be missing that no head has announced yet.
        var isUnsure = false
        /// Not to be asked again before this is over.
        var pause: Wait?
        /// The deadline under which it stands in the queue; it may have become a later one since.
        var queuedAt: Instant?

        /// Notes that a cycle exists.
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

        /// From where to ask on behind `last`.
        ///
        /// Returns the number at which a request must start. Missing events come first: an answer that starts behind
        /// them would be a gap again.
        func start(after last: SequenceNumber) -> SequenceNumber {
            guard targets.isEmpty, !isUnsure, let beyond else { return last.next }
            return max(last.next, beyond)
        }

        var hasReason: Bool { !targets.isEmpty || behind != nil || beyond != nil || isUnsure }
        var isUrgent: Bool { beyond != nil || isUnsure }

        /// When it is to be asked for; nil where there is no reason.
        var deadline: Instant? {
            let reason = [targets.first?.wait.end, behind?.end, isUrgent ? .distantPast : nil].compactMap { $0 }
                .min()
            guard let reason else { return nil }
            return max(reason, pause?.end ?? reason)
        }
    }

    /// A widget that may be due from a moment on; those with the same deadline in the order of their ids.
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
    /// The number of widgets that have a reason to be requested.
    private var reasons = 0
    /// The open widgets with a deadline; the first one's is always right.
    private var queue = Heap<Due>()
    /// The widgets that were asked for, in that order: without another reason they are forgotten after their pause.
    private var paused = Queue<WidgetID>()
    /// When `nextAsk` looked last.
    private var lookedAt: Instant?
    private var flight: Flight?
    private var asks: UInt64 = 0

    public init(_ positions: [WidgetID: SequenceNumber] = [:], limits: CatchUpLimits = CatchUpLimits()) {
        self.positions = positions.mapValues(StreamPosition.init)
        self.limits = limits
    }

    /// The last cycle of a widget that was handled; zero where there is none.
    public subscript(widget: WidgetID) -> SequenceNumber { positions[widget]?.last ?? .zero }

    /// All widgets with a position.
    public var all: [WidgetID: SequenceNumber] { positions.mapValues(\.last) }

    /// The number of widgets that miss events, or may miss some.
    public var openCount: Int { reasons }

    // MARK: What comes

    /// Judges a message, live or from a replay, and moves behind it where it is to be handled.
    ///
    /// A gap is asked for by the next `nextAsk`. A live message with an implausible number is one, too: it is dropped, and
    /// the replay tells what is true. `isReplayed` marks records of an answer to an own request, which are believed.
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
        case .gap: expect(range.sequence, of: widget, Wait(since: now, milliseconds: 0))
        }
        return step
    }

    /// Returns a Boolean value that indicates whether a number may have come from the producer.
    public func isPlausible(_ sequence: SequenceNumber, of widget: WidgetID, at now: Instant) -> Bool {
        sequence <= PlausibleSequence.latest(after: self[widget], at: now)
    }

    /// Takes the position from a snapshot where that is further on.
    public mutating func join(_ widget: WidgetID, at sequence: SequenceNumber) {
        guard sequence > self[widget] else { return }
        positions[widget] = StreamPosition(sequence)
        settle(widget)
    }

    /// Compares the producer's heads with the positions; what is not made up for within the patience is asked for.
    ///
    /// An implausible head is dropped. Returns the widgets with such a head.
    @discardableResult
    public mutating func heads(_ heads: [WidgetID: SequenceNumber], at now: Instant) -> [WidgetID] {
        var implausible: [WidgetID] = []
        let patience = Wait(since: now, milliseconds: limits.headPatienceMilliseconds)
        for (widget, head) in heads {
            let last = self[widget]
            guard isPlausible(head, of: widget, at: now) else {
                implausible.append(widget)
                continue
            }
            if head > last {
                change(widget) { entry in
                    entry.behind = nil
                    // What a message promised beyond the head is gone: the producer knows better.
                    entry.targets.removeAll { $0.sequence > head }
                    entry.expect(head, patience)
                }
            } else if head == last {
                changeIfOpen(widget) { entry in
                    entry.behind = nil
                    entry.targets = []
                }
            } else {
                change(widget) { entry in
                    entry.targets = []
                    entry.behind = entry.behind ?? patience
                }
            }
        }
        return implausible
    }

    /// Asks for a number that somebody downstream has seen although this consumer has not: so the producer notices that
    /// it was restored.
    public mutating func askBeyond(_ sequence: SequenceNumber, of widget: WidgetID) {
        guard sequence > self[widget].next else { return }
        change(widget) { $0.beyond = max(sequence, $0.beyond ?? sequence) }
    }

    /// Asks for what follows on to each position: after a start, and after a connection was lost.
    ///
    /// Heads would tell of what was missed, too, but of all widgets only in turn.
    public mutating func askForAll() {
        for widget in positions.keys { change(widget) { $0.isUnsure = true } }
    }

    // MARK: What to ask

    /// Returns the next request, or nil if nothing is due or a request is in flight.
    public mutating func nextAsk(at now: Instant) -> ReplayAsk? {
        if let flight {
            guard flight.wait.isOver(at: now) else { return nil }
            self.flight = nil
        }
        // The clock was set back: what waited has waited long enough.
        if let lookedAt, now < lookedAt { queueAgain(at: now) }
        lookedAt = now
        forgetPaused(now: now)
        var ask = ReplayAsk(id: asks + 1, from: [:])
        let pause = Wait(since: now, milliseconds: limits.askIntervalMilliseconds)
        // Those that waited longest come first, so that a large number of widgets gets its turn.
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
        flight = Flight(ask: ask, wait: Wait(since: now, milliseconds: limits.answerTimeoutMilliseconds))
        return ask
    }

    /// When `nextAsk` may have something to say without a message; nil where it will not.
    public var nextDeadline: Instant? { flight?.wait.end ?? queue.first?.at }

    /// Takes note of an answer, before its records are handled.
    ///
    /// The records stand in the order of their widgets' ids. Where there is `more`, the widgets from the last one in the
    /// page on are asked for again at once, provided that the page brought anything new.
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

    /// Takes note that an ask has no answer; its widgets are asked for again after the interval.
    public mutating func askFailed(_ id: UInt64) {
        if flight?.ask.id == id { flight = nil }
    }

    // MARK: Bookkeeping

    /// Notes that a cycle exists.
    private mutating func expect(_ sequence: SequenceNumber, of widget: WidgetID, _ wait: Wait) {
        change(widget) { $0.expect(sequence, wait) }
    }

    /// Forgets what the position has reached.
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

    /// The one place where the reasons of a widget change: keeps their count and the queue right.
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

    /// Sees to it that the first of the queue is due when it says so.
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

    /// Looks at all that is open with a clock that was set back: what began later than now is over.
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

    /// Forgets the widgets that were asked for long ago and lack nothing.
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
