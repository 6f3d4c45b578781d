// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import EventStreams
import Foundation
import ServiceEngine
import WidgetSchema

/// The core of the notifier, which decides whether a cycle's result is `newData`, `noData` or `failed`.
///
/// A value type without clock, socket or disk. It handles the laid-out cycles of each widget without gaps or overlaps,
/// compares each display with the previous update, and decides what to commit, publish, request and answer. After a
/// failed commit, the core is discarded, and a new one is loaded from the store.
struct NotifierCore: Sendable {
    private var positions: StreamPositions
    private var states: [WidgetID: WidgetState]
    private var heads: HeadsSchedule
    /// The ids of the widgets that have an update, in ascending order.
    private var index: WidgetIndex
    var engines = LayoutInstances()
    private var confirmation = CycleConfirmation()
    /// The position of the last decided update; this update may not be committed yet.
    private(set) var end: StreamOffset
    private let nonce: String
    private var messages: UInt64 = 0
    private var reported = NotifierGauges(widgets: 0, widgetsWithGaps: 0)

    init(
        _ widgets: [WidgetID: WidgetPosition] = [:],
        end: StreamOffset,
        nonce: String,
        limits: CatchUpLimits = CatchUpLimits()
    ) {
        positions = StreamPositions(widgets.mapValues(\.sequence), limits: limits)
        states = widgets.mapValues(\.state)
        index = WidgetIndex(widgets.keys)
        heads = HeadsSchedule(
            widgets.mapValues { Head(sequence: $0.sequence, lastNewData: $0.state.lastNewData) }
        )
        self.end = end
        self.nonce = nonce
    }

    /// The next time at which `endBatch` has something to do even if no input arrives; nil if there is none.
    var nextDue: Instant? {
        [positions.nextDeadline, heads.nextDeadline, confirmation.nextDeadline(widgets: states.count)]
            .compactMap { $0 }.min()
    }

    /// Publishes each widget's last update again, because it may have been committed but not published.
    mutating func start(now: Instant) -> [NotifierEffect] {
        positions.askForAll()
        heads.announceAll()
        for widget in states.keys { confirmation.took(positions[widget], of: widget, at: now) }
        return index.widgets(after: nil).map { .republish($0) }
    }

    /// Requests missing cycles, asks about doubtful ones, publishes the latest sequence numbers of widgets, and reports
    /// the gauges.
    ///
    /// Requests and sequence numbers that are not due yet are omitted. The gauges are reported only if they changed.
    mutating func endBatch(now: Instant) -> [NotifierEffect] {
        ask(now: now) + confirm(now: now) + publishHeads(now: now) + reportGauges()
    }

    mutating func handle(_ input: NotifierInput, now: Instant) -> NotifierStep {
        switch input {
        case .laidOut(let event, let widget):
            return judge(event, of: widget, now, isReplayed: false)
        case .layoutHealth(let health, let instance):
            engines.heard(health, of: instance, at: now)
            return NotifierStep()
        case .cacheHeads(let heads):
            for (widget, head) in heads where states[widget] != nil {
                confirmation.heard(head, of: widget, position: positions[widget], at: now)
            }
            return NotifierStep(effects: hear(heads, at: now))
        case .confirmed(let request, let answer):
            confirmation.answered(request, answer, at: now) { positions[$0] }
            let denied: [NotifierEffect] = answer.raised.isEmpty ? [] : [.note(.denied(answer.raised))]
            // The message about a cycle that the cache made may be lost.
            return NotifierStep(effects: denied + hear(answer.heads, at: now))
        case .confirmFailed(let request):
            confirmation.failed(request, at: now)
            return NotifierStep()
        case .replayed(let ask, let records):
            return handle(records, of: ask, now)
        case .replayFailed(let ask):
            positions.askFailed(ask)
            return NotifierStep()
        case .replayRequested, .updatesRequested, .snapshotRequested:
            return NotifierStep(effects: read(input).map { [$0] } ?? [])
        case .resubscribed:
            positions.askForAll()
            return NotifierStep()
        case .publisherReconnected:
            heads.announceAll()
            return NotifierStep()
        }
    }

