// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import EventStreams
import Foundation
import MessageBus
import ServiceEngine
import WidgetSchema

@testable import Notifier

/// The notifier: its engine with a store that may fail.
final class NotifierProcess: EngineProcess<NotifierCore, NotifierProcess.Store, NoWorkers> {
    /// The store from the view of one process.
    struct Store: ServiceStore, UpdateReader {
        unowned let process: NotifierProcess
        let token: Int

        private var memory: NotifierMemory { process.memory }

        var reader: Store { self }
        var ownership: Ownership? { process.ownership(token) }

        func load() throws(StoreFailure) -> NotifierState {
            try process.connect(token)
            if process.variant != .forkKeepsEpoch { memory.acceptRestore() }
            return NotifierState(positions: memory.tables.positions, end: memory.end)
        }

        func end() -> StreamOffset { memory.end }

        func updates(after offset: UInt64, limit: Int) -> [StreamUpdate] {
            var found: [StreamUpdate] = []
            for updates in memory.tables.updates.values {
                for (index, update) in updates.enumerated() where update.offset > offset {
                    let isOldest = index == 0 && process.variant != .withoutRanges
                    found.append(StreamUpdate(update: update, isOldest: isOldest))
                }
            }
            return Array(
                found.sorted { ($0.update.offset, $0.update.widget) < ($1.update.offset, $1.update.widget) }.prefix(
                    limit
                )
            )
        }

        func commit(_ writes: [NotifierWrite]) throws(StoreFailure) {
            try process.committing(token, isEmpty: writes.isEmpty) { process.write(writes) }
        }

        func setPaused(_ paused: Bool) {}

        func updates(of widget: WidgetID, from: SequenceNumber) -> [StoredUpdate] {
            let kept = (memory.tables.updates[widget] ?? []).filter { $0.range.sequence >= from }
            switch process.variant {
            case .withoutRanges:
                // As if no earlier number had been requested.
                return kept.first.map { $0.range.first > from ? [] : kept } ?? []
            case .onlyTheLastRecord where (kept.first?.range.first ?? 0) > max(from, 1): return kept.suffix(1)
            default: return kept
            }
        }

        func lastUpdate(of widget: WidgetID) -> StoredUpdate? { memory.tables.updates[widget]?.last }
    }

    private var store: Store?
    private var requests: [RequesterID: IncomingRequest] = [:]
    /// The number of widgets at a position that the cache has denied, as in the health.
    private(set) var deniedCount = 0
    private var requestCount: RequesterID = 0
    private var asks: [RequestID: UInt64] = [:]
    /// The core's id of each `confirm` request, by the request's id.
    private var confirmRequests: [RequestID: UInt64] = [:]
    private var knownIDs: Set<String> = []
    private var layoutInstances = LayoutInstances()

    init(_ simulation: Simulation, number: Int, waits: Bool = false) {
        super.init(
            simulation,
            service: .notifier,
            number: number,
            subscriptions: [.laidOut, .cacheHeads, .layoutHealth],
            waits: waits
        )
    }

    override var servers: [SimulatedServer] { simulation.notifierServers.reachable }
    private var memory: NotifierMemory { server as? NotifierMemory ?? simulation.notifierStore }

    override func makeEngine() -> ServiceEngine {
        let store = Store(process: self, token: takeOver())
        self.store = store
        return Engine(store: store, pool: NoWorkers())
    }

    override func begin() {
        super.begin()
        (requests, asks, confirmRequests, knownIDs, deniedCount) = ([:], [:], [:], [], 0)
        layoutInstances = LayoutInstances()
    }

    override var setup: NotifierSetup { NotifierSetup(nonce: nonce, layoutInstances: layoutInstances) }

    override var isFenced: Bool { store.map { $0.token != memory.row.token } ?? false }

    override func discarded() { (requests, asks, confirmRequests, deniedCount) = ([:], [:], [:], 0) }

    // MARK: Commit

