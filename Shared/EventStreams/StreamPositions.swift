// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

public import WidgetSchema

/// The positions of a consumer in the streams of many widgets, with the rules that detect and close gaps.
///
/// This is the main type of the module, which has the rules by which nothing is lost, as values without clock and
/// socket. `docs/events.md` describes them for subscribers.
///
/// | task | types |
/// |---|---|
/// | consume the updates, from a snapshot, a position or a sequence number on | ``UpdateFollower``, ``StreamedUpdate`` |
/// | merge the updates of a slow reader | ``Conflation`` |
/// | consume the stream of each widget (layouts, updates) | `StreamPositions`, `StreamPosition`, `StreamStep` |
/// | produce: answer replays and snapshots in pages | ``Replay``, `StreamRecord`, ``Page``, `WidgetIndex` |
/// | produce: publish last values and heads in rounds | ``PublicationRounds``, ``HeadsSchedule`` |
/// | follow the cache's fetch schedule | ``AnnouncedFetches`` |
/// | divide widgets among layout instances | ``LayoutInstances``, ``LayoutShare`` |
/// | timeouts and queues of these types | ``CatchUpLimits``, `CatchUpRequest`, ``Wait``, `Heap`, `Queue`, `WidgetDue` |
///
/// The consumer must call these functions:
///
/// - `handle` for each message
/// - `heads` for each message that contains heads; a head is the producer's latest sequence number of a widget
/// - `nextRequest` after each message, and when `nextDeadline` has passed
/// - `answered` when a request is answered, before it calls `handle` for the records of the answer
/// - `askFailed` when a request has failed
///
/// At most one request is in flight, for at most `limits.widgetsPerRequest` widgets. A widget is requested at most once per
/// `limits.requestInterval`, except to get the next page of an answer.
public struct StreamPositions: Sendable {
    /// The reasons why a replay of one widget must be requested.
    private struct ReplayReasons: Sendable {
        /// A cycle that the producer has published and the consumer has not handled.
        ///
        /// The cycle counts as missing when `wait` is over.
        struct Target: Sendable {
            var sequence: SequenceNumber
            var wait: Wait
        }

        /// The cycles that the producer has published and the consumer has not handled.
        ///
        /// The array contains at most two of them: the first one that was noticed, and the one with the highest number.
        var targets: [Target] = []
        /// A Boolean value that indicates whether messages may have been missed, for example while the connection was
        /// lost.
        var isUnsure = false
        /// The wait during which the widget is not requested again; nil if there is none.
        var pause: Wait?
        /// The deadline of the widget's entry in `queue`; nil if there is no entry.
        ///
        /// It may be earlier than the property `deadline`, because only the first entry of the queue is moved to a
        /// later time.
        var queuedAt: Instant?

        /// Records that the producer has published a cycle; if it is not handled, it counts as missing when `wait` is
        /// over.
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

        var hasReason: Bool { !targets.isEmpty || isUnsure }

        /// The time at which a replay of the widget is due; nil if there is no reason for a replay.
        var deadline: Instant? {
            guard let reason = isUnsure ? Instant(milliseconds: .min) : targets.first?.wait.end else { return nil }
            return max(reason, pause?.end ?? reason)
        }
    }

    private struct Flight: Sendable {
        var ask: CatchUpRequest
        var wait: Wait
    }

    public let limits: CatchUpLimits
    private var positions: [WidgetID: StreamPosition]
    private var open: [WidgetID: ReplayReasons] = [:]
    /// The number of widgets for which a replay must be requested, now or later.
    ///
    /// The dictionary `open` can contain more widgets, which are there only because their `pause` is not over.
    private var reasonCount = 0
    /// The widgets for which a replay must be requested, the one with the earliest deadline first.
    ///
    /// The first entry is always up to date; later entries may be outdated (see `mendQueue`).
    private var queue = Heap<WidgetDue>()
    /// The widgets in the pause that follows a request for their replay, in the order of the requests.
    ///
    /// The pause lasts for `limits.requestInterval`. During the pause, the widget is not requested again, except to get
    /// the next page of an answer. `forgetPaused` removes the widgets whose pause is over.
    private var paused = Queue<WidgetID>()
    /// The time of the last call of `nextRequest`.
    private var lookedAt: Instant?
    private var flight: Flight?
    private var lastRequestID: UInt64 = 0

