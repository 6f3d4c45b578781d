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
        /// Whether messages may have been missed that no head has told of yet.
        var isUnsure = false
        /// Not to be asked again before this is over.
        var pause: Wait?

        var hasReason: Bool { !targets.isEmpty || behind != nil || beyond != nil || isUnsure }
        var isUrgent: Bool { beyond != nil || isUnsure }

        func isDue(at now: Instant) -> Bool {
            guard pause?.isOver(at: now) ?? true else { return false }
            return isUrgent || targets.first?.wait.isOver(at: now) == true || behind?.isOver(at: now) == true
        }

        var deadline: Instant? {
            let reason = [targets.first?.wait.end, behind?.end, isUrgent ? .distantPast : nil].compactMap { $0 }
                .min()
            guard let reason else { return nil }
            return max(reason, pause?.end ?? reason)
        }
    }

    private struct Flight: Sendable {
        var ask: ReplayAsk
        var wait: Wait
    }

    public let limits: CatchUpLimits
    private var positions: [WidgetID: StreamPosition]
    private var open: [WidgetID: Open] = [:]
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

    /// How many widgets lack something, or may.
    public var openCount: Int { open.values.count(where: \.hasReason) }

    /// Whether an ask is on its way.
    public var isAsking: Bool { flight != nil }

    // MARK: What comes

    /// Judges a message, live or from a replay, and moves behind it where it is to be handled.
    ///
    /// A gap is asked for by the next `nextAsk`.
    public mutating func handle(_ range: SequenceRange, of widget: WidgetID, at now: Instant) -> StreamStep {
        let step = positions[widget, default: StreamPosition()].handle(range)
        switch step {
        case .next, .overlap: settle(widget)
        case .duplicate: break
        case .gap: expect(range.sequence, of: widget, Wait(since: now, milliseconds: 0))
        }
        return step
    }

    /// Takes the position from a snapshot where that is further on.
    public mutating func join(_ widget: WidgetID, at sequence: SequenceNumber) {
        guard sequence > self[widget] else { return }
        positions[widget] = StreamPosition(sequence)
        settle(widget)
    }

    /// Compares the producer's heads with the positions; what is not made up for within the patience is asked for.
    public mutating func heads(_ heads: [WidgetID: SequenceNumber], at now: Instant) {
        let patience = Wait(since: now, milliseconds: limits.headPatienceMilliseconds)
        for (widget, head) in heads {
            let last = self[widget]
            if head > last {
                open[widget]?.behind = nil
                // What a message promised beyond the head is gone: the producer knows better.
                open[widget]?.targets.removeAll { $0.sequence > head }
                expect(head, of: widget, patience)
            } else if head == last {
                open[widget]?.behind = nil
                open[widget]?.targets = []
                prune(widget)
            } else {
                open[widget]?.targets = []
                if open[widget]?.behind == nil { open[widget, default: Open()].behind = patience }
            }
        }
    }

    /// Asks for a number that somebody downstream has seen although this consumer has not: so the producer notices that
    /// it was restored.
    public mutating func askBeyond(_ sequence: SequenceNumber, of widget: WidgetID) {
        guard sequence > self[widget].next else { return }
        open[widget, default: Open()].beyond = max(sequence, open[widget]?.beyond ?? sequence)
    }

    /// Asks for what follows on to each position: after a start, and after a connection was lost.
    ///
    /// Heads would tell of what was missed, too, but of all widgets only in turn.
    public mutating func askForAll() {
        for widget in positions.keys { open[widget, default: Open()].isUnsure = true }
    }

    // MARK: What to ask

    /// What to ask for now; nil where nothing is due or an ask is on its way.
    public mutating func nextAsk(at now: Instant) -> ReplayAsk? {
        if let flight {
            guard flight.wait.isOver(at: now) else { return nil }
            self.flight = nil
        }
        for (widget, entry) in open where !entry.hasReason && entry.pause?.isOver(at: now) ?? true {
            open[widget] = nil
        }
        var due = open.filter { $0.value.isDue(at: now) }.map { (widget: $0.key, asked: $0.value.pause?.since) }
        guard !due.isEmpty else { return nil }
        // Those that waited longest first, so that a large number of widgets gets its turn.
        due.sort { left, right in
            left.asked == right.asked
                ? left.widget < right.widget : left.asked ?? .distantPast < right.asked ?? .distantPast
        }
        asks += 1
        var ask = ReplayAsk(id: asks, from: [:])
        for (widget, _) in due.prefix(limits.widgetsPerAsk) {
            ask.from[widget] = max(self[widget].next, open[widget]?.beyond ?? .zero)
            if open[widget]?.behind?.isOver(at: now) == true { ask.producerBehind.insert(widget) }
            open[widget]?.pause = Wait(since: now, milliseconds: limits.askIntervalMilliseconds)
        }
        flight = Flight(ask: ask, wait: Wait(since: now, milliseconds: limits.answerTimeoutMilliseconds))
        return ask
    }

    /// When `nextAsk` may have something to say without a message; nil where it will not.
    public var nextDeadline: Instant? {
        if let flight { return flight.wait.end }
        return open.values.compactMap(\.deadline).min()
    }

    /// Takes note of an answer, before its records are handled.
    ///
    /// The records stand in the order of their widgets' ids. Where there is `more`, the widgets from the last one in the
    /// page on are asked for again at once, provided that the page brought anything new.
    public mutating func answered(_ id: UInt64, records: [(WidgetID, SequenceRange)], more: Bool) {
        guard let ask = flight?.ask, ask.id == id else { return }
        flight = nil
        let bringsNew = records.contains { widget, range in range.sequence > self[widget] }
        let reached = records.last?.0
        for widget in ask.from.keys {
            if more, bringsNew, let reached, widget >= reached {
                open[widget]?.pause = nil
            } else {
                open[widget]?.behind = nil
                open[widget]?.beyond = nil
                open[widget]?.isUnsure = false
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
        var entry = open[widget] ?? Open()
        if var first = entry.targets.first {
            if wait.end < first.wait.end { first.wait = wait }
            let latest = max(sequence, entry.targets.last?.sequence ?? sequence)
            entry.targets = [first]
            if latest > first.sequence { entry.targets.append(Open.Target(sequence: latest, wait: wait)) }
        } else {
            entry.targets = [Open.Target(sequence: sequence, wait: wait)]
        }
        open[widget] = entry
    }

    /// Forgets what the position has reached.
    private mutating func settle(_ widget: WidgetID) {
        guard open[widget] != nil else { return }
        let last = self[widget]
        open[widget]?.targets.removeAll { $0.sequence <= last }
        if let beyond = open[widget]?.beyond, beyond <= last { open[widget]?.beyond = nil }
        prune(widget)
    }

    private mutating func prune(_ widget: WidgetID) {
        if let entry = open[widget], !entry.hasReason, entry.pause == nil { open[widget] = nil }
    }
}

extension Instant {
    fileprivate static let distantPast = Instant(milliseconds: .min)
}