    private func write(_ commits: [NotifierWrite]) {
        let store = memory
        for var commit in commits {
            if variant == .failureHidesChange { commit.update = Self.hide(commit.update) }
            let widget = commit.update.widget
            store.tables.positions[widget] = WidgetPosition(
                sequence: commit.update.range.sequence,
                state: commit.state
            )
            var updates = store.tables.updates[widget] ?? []
            updates.append(commit.update)
            if updates.count > simulation.faults.history {
                updates.removeFirst(updates.count - simulation.faults.history)
            }
            store.tables.updates[widget] = updates
            store.tables.lastOffset = commit.update.offset
            simulation.oracle.notifierCommits(commit.update, on: store)
        }
    }

    /// Applies the naive verdict: a failed attempt is always `failed`, whatever changed visibly.
    private static func hide(_ update: StoredUpdate) -> StoredUpdate {
        guard var event = try? WireJSON.decode(Event<Update>.self, from: update.event), event.data.outcome == .failed
        else { return update }
        event.data.result = .failed
        event.data.changed = []
        var hidden = update
        hidden.result = .failed
        hidden.event = (try? WireJSON.encode(event)) ?? update.event
        return hidden
    }

    // MARK: Inputs

    override func input(_ input: Input) -> NotifierInput? {
        switch input {
        case .message(let message): translate(message)
        case .bus(.request(let request)): translate(request)
        case .bus(.answer(let id, let json, _)): translate(id, json)
        case .bus(.requestFailed(let id, _)):
            confirmRequests.removeValue(forKey: id).map { .confirmFailed(request: $0) }
                ?? asks.removeValue(forKey: id).map { .replayFailed(ask: $0) }
        case .bus(.resubscribed): .resubscribed
        case .bus(.publisherConnected(again: true)): .publisherReconnected
        case .bus: nil
        }
    }

    private func translate(_ message: Message) -> NotifierInput? {
        if case .cacheHeads(let heads, _) = message.body {
            switch variant {
            case .withoutHeads: return nil
            case .headsNotCompared:
                // A head below the position counts as equal to it.
                let sequences = heads.map { ($0, max($1.sequence, memory.tables.positions[$0]?.sequence ?? .zero)) }
                return .cacheHeads(Dictionary(uniqueKeysWithValues: sequences))
            default: return .cacheHeads(heads.mapValues(\.sequence))
            }
        }
        if case .layoutHealth(let instance, let health, _) = message.body {
            layoutInstances.heard(health, of: instance, at: reading.wall)
            return .layoutHealth(health, of: instance)
        }
        guard case .laidOut(let bytes) = message.body, let event = simulation.laidOut(bytes),
            let widget = event.widget, isNews(event.id)
        else { return nil }
        return .laidOut(event, of: widget)
    }

    private func isNews(_ id: String) -> Bool { variant != .duplicatesByID || knownIDs.insert(id).inserted }

    private func translate(_ request: IncomingRequest) -> NotifierInput? {
        guard let (body, _) = simulation.requests[request.id] else { return nil }
        requestCount += 1
        requests[requestCount] = request
        switch body {
        case .updates(let from): return .replayRequested(requestCount, from: from)
        case .updatesSince(let since): return .updatesRequested(requestCount, since: since)
        case .updatesLast(let widgets, let after):
            return .snapshotRequested(requestCount, widgets: widgets, after: after)
        default: return nil
        }
    }

    private func translate(_ id: RequestID, _ json: Data) -> NotifierInput? {
        if let request = confirmRequests.removeValue(forKey: id) {
            guard case .confirm(let answer) = simulation.answer(json) else { return .confirmFailed(request: request) }
            return .confirmed(request: request, answer)
        }
        guard let ask = asks.removeValue(forKey: id) else { return nil }
        guard var records = try? WireJSON.decode(Answer<Records<LaidOut>>.self, from: json).get() else {
            simulation.note("is told nothing: \(String(decoding: json.prefix(200), as: UTF8.self))", self)
            return .replayFailed(ask: ask)
        }
        for record in records.records where simulation.settings.traces {
            guard let range = record.range else { continue }
            simulation.note("is told of laidout \(range)", self, record.widget)
        }
        records.records = records.records.filter { isNews($0.id) }
        return .replayed(ask: ask, records)
    }

