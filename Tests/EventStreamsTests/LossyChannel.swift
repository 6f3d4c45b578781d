// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import EventStreams
import TestSupport
import WidgetSchema

/// A producer and a consumer of streams with a bad channel between them, in simulated time.
///
/// Messages of all kinds are dropped, doubled and overtaken; history is trimmed; the producer is restored from a backup.
/// After a while the channel gets well, and then the consumer must have handled everything: ranges that tile.
struct LossyChannel {
    /// The rules, to be switched off one by one.
    enum Rule: CaseIterable {
        /// A late record of a replay stands for what was trimmed before it.
        case ranges
        /// Duplicates fall by position, not because their number was met before.
        case position
        /// Heads tell of the last message's loss.
        case heads
        /// A producer that is asked beyond its head gets ahead of all that was ever seen.
        case restores
    }

    private enum Parcel {
        case live(WidgetID, StateRecord)
        case heads([WidgetID: Head])
        case ask(CatchUpRequest)
        case answer(UInt64, [(WidgetID, StateRecord)], more: Bool)
    }

    private static let chaosEnd: Int64 = 60_000
    private static let end: Int64 = 90_000
    private static let step: Int64 = 20

    private let rules: Set<Rule>
    private var random: SeededGenerator
    private let widgets: [WidgetID]
    private var now: Int64 = 0
    private var underway: [(due: Int64, parcel: Parcel)] = []
    private let loss: Int
    private let doubling: Int
    private let slowness: Int

    // The producer.
    private let kept: Int
    private var records: [WidgetID: [StateRecord]] = [:]
    private var backup: [WidgetID: [StateRecord]] = [:]
    private var schedule = HeadsSchedule()
    private var states: UInt64 = 0

    // The consumer.
    private var positions = StreamPositions(limits: CatchUpLimits(answerTimeout: .seconds(2), widgetsPerRequest: 3))
    private var seen: [WidgetID: Set<SequenceNumber>] = [:]
    private(set) var handled: [WidgetID: [StateRecord]] = [:]
    private(set) var asks = 0

    init(seed: UInt64, widgets: [WidgetID], without: Set<Rule> = []) {
        rules = Set(Rule.allCases).subtracting(without)
        random = SeededGenerator(seed: seed)
        self.widgets = widgets
        loss = [0, 5, 30, 60].randomElement(using: &random) ?? 0
        doubling = [0, 10, 30].randomElement(using: &random) ?? 0
        slowness = [0, 5, 20].randomElement(using: &random) ?? 0
        kept = [1, 2, 8, 64].randomElement(using: &random) ?? 1
    }

    /// Runs the simulation and returns the violations as texts; empty if there are none.
    mutating func run() -> [String] {
        let restore = random.chance(50) ? Int64.random(in: 20_000..<50_000, using: &random) : nil
        while now < Self.end {
            if now < Self.chaosEnd, random.chance(10), let widget = widgets.randomElement(using: &random) {
                cycle(of: widget)
            }
            if now == 10_000 { backup = records }
            if let restore, now / Self.step == restore / Self.step { restoreBackup() }
            for message in schedule.due(at: at(now)) where rules.contains(.heads) { send(.heads(message)) }
            deliver()
            if let ask = positions.nextRequest(at: at(now)) {
                asks += 1
                send(.ask(ask))
            }
            now += Self.step
        }
        return widgets.flatMap { violations(of: $0) }
    }

    private func violations(of widget: WidgetID) -> [String] {
        let handled = handled[widget] ?? []
        var found: [String] = []
        var next: SequenceNumber = 1
        for record in handled {
            if record.range.first != next { found.append("\(widget): \(record.range) does not follow on to \(next)") }
            next = record.range.sequence.next
        }
        if handled.last?.state != records[widget]?.last?.state {
            found.append("\(widget): the last state is missing")
        }
        return found
    }

    // MARK: The producer

    private mutating func cycle(of widget: WidgetID, number: SequenceNumber? = nil) {
        let head = records[widget]?.last?.range.sequence ?? .zero
        states += 1
        // A new widget's first cycle stands for all numbers before it.
        guard let range = SequenceRange(first: head.next, sequence: number ?? head.next) else { return }
        let record = StateRecord(range, state: states)
        records[widget] = Array(((records[widget] ?? []) + [record]).suffix(kept))
        schedule.set(Head(sequence: range.sequence), of: widget)
        send(.live(widget, record))
    }

    private mutating func restoreBackup() {
        records = backup
        schedule = HeadsSchedule(records.compactMapValues { $0.last.map { Head(sequence: $0.range.sequence) } })
        for widget in widgets {
            let head = records[widget]?.last?.range.sequence ?? .zero
            let time = SequenceNumber(UInt64(at(now).milliseconds))
            cycle(of: widget, number: rules.contains(.restores) ? max(head.next, time) : nil)
        }
    }

    private mutating func answer(_ ask: CatchUpRequest) {
        let page = Page(of: ask.from.keys, limit: 40) { widget in
            let from = ask.from[widget] ?? 1
            let records = records[widget] ?? []
            let cut =
                rules.contains(.ranges)
                ? Replay.cut(records, from: from) : records.filter { $0.range.sequence >= from }
            return cut.map { (record: (widget, $0), bytes: 7) }
        }
        send(.answer(ask.id, page.records, more: page.more))
    }

    // MARK: The channel

    private mutating func send(_ parcel: Parcel) {
        let isBad = now < Self.chaosEnd
        for _ in 0..<(isBad && random.chance(doubling) ? 2 : 1) {
            if isBad, random.chance(loss) { continue }
            let delay =
                isBad && random.chance(slowness)
                ? Int64.random(in: 40..<9000, using: &random) : Int64.random(in: 1..<40, using: &random)
            underway.append((now + delay, parcel))
        }
    }

    private mutating func deliver() {
        let due = underway.filter { $0.due <= now }
        underway.removeAll { $0.due <= now }
        for (_, parcel) in due.sorted(by: { $0.due < $1.due }) {
            switch parcel {
            case .live(let widget, let record): take(record, of: widget, isReplayed: false)
            case .heads(let heads): positions.heads(heads.mapValues(\.sequence), at: at(now))
            case .ask(let ask): answer(ask)
            case .answer(let id, let records, let more):
                positions.answered(id, records: records.map { ($0.0, $0.1.range) }, more: more)
                for (widget, record) in records { take(record, of: widget, isReplayed: true) }
            }
        }
    }

    // MARK: The consumer

    private mutating func take(_ record: StateRecord, of widget: WidgetID, isReplayed: Bool) {
        let isNew = seen[widget, default: []].insert(record.range.sequence).inserted
        if !rules.contains(.position), !isNew { return }
        switch positions.handle(record.range, of: widget, at: at(now), isReplayed: isReplayed) {
        case .duplicate, .gap: break
        case .next: handled[widget, default: []].append(record)
        case .overlap(let range): handled[widget, default: []].append(StateRecord(range, state: record.state))
        }
    }
}