    public init(_ positions: [WidgetID: SequenceNumber] = [:], limits: CatchUpLimits = CatchUpLimits()) {
        self.positions = positions.mapValues(StreamPosition.init)
        self.limits = limits
    }

    /// The sequence number of a widget's last handled cycle; zero if no cycle was handled.
    public subscript(widget: WidgetID) -> SequenceNumber { positions[widget]?.last ?? .zero }

    /// Returns whether a widget has a position.
    public func contains(_ widget: WidgetID) -> Bool { positions[widget] != nil }

    /// The number of widgets for which a replay must be requested, now or later.
    public var openCount: Int { reasonCount }

    // MARK: Messages and heads

    /// Returns the action to take for a message, and advances the position if the message is to be handled.
    ///
    /// If the action is `gap`, the message must be dropped, and `nextRequest` requests a replay. A gap is also reported for
    /// a live message whose sequence number is too high (see ``PlausibleSequence``). `isReplayed` must be true for the
    /// records of an answer to this consumer's own request, because their sequence numbers are trusted.
    public mutating func handle(
        _ range: SequenceRange,
        of widget: WidgetID,
        at now: Instant,
        isReplayed: Bool
    ) -> StreamStep {
        guard isReplayed || range.sequence <= PlausibleSequence.latest(at: now) else {
            change(widget) { $0.isUnsure = true }
            return .gap(askFrom: self[widget].next)
        }
        let step = positions[widget, default: StreamPosition()].handle(range)
        switch step {
        case .next, .overlap: settle(widget)
        case .duplicate: break
        case .gap: change(widget) { $0.expect(range.sequence, Wait(since: now, duration: .zero)) }
        }
        return step
    }

    /// Sets a widget's position to its sequence number in a snapshot, unless the current position is later.
    public mutating func join(_ widget: WidgetID, at sequence: SequenceNumber) {
        guard sequence > self[widget] else { return }
        positions[widget] = StreamPosition(sequence)
        settle(widget)
    }

    /// Replaces all positions by those of a snapshot, also by lower ones: positions are valid within one epoch.
    ///
    /// The requests that are in flight or due are forgotten.
    public mutating func replace(with positions: [WidgetID: SequenceNumber]) {
        let last = lastRequestID
        self = StreamPositions(positions, limits: limits)
        lastRequestID = last
    }

    /// Compares the producer's heads with the positions, and returns the widgets whose heads are too high to be
    /// plausible.
    ///
    /// A head is the latest sequence number of a widget. If it is above the position for longer than
    /// `limits.headTolerance`, `nextRequest` requests a replay of the widget. If a head is too high (see
    /// ``PlausibleSequence``), it does so at once: the answer tells whether there is such a cycle.
    @discardableResult
    public mutating func heads(_ heads: [WidgetID: SequenceNumber], at now: Instant) -> [WidgetID] {
        var implausible: [WidgetID] = []
        let tolerance = Wait(since: now, duration: limits.headTolerance)
        let latest = PlausibleSequence.latest(at: now)
        for (widget, head) in heads {
            if head <= self[widget] {
                changeIfOpen(widget) { $0.targets = [] }
            } else if head <= latest {
                change(widget) { entry in
                    // A cycle beyond the head no longer exists: the producer's head is authoritative.
                    entry.targets.removeAll { $0.sequence > head }
                    entry.expect(head, tolerance)
                }
            } else {
                implausible.append(widget)
                change(widget) { $0.isUnsure = true }
            }
        }
        return implausible
    }

    /// Makes `nextRequest` request all cycles after the position of each widget.
    ///
    /// Must be called after the start of the consumer, and after its connection was lost and restored. The producer's
    /// heads would also show the missed messages, but later: a head that has not changed is published only at long
    /// intervals (see ``HeadsSchedule``).
    public mutating func askForAll() {
        for widget in positions.keys { change(widget) { $0.isUnsure = true } }
    }

    // MARK: Requests