    /// Returns the effect that answers a request for stored updates; nil if `input` is not such a request.
    mutating func read(_ input: NotifierInput) -> NotifierEffect? {
        switch input {
        case .replayRequested(let request, let from): .answerReplay(request, from: from)
        case .updatesRequested(let request, let since): answer(request, since: since)
        case .snapshotRequested(let request, let widgets, let after):
            .answerSnapshot(
                request,
                widgets: widgets.map { known(among: $0, after: after) } ?? index.widgets(after: after),
                end: end
            )
        case .laidOut, .layoutHealth, .cacheHeads, .replayed, .replayFailed, .confirmed, .confirmFailed, .resubscribed,
            .publisherReconnected:
            nil
        }
    }

    /// Returns the effect that answers or rejects a request for the updates after a position.
    ///
    /// The request is rejected if the position is of another epoch, or beyond the last update.
    private func answer(_ request: RequesterID, since: StreamOffset) -> NotifierEffect {
        guard since.epoch == end.epoch, since.number <= end.number else {
            return .refuse(
                request,
                RequestError(
                    .notFound,
                    "The stream of updates has no position \(since); it ends at \(end). Request a snapshot, and "
                        + "continue at the `end` of its first page."
                )
            )
        }
        return .answerUpdates(request, since: since)
    }

    /// Returns the ids in `widgets` that have an update, in ascending order.
    ///
    /// If `after` is not nil, only the ids that follow `after` are returned.
    private func known(among widgets: [WidgetID], after: WidgetID?) -> ArraySlice<WidgetID> {
        Set(widgets).filter { widget in
            states[widget] != nil && after.map { widget > $0 } ?? true
        }.sorted()[...]
    }

    private mutating func reportGauges() -> [NotifierEffect] {
        let gauges = NotifierGauges(
            widgets: states.count,
            widgetsWithGaps: positions.openCount,
            widgetsDenied: confirmation.wrongCount
        )
        guard gauges != reported else { return [] }
        reported = gauges
        return [.gauges(gauges)]
    }

    // MARK: Cycles

    private mutating func handle(
        _ records: Records<LaidOut>,
        of ask: UInt64,
        _ now: Instant
    ) -> NotifierStep {
        if let older = records.records.first(where: { !engines.accepts($0.data.engine, at: now) }),
            let widget = older.widget
        {
            // The instance that answered has another engine than the current one, so none of its records count. The
            // next request goes to an instance with the current engine.
            positions.askFailed(ask)
            return NotifierStep(effects: [.note(.olderEngine(widget, version: older.data.engine.version))])
        }
        let ranges = records.records.compactMap { event in
            event.widget.flatMap { widget in event.range.map { (widget, $0) } }
        }
        positions.answered(ask, records: ranges, more: records.more)
        var step = NotifierStep()
        for event in records.records {
            guard let widget = event.widget else { continue }
            step += judge(event, of: widget, now, isReplayed: true)
        }
        return step
    }

    private mutating func judge(
        _ event: Event<LaidOut>,
        of widget: WidgetID,
        _ now: Instant,
        isReplayed: Bool
    ) -> NotifierStep {
        guard let whole = event.range else {
            return NotifierStep(effects: [.note(.malformed(widget, problem: "the event has no sequence number"))])
        }
        guard engines.accepts(event.data.engine, at: now) else {
            return NotifierStep(effects: [.note(.olderEngine(widget, version: event.data.engine.version))])
        }
        let isPlausible = isReplayed || whole.sequence <= PlausibleSequence.latest(at: now)
        switch positions.handle(whole, of: widget, at: now, isReplayed: isReplayed) {
        case .gap where !isPlausible: return NotifierStep(effects: [.note(.implausible(widget, whole.sequence))])
        case .duplicate:
            if whole.sequence == positions[widget], let handled = states[widget]?.committed,
                let committed = event.data.times.committed, committed != handled
            {
                confirmation.differed(widget, at: now)
            }
            return NotifierStep(effects: [.note(.duplicate(widget))])
        case .gap(let from):
            if states[widget] != nil { confirmation.missed(whole.sequence, of: widget, at: now) }
            return NotifierStep(effects: [.note(.gap(widget, askFrom: from))])
        case .next, .overlap: return decide(event.data, of: widget, whole.sequence, now)
        }
    }

