// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import EventStreams
import Foundation
import MessageBus
import WidgetSchema

/// The fields of a requested layout that a client needs to check it.
private struct RenderedHead: Codable, Hashable, Sendable {
    var sequence: SequenceNumber
    var digest: ContentDigest
}

/// A client that follows the updates by the rules of the contract, and records them for the oracle.
///
/// One subscriber is there from the beginning; another comes late and joins with a snapshot.
final class SubscriberProcess: SimulatedProcess {
    /// The time after which a layout that is newer than the widget's updates counts as one of a former primary.
    private static let unconfirmedLayout: Int64 = 10_000
    /// The maximum number of concurrent requests for layouts.
    private static let rendersAtOnce = 4

    private let joinsLate: Bool
    /// The time in milliseconds by which the clock of this reader is slow; if it is two days, each number is above the limit.
    private let delayOfClock: Int64
    private var variant: Variant? { simulation.settings.variant }
    private var positions = StreamPositions()
    /// The epoch in which the positions are valid; nil before the first message.
    private var epoch: StreamEpoch?
    private var join: SnapshotJoin<Event<Update>>?
    private var snapshotAfter: WidgetID?
    private var snapshotAsk: RequestID?
    /// The records of the pages of the snapshot that have arrived, and the epoch of the first page.
    private var snapshot: [Event<Update>] = []
    private var snapshotEpoch: StreamEpoch?
    private var asks: [RequestID: UInt64] = [:]
    private var renders: [RequestID: RenderRequest] = [:]
    private var renderedAt: [RenderRequest: Int64] = [:]
    private var knownIDs: Set<String> = []
    private var tickAt: Int64 = 0
    /// The number of times that each update has come since the chaos, by its hash.
    private var copies: [Int: Int] = [:]
    // The record.
    private(set) var last: [WidgetID: SequenceNumber] = [:]
    private(set) var shown: [WidgetID: [DisplayName: ContentDigest]] = [:]
    /// The last update of each widget: a snapshot as it was before another epoch.
    private var lastUpdates: [WidgetID: Event<Update>] = [:]
    /// The widgets whose last update had a placeholder that this reader may have drawn: it draws their next update.
    private var drawsNext: Set<WidgetID> = []
    private(set) var layouts: [WidgetID: [DisplayName: ReceivedLayout]] = [:]

    /// The newest layout that was received of a widget on one display.
    struct ReceivedLayout {
        let sequence: SequenceNumber
        let digest: ContentDigest
        let arrivedAt: Int64
    }

    init(_ simulation: Simulation, number: Int, joinsLate: Bool) {
        self.joinsLate = joinsLate
        let isSlow = joinsLate && Dice(seed: simulation.settings.seed, stream: 15).chance(0.2)
        delayOfClock = isSlow ? 2 * Simulation.day : 0
        super.init(
            simulation,
            service: nil,
            number: number,
            subscriptions: [.update, .notifierHeads, .layout]
        )
    }

    private var wall: Instant { simulation.wall.advanced(byMilliseconds: -delayOfClock) }

    override func begin() {
        if joinsLate { join = SnapshotJoin() }
        tickAt = simulation.now
        copies = [:]
    }

    override var deadline: Int64? {
        // No replay is requested before the snapshot has arrived.
        guard join == nil, let next = positions.nextDeadline else { return tickAt }
        return min(tickAt, simulation.virtual(next.advanced(byMilliseconds: delayOfClock)))
    }

    override func decide(_ inputs: [Input]) {
        for input in inputs {
            switch input {
            case .message(let message):
                judgeCopies(message)
                hear(message)
            case .bus(.answer(let id, let json, _)): answered(id, json)
            case .bus(.requestFailed(let id, _)):
                if id == snapshotAsk { snapshotAsk = nil }
                renders[id] = nil
                if let ask = asks.removeValue(forKey: id) { positions.askFailed(ask) }
            case .bus(.resubscribed): positions.askForAll()
            case .bus: break
            }
        }
        if simulation.now >= tickAt {
            tickAt = simulation.now + 500
            if join != nil, snapshotAsk == nil {
                snapshotAsk = request(.notifier, .updatesLast(nil, after: snapshotAfter), deadline: 2000)
            }
            render()
        }
        if join == nil, let ask = positions.nextRequest(at: wall),
            let id = request(.notifier, .updates(from: ask.from), deadline: 2000)
        {
            asks[id] = ask.id
        }
    }