    // MARK: Effects

    override func carryOut(_ effect: NotifierEffect) {
        switch effect {
        case .publish(let topic, let data):
            if topic.text.hasPrefix(Topic.Prefix.heads) {
                let message = Message(.notifierHeads(data))
                for (widget, head) in message.heads?.data.heads ?? [:] {
                    simulation.oracle.publishesHead(.notifier, widget, head.sequence)
                }
                return publish(message)
            }
            publishUpdate(data)
        case .republish(let widget):
            if let update = store?.lastUpdate(of: widget) { publishUpdate(update.event) }
        case .ask(let ask, of: let instance):
            let isSent = request(
                .layout,
                .laidOut(from: ask.from),
                deadline: 4000,
                instance: variant == .replayOfOneInstance ? simulation.firstLayout ?? instance : instance
            )
            for (widget, from) in ask.from.sorted(by: { $0.key < $1.key }) where simulation.settings.traces {
                simulation.note("asks for laidout from \(from)\(isSent == nil ? ", in vain" : "")", self, widget)
            }
            if let isSent { asks[isSent] = ask.id }
        case .confirm(let due):
            guard variant != .confirmNotAsked else { break }
            let body = SimulatedRequest.confirm(ConfirmRequest(widgets: due.widgets))
            // A former cache can still be registered; the variant is seldom noticed if its request must meet one by chance.
            let instance = variant == .confirmedByFencedCache ? fencedCache : nil
            if let id = request(.cache, body, deadline: 4000, instance: instance) { confirmRequests[id] = due.id }
        case .answerReplay(let number, let from):
            answer(number) { try UpdatePage.replay(from: from, of: $0) }
        case .answerUpdates(let number, let since):
            answer(number) { try UpdatePage.updates(since: since, of: $0) }
        case .refuse(let number, let error):
            if let request = requests.removeValue(forKey: number) { reply(to: request, error: error) }
        case .answerSnapshot(let number, let widgets, let end):
            answer(number) { try UpdatePage.snapshot(of: widgets, end: end, in: $0) }
        case .gauges(let gauges): deniedCount = gauges.widgetsDenied
        case .note: break
        }
    }

    private func publishUpdate(_ data: Data) {
        if let event = simulation.update(data), let widget = event.widget, let range = event.range {
            simulation.oracle.publishes(.notifier, widget, range.sequence)
        }
        guard variant == .failureHidesChange,
            let event = try? WireJSON.decode(Event<Update>.self, from: data),
            let widget = event.widget, let range = event.range
        else { return publish(Message(.update(data))) }
        let update = StoredUpdate(
            widget: widget,
            range: range,
            result: event.data.result,
            offset: event.offset?.number ?? 0,
            event: data
        )
        publish(Message(.update(Self.hide(update).event)))
    }

    private func answer(_ number: RequesterID, _ read: (Store) throws -> UpdatePage) {
        guard let request = requests.removeValue(forKey: number), let store, let page = try? read(store) else { return }
        reply(to: request, page.json)
    }

    override func refuse(_ input: NotifierInput) {
        switch input {
        case .replayRequested(let number, _), .updatesRequested(let number, _), .snapshotRequested(let number, _, _):
            guard let request = requests.removeValue(forKey: number) else { return }
            reply(to: request, error: RequestError(.failed, "The store cannot be used."))
        default: break
        }
    }

    /// The cache that still works although its store was taken over; nil if there is none.
    private var fencedCache: InstanceName? {
        simulation.processes.first { process in (process as? CacheProcess).map { $0.isAlive && $0.isFenced } ?? false }
            .flatMap { InstanceName(rawValue: $0.name) }
    }
}