    private mutating func decide(
        _ laidOut: LaidOut,
        of widget: WidgetID,
        _ sequence: SequenceNumber,
        _ now: Instant
    ) -> NotifierStep {
        // The range starts after the previous update. So updates cover all cycles, even if the update of an earlier
        // cycle could not be encoded.
        guard let range = SequenceRange(first: (heads[widget]?.sequence ?? .zero).next, sequence: sequence) else {
            return NotifierStep(effects: [.note(.duplicate(widget))])
        }
        let before = states[widget] ?? WidgetState()
        let verdict = Verdict(of: laidOut, after: before)
        var displays = verdict.displays
        for (name, display) in laidOut.displays {
            displays[name]?.changed = before.lastChange(of: name, showing: display.digest, now: now)
        }
        var times = laidOut.times
        times.decided = now
        let update = Update(
            result: verdict.result,
            reason: verdict.reason,
            cause: laidOut.cause,
            outcome: laidOut.outcome,
            failure: laidOut.failure,
            changed: verdict.changed,
            displays: displays,
            hasContent: laidOut.hasContent,
            contentDate: laidOut.contentDate,
            times: times,
            summary: verdict.summary,
            previousNewData: before.lastNewData,
            blockedUntil: laidOut.blockedUntil
        )
        let topic = Topic.update(verdict.result, widget)
        let offset = end.next
        let event = Event(topic, widget: widget, range: range, offset: offset, time: now, data: update)
        let bytes: Data
        let shortened: Int?
        do {
            (bytes, shortened) = try UpdateFrame.encode(event)
        } catch {
            return NotifierStep(effects: [.note(.malformed(widget, problem: error.description))])
        }

        let isRemoved = laidOut.cause == .removed
        let state = WidgetState(
            displays: isRemoved ? [:] : displays.mapValues { ShownDisplay(digest: $0.digest, changed: $0.changed) },
            showedContent: !isRemoved && !laidOut.contentIsMissing,
            announced: isRemoved || !laidOut.contentIsMissing ? nil : verdict.announced(after: before),
            wasHidden: !isRemoved && !laidOut.hasContent,
            lastNewData: verdict.result == .newData ? range.sequence : before.lastNewData,
            committed: laidOut.times.committed
        )
        confirmation.took(sequence, of: widget, at: now)
        if states.updateValue(state, forKey: widget) == nil { index.insert(widget) }
        heads.set(Head(sequence: range.sequence, lastNewData: state.lastNewData), of: widget)

        end = offset
        let stored = StoredUpdate(
            widget: widget,
            range: range,
            result: verdict.result,
            offset: offset.number,
            event: bytes
        )
        var step = NotifierStep(writes: [NotifierWrite(update: stored, state: state)])
        if let shortened { step.effects.append(.note(.shortened(widget, bytes: shortened))) }
        step.effects += [
            .publish(topic, bytes), .note(.decided(widget, range.sequence, verdict.result, verdict.reason)),
        ]
        return step
    }

    // MARK: Catching up

    private mutating func ask(now: Instant) -> [NotifierEffect] {
        guard let ask = positions.nextRequest(at: now) else { return [] }
        return [.ask(ask, of: engines.instanceToAsk(at: now))]
    }

    private mutating func hear(_ heads: [WidgetID: SequenceNumber], at now: Instant) -> [NotifierEffect] {
        positions.heads(heads, at: now).sorted().map { widget in
            .note(.implausible(widget, heads[widget] ?? .zero))
        }
    }

    private mutating func confirm(now: Instant) -> [NotifierEffect] {
        let request = confirmation.nextRequest(at: now, widgets: states.count) { widget in
            ConfirmRequest.Cycle(sequence: positions[widget], committed: states[widget]?.committed)
        }
        return request.map { [.confirm($0)] } ?? []
    }

    private mutating func publishHeads(now: Instant) -> [NotifierEffect] {
        var effects: [NotifierEffect] = []
        let topic = Topic.heads(of: .notifier)
        for message in heads.due(at: now) {
            messages += 1
            let event = Event(
                topic,
                subject: nil,
                nonce: nonce,
                counter: messages,
                time: now,
                data: NotifierHeads(heads: message, end: end)
            )
            // Ids and sequence numbers can always be encoded.
            if let bytes = try? WireJSON.encode(event) { effects.append(.publish(topic, bytes)) }
        }
        return effects
    }
}