    /// Reports a message that comes more often than it was published, although nothing duplicates messages after the
    /// chaos.
    ///
    /// A copy that was on its way during the sleep of the machines is no longer recognised.
    private func judgeCopies(_ message: Message) {
        guard !simulation.isChaotic, !simulation.calm.hasJustWoken, message.kind == .update, !message.wasChaotic else {
            return
        }
        copies[message.hash, default: 0] += 1
        if copies[message.hash, default: 0] > simulation.publications(of: message) {
            simulation.oracle.report("a message is delivered twice", name)
        }
    }

    // MARK: Updates

    private func hear(_ message: Message) {
        switch message.body {
        case .update:
            guard case .update(let bytes) = message.body, let event = simulation.update(bytes) else { return }
            if isOfThisEpoch(event.offset), join == nil { follow(event, isReplayed: false) } else { join?.hold(event) }
        case .notifierHeads:
            guard variant != .withoutHeads, let heads = message.heads, isOfThisEpoch(heads.data.end) else { return }
            positions.heads(heads.data.sequences, at: wall)
        case .layout:
            guard let head = message.layoutHead, let widget = WidgetID(rawValue: head.subject) else { return }
            take(head.data.digest, at: head.sequence, of: widget, on: head.data.display)
        case .fetched, .refreshed, .laidOut, .cacheHeads, .layoutHealth, .schedule: break
        }
    }

    /// Returns false for a message of another epoch, and begins a snapshot, whose end decides which epoch holds.
    private func isOfThisEpoch(_ offset: StreamOffset?) -> Bool {
        guard let offset, variant != .positionsKept else { return true }
        if epoch == nil { epoch = offset.epoch }
        guard offset.epoch != epoch else { return true }
        if join == nil {
            join = SnapshotJoin()
            beginSnapshot()
        }
        return false
    }

    private func beginSnapshot() { (snapshotAfter, snapshotAsk, snapshot, snapshotEpoch) = (nil, nil, [], nil) }

    /// Takes the states of a snapshot: in the same epoch the later ones, and in another one all, lower ones too.
    private func completeSnapshot() {
        let isOther = snapshotEpoch != epoch && variant != .positionsKept
        if isOther {
            (last, shown, drawsNext) = ([:], [:], [])
            if variant == .oldSnapshotAccepted { snapshot = lastUpdates.sorted { $0.key < $1.key }.map(\.value) }
        }
        for event in snapshot {
            guard let widget = event.widget, let range = event.range else { continue }
            if !isOther { positions.join(widget, at: range.sequence) }
            guard range.sequence >= last[widget] ?? .zero else { continue }
            (last[widget], lastUpdates[widget]) = (range.sequence, event)
            shown[widget] = event.data.displays.mapValues(\.digest)
            if event.data.contentDate == nil { drawsNext.insert(widget) }
        }
        if isOther { positions.replace(with: last) }
        epoch = snapshotEpoch ?? epoch
        guard let held = join else { return }
        join = nil
        for event in held.complete() where isOfThisEpoch(event.offset) { follow(event, isReplayed: false) }
    }

    private func follow(_ event: Event<Update>, isReplayed: Bool) {
        guard let widget = event.widget, let range = event.range else { return }
        if variant == .duplicatesByID, !knownIDs.insert(event.id).inserted { return }
        switch positions.handle(range, of: widget, at: wall, isReplayed: isReplayed) {
        case .gap: return
        case .duplicate:
            if variant == .withoutPositions { record(event, range, isSingle: range.isSingle) }
        case .next: record(event, range, isSingle: true)
        case .overlap(let range): record(event, range, isSingle: variant == .verdictsAsTheyAre)
        }
    }

