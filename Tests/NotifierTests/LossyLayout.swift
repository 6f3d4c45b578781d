// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import EventStreams
import Foundation
import ServiceEngine
import TestSupport
import Testing
import WidgetSchema

@testable import Notifier

/// The notifier behind a bad channel, before a layout service that lays out what a simulated cache has committed.
///
/// Messages are dropped, doubled and overtaken, commits fail, the process is killed between commit and publishing. In the
/// end the updates of each widget must tile, and what they say has changed must have changed.
struct LossyLayout {
    private static let chaosEnd: Int64 = 30_000
    private static let end: Int64 = 50_000
    private static let step: Int64 = 25

    private struct Cycle {
        var range: SequenceRange
        var laidOut: LaidOut
    }

    private let store: FlakyStore
    private var engine: Engine<NotifierCore, FlakyStore, NoWorkers>
    private var random: SeededGenerator
    private let widgets: [WidgetID]
    private var now: Int64 = 0
    private var cycles: [WidgetID: [Cycle]] = [:]
    private let kept: Int
    private let loss: Int
    private let doubling: Int
    private let slowness: Int
    private let breaking: Int
    private var schedule = HeadsSchedule()
    private var inFlight: [(due: Int64, input: NotifierInput)] = []
    /// The published updates, without repetitions.
    private(set) var published: [WidgetID: [Event<Update>]] = [:]
    private var bytes: [String: Data] = [:]
    private(set) var problems: [String] = []
    private(set) var failures = 0

    init(seed: UInt64, widgets: [WidgetID], store: FlakyStore) {
        self.store = store
        self.widgets = widgets
        engine = Engine(store: store, pool: NoWorkers())
        random = SeededGenerator(seed: seed)
        kept = [1, 3, 64].randomElement(using: &random) ?? 1
        loss = [0, 10, 40].randomElement(using: &random) ?? 0
        doubling = [0, 20].randomElement(using: &random) ?? 0
        slowness = [0, 10].randomElement(using: &random) ?? 0
        breaking = [0, 6].randomElement(using: &random) ?? 0
    }

    private var isBad: Bool { now < Self.chaosEnd }

    mutating func run() throws {
        while now < Self.end {
            if isBad, random.chance(15), let widget = widgets.randomElement(using: &random) { try cycle(of: widget) }
            for heads in schedule.due(at: at(now)) { send(.cacheHeads(heads.mapValues(\.sequence))) }
            let inputs = inFlight.filter { $0.due <= now }.sorted { $0.due < $1.due }.map(\.input)
            inFlight.removeAll { $0.due <= now }
            try process(inputs)
            now += Self.step
        }
        for widget in widgets { try check(widget) }
    }

    private mutating func process(_ inputs: [NotifierInput]) throws {
        store.failure = isBad && random.chance(breaking) ? (random.chance(50) ? .before : .after) : nil
        let outcome = try engine.process(inputs, setup: NotifierSetup(nonce: "n"), now: reading(now))
        guard case .perform(let effects) = outcome else {
            failures += 1
            return
        }
        for effect in effects {
            if isBad, random.chance(breaking) {
                // Killed after the commit: the rest is never said.
                engine = Engine(store: store, pool: NoWorkers())
                failures += 1
                return
            }
            switch effect {
            case .publish(let topic, let event) where topic.text.hasPrefix(Topic.Prefix.update): try hear(event)
            case .republish(let widget): if let event = try store.lastUpdate(of: widget)?.event { try hear(event) }
            case .ask(let ask, of: _): answer(ask)
            case .publish, .confirm, .answerReplay, .answerUpdates, .answerSnapshot, .refuse, .gauges, .note: break
            }
        }
    }

    /// Records a published update, and checks that a repetition with the same sequence number has the same bytes.
    private mutating func hear(_ json: Data) throws {
        let event = try WireJSON.decode(Event<Update>.self, from: json)
        let widget = try #require(event.widget)
        let key = "\(widget) \(try #require(event.range).sequence)"
        if let known = bytes.updateValue(json, forKey: key) {
            if known != json { problems.append("\(key): other bytes than before") }
        } else {
            published[widget, default: []].append(event)
        }
    }

    private mutating func cycle(of widget: WidgetID) throws {
        let known = cycles[widget] ?? []
        let head = known.last?.range.sequence ?? .zero
        let sequence = known.isEmpty ? SequenceNumber(UInt64(at(now).milliseconds)) : head.next
        let range = try #require(SequenceRange(first: head.next, sequence: sequence))
        let laidOut: LaidOut
        switch Int.random(in: 0..<20, using: &random) {
        case 0: laidOut = try .removed()
        case 1, 2:
            laidOut = try .showing(["compact": "Loading…"], outcome: .failed, failure: .transient, isMissing: true)
        case 3: laidOut = try .showing(["compact": "a", "expanded": "a"], outcome: .failed, failure: .transient)
        default:
            let shown = ["a", "b", "c"]
            laidOut = try .showing([
                "compact": shown.randomElement(using: &random) ?? "a",
                "expanded": shown.randomElement(using: &random) ?? "a",
            ])
        }
        cycles[widget] = Array((known + [Cycle(range: range, laidOut: laidOut)]).suffix(kept))
        schedule.set(Head(sequence: sequence), of: widget)
        send(.laidOut(laidOut.event(range, of: widget), of: widget))
    }

    private mutating func answer(_ ask: ReplayAsk) {
        let page = Page(of: ask.from.keys, limit: 6000) { widget in
            let events = (cycles[widget] ?? []).map { $0.laidOut.event($0.range, of: widget) }
                .filter { ($0.range?.sequence ?? .zero) >= (ask.from[widget] ?? 1) }
            return events.enumerated().map { index, event in
                (record: index == 0 ? event.starting(at: ask.from[widget] ?? 1) : event, bytes: 1000)
            }
        }
        send(.replayed(ask: ask.id, Records(records: page.records, more: page.more)))
    }

    private mutating func send(_ input: NotifierInput) {
        for _ in 0..<(isBad && random.chance(doubling) ? 2 : 1) {
            if isBad, random.chance(loss) { continue }
            let delay =
                isBad && random.chance(slowness)
                ? Int64.random(in: 50..<6000, using: &random) : Int64.random(in: 1..<50, using: &random)
            inFlight.append((now + delay, input))
        }
    }

    /// Updates tile, and changes are changes; what a killed process did not say, a subscriber gets by a replay.
    private mutating func check(_ widget: WidgetID) throws {
        for update in try store.updates(of: widget, from: 1) { try hear(update.event) }
        let updates = (published[widget] ?? []).sorted { ($0.range?.sequence ?? .zero) < ($1.range?.sequence ?? .zero) }
        var next: SequenceNumber = 1
        var shown: [DisplayName: ContentDigest] = [:]
        var lastNewData: SequenceNumber?
        for event in updates {
            let range = try #require(event.range)
            if range.first != next { problems.append("\(widget): \(range) does not follow on to \(next)") }
            let changed = event.data.displays.filter { shown[$0.key] != $0.value.digest }.keys.sorted()
            if changed != event.data.changed {
                problems.append("\(widget) \(range): says \(event.data.changed) changed, \(changed) did")
            }
            if event.data.previousNewData != lastNewData { problems.append("\(widget) \(range): wrong last newData") }
            if event.data.result == .newData { lastNewData = range.sequence }
            shown = event.data.reason == .removed ? [:] : event.data.displays.mapValues(\.digest)
            next = range.sequence.next
        }
        if next.previous != cycles[widget]?.last?.range.sequence ?? .zero {
            problems.append("\(widget): the last cycle has no update")
        }
    }
}