    /// Returns the request that is due now; nil if nothing is due or a request is in flight.
    public mutating func nextRequest(at now: Instant) -> CatchUpRequest? {
        if let flight {
            guard flight.wait.isOver(at: now) else { return nil }
            self.flight = nil
        }
        // The clock was set back: pending waits are over.
        if let lookedAt, now < lookedAt { queueAgain(at: now) }
        lookedAt = now
        forgetPaused(now: now)
        var ask = CatchUpRequest(id: lastRequestID + 1, from: [:])
        let pause = Wait(since: now, duration: limits.requestInterval)
        // The widgets that have waited longest come first, so that every widget gets its turn even if there are many.
        while ask.from.count < limits.widgetsPerRequest, let due = queue.first, due.at <= now,
            ask.from[due.widget] == nil
        {
            let widget = due.widget
            ask.from[widget] = self[widget].next
            change(widget) { $0.pause = pause }
            paused.append(widget)
        }
        guard !ask.from.isEmpty else { return nil }
        lastRequestID = ask.id
        flight = Flight(ask: ask, wait: Wait(since: now, duration: limits.answerTimeout))
        return ask
    }

    /// The next time at which `nextRequest` may return a request even if no message arrives; nil if there is none.
    public var nextDeadline: Instant? { flight?.wait.end ?? queue.first?.at }

    /// Records the answer to the request `id`; must be called before the records of the answer are passed to `handle`.
    ///
    /// `records` is one page of the answer, ordered by widget id. `more` is true if further records follow. In this
    /// case, `nextRequest` requests the next page without waiting for `limits.requestInterval`, but only if this page
    /// contains a cycle that is new to the consumer. The next page begins with the last widget of this page. Of this
    /// widget and those behind it, the answer does not tell whether messages were missed.
    ///
    /// Returns false, and changes nothing, if the request is not in flight.
    @discardableResult
    public mutating func answered(_ id: UInt64, records: [(WidgetID, SequenceRange)], more: Bool) -> Bool {
        guard let ask = flight?.ask, ask.id == id else { return false }
        flight = nil
        let bringsNew = records.contains { widget, range in range.sequence > self[widget] }
        let reached = more ? records.last?.0 : nil
        for widget in ask.from.keys {
            changeIfOpen(widget) { entry in
                if let reached, widget >= reached {
                    if bringsNew { entry.pause = nil }
                } else {
                    entry.isUnsure = false
                }
            }
        }
        return true
    }

    /// Records that a request failed.
    ///
    /// Its widgets are requested again when `limits.requestInterval` has passed since the failed request.
    public mutating func askFailed(_ id: UInt64) {
        if flight?.ask.id == id { flight = nil }
    }

    // MARK: Bookkeeping

    /// Removes those reasons for a replay of the widget that no longer apply at its current position.
    private mutating func settle(_ widget: WidgetID) {
        let last = self[widget]
        changeIfOpen(widget) { $0.targets.removeAll { $0.sequence <= last } }
    }

    private mutating func changeIfOpen(_ widget: WidgetID, _ body: (inout ReplayReasons) -> Void) {
        if open[widget] != nil { change(widget, body) }
    }

    /// Changes the reasons for a replay of a widget, and updates `reasonCount` and `queue`.
    private mutating func change(_ widget: WidgetID, _ body: (inout ReplayReasons) -> Void) {
        var entry = open[widget] ?? ReplayReasons()
        let hadReason = entry.hasReason
        body(&entry)
        reasonCount += (entry.hasReason ? 1 : 0) - (hadReason ? 1 : 0)
        if let deadline = entry.deadline, entry.queuedAt.map({ deadline < $0 }) ?? true {
            entry.queuedAt = deadline
            queue.insert(WidgetDue(at: deadline, widget: widget))
        }
        open[widget] = entry.hasReason || entry.pause != nil ? entry : nil
        mendQueue()
    }

    /// Removes or moves the first entry of `queue`, until the first entry is up to date.
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
            if let deadline { queue.insert(WidgetDue(at: deadline, widget: first.widget)) }
        }
    }

    /// Ends all waits that began after `now`, and rebuilds `queue`; must be called after the clock was set back.
    private mutating func queueAgain(at now: Instant) {
        queue = Heap()
        paused = Queue()
        for (widget, var entry) in open {
            for index in entry.targets.indices { entry.targets[index].wait.end(ifLaterThan: now) }
            entry.pause?.end(ifLaterThan: now)
            entry.queuedAt = entry.deadline
            open[widget] = entry
            if let deadline = entry.deadline { queue.insert(WidgetDue(at: deadline, widget: widget)) }
        }
        let pauses = open.compactMap { widget, entry in entry.pause.map { WidgetDue(at: $0.end, widget: widget) } }
        for pause in pauses.sorted() { paused.append(pause.widget) }
    }

    /// Removes from `paused` each widget whose pause is over.
    ///
    /// If there is no reason for a replay of the widget, also removes it from `open`.
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