    /// Compares an update with the record: its range follows directly, and its changes relative to what is drawn are
    /// true.
    ///
    /// An update without content names none.
    private func record(_ event: Event<Update>, _ range: SequenceRange, isSingle: Bool) {
        guard let widget = event.widget else { return }
        let before = last[widget] ?? .zero
        if range.first != before.next {
            simulation.oracle.report("the ranges of updates do not tile", widget, "\(before), then \(range)")
        }
        let new = event.data.displays.mapValues(\.digest)
        let said = Set(event.data.changed)
        let isPlaceholder = event.data.contentDate == nil
        let old = shown[widget] ?? [:]
        let isSilent = isPlaceholder && event.data.result == .noData
        let changed = isSilent ? [] : Set(new.filter { old[$0.key] != $0.value }.keys)
        if isSingle, event.data.cause != .removed, !drawsNext.contains(widget) {
            if !said.isSubset(of: changed) {
                simulation.oracle.report("a change is announced twice", widget, "\(range)")
            } else if said != changed {
                simulation.oracle.report("a visible change is not announced", widget, "\(range)")
            }
        }
        (last[widget], lastUpdates[widget]) = (range.sequence, event)
        // A subscriber does not draw a display that a placeholder's update does not announce.
        if !isPlaceholder {
            shown[widget] = new
            drawsNext.remove(widget)
        } else if !isSingle || !said.isEmpty || event.data.cause == .removed {
            shown[widget] = new
            if !isSingle { drawsNext.insert(widget) }
        } else {
            // The notifier announces displays again that the update does not have.
            shown[widget] = old.filter { new[$0.key] != nil }
        }
        simulation.oracle.sees(range, of: widget)
    }

    private func answered(_ id: RequestID, _ json: Data) {
        if id == snapshotAsk {
            snapshotAsk = nil
            guard let page = try? WireJSON.decode(Answer<Records<Update>>.self, from: json).get() else { return }
            if let known = snapshotEpoch, let end = page.end, end.epoch != known { return beginSnapshot() }
            snapshotEpoch = snapshotEpoch ?? page.end?.epoch
            snapshot += page.records
            snapshotAfter = page.records.last?.widget ?? snapshotAfter
            if !page.more { completeSnapshot() }
        } else if let ask = asks.removeValue(forKey: id) {
            guard let page = try? WireJSON.decode(Answer<Records<Update>>.self, from: json).get() else {
                return positions.askFailed(ask)
            }
            guard isOfThisEpoch(page.end) else { return positions.askFailed(ask) }
            let ranges = page.records.compactMap { event in
                event.widget.flatMap { widget in event.range.map { (widget, $0) } }
            }
            positions.answered(ask, records: ranges, more: page.more)
            for event in page.records { follow(event, isReplayed: true) }
        } else if let asked = renders.removeValue(forKey: id) {
            guard let answer = try? WireJSON.decode(Answer<RenderedHead>.self, from: json).get() else { return }
            let known = layouts[asked.widget]?[asked.display]
            if let known, isUnconfirmed(known, of: asked.widget) {
                layouts[asked.widget]?[asked.display] = nil
            }
            take(answer.digest, at: answer.sequence, of: asked.widget, on: asked.display)
        }
    }

    // MARK: Layouts

    private func take(
        _ digest: ContentDigest,
        at sequence: SequenceNumber,
        of widget: WidgetID,
        on display: DisplayName
    ) {
        if let known = layouts[widget]?[display], known.sequence >= sequence { return }
        layouts[widget, default: [:]][display] = ReceivedLayout(
            sequence: sequence,
            digest: digest,
            arrivedAt: simulation.now
        )
    }

    /// Returns true if a layout has been newer than the widget's updates for so long that it comes from a former primary.
    private func isUnconfirmed(_ layout: ReceivedLayout, of widget: WidgetID) -> Bool {
        layout.sequence > last[widget] ?? .zero && simulation.now - layout.arrivedAt >= Self.unconfirmedLayout
    }

    /// Requests layouts that differ from those in the updates.
    private func render() {
        guard variant != .withoutRender else { return }
        for widget in shown.keys.sorted() {
            for (display, digest) in (shown[widget] ?? [:]).sorted(by: { $0.key < $1.key }) {
                guard renders.count < Self.rendersAtOnce else { return }
                guard let sequence = last[widget] else { continue }
                // A newer layout than the update may arrive before the update that names it.
                if let known = layouts[widget]?[display],
                    known.digest == digest || known.sequence > sequence && !isUnconfirmed(known, of: widget)
                {
                    continue
                }
                let wanted = RenderRequest(widget: widget, display: display, sequence: sequence)
                guard renderedAt[wanted].map({ simulation.now - $0 >= 2000 }) ?? true else { continue }
                renderedAt[wanted] = simulation.now
                if let id = request(.layout, .render(wanted), deadline: 2000) { renders[id] = wanted }
            }
        }
    }
}
