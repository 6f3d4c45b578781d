// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import EventStreams
import Foundation
import MessageBus
import WidgetSchema

@testable import Notifier

/// The notifier: its engine over a store that may fail, and what its shell does with it.
final class NotifierProcess: SimulatedProcess {
    /// Ends a batch in the middle.
    private enum Failure: Error {
        case crashed
        case notCommitted
    }

    /// The store as one process sees it.
    private struct Store: UpdateStore {
        unowned let process: NotifierProcess
        let token: Int

        private var memory: NotifierMemory { process.simulation.notifierStore }

        func load() -> [WidgetID: WidgetPosition] { memory.tables.positions }

        func commit(_ commits: [UpdateCommit]) throws { try process.commit(commits, token) }

        func updates(of widget: WidgetID, from: SequenceNumber) -> [StoredUpdate] {
            let kept = (memory.tables.updates[widget] ?? []).filter { $0.range.sequence >= from }
            switch process.simulation.settings.variant {
            case .withoutRanges:
                // As if it had been asked for no earlier.
                return kept.first.map { $0.range.first > from ? [] : kept } ?? []
            case .onlyTheLastRecord where (kept.first?.range.first ?? 0) > max(from, 1): return kept.suffix(1)
            default: return kept
            }
        }

        func lastUpdate(of widget: WidgetID) -> StoredUpdate? { memory.tables.updates[widget]?.last }
    }

    private static let storePause: Int64 = 1000

    private var variant: Variant? { simulation.settings.variant }
    private var engine: NotifierEngine<Store>?
    private var requests: [UInt64: IncomingRequest] = [:]
    private var requestCount: UInt64 = 0
    private var asks: [RequestID: UInt64] = [:]
    private var pausedUntil: Int64?
    private var knownIDs: Set<String> = []

    init(_ simulation: Simulation, number: Int) {
        super.init(simulation, service: .notifier, number: number, subscriptions: [.laidOut, .cacheHeads])
    }

    override func begin() {
        engine = NotifierEngine(
            store: Store(process: self, token: simulation.notifierStore.takeOver()),
            nonce: nonce
        )
        (requests, asks, pausedUntil, knownIDs) = ([:], [:], nil, [])
    }

    override var deadline: Int64? {
        pausedUntil ?? engine?.nextDeadline.map(simulation.virtual) ?? simulation.now
    }

    override func decide(_ inputs: [Input]) {
        if let pausedUntil, simulation.now < pausedUntil {
            for case .bus(.request(let request)) in inputs {
                reply(to: request, error: RequestError(.failed, "The store cannot be used."))
            }
            return
        }
        defer { requests = [:] }
        do {
            guard var engine else { return }
            self.engine = nil
            defer { self.engine = engine }
            let outputs = try engine.process(inputs.compactMap(translate), now: simulation.wall)
            pausedUntil = nil
            let requests = requests
            for output in outputs { then { [self] in perform(output, requests) } }
        } catch is UpdateStoreError {
            simulation.note("finds that another took over", self)
            isLeaving =
                isLeaving || simulation.processes.contains { $0 !== self && $0.service == .notifier && $0.isAlive }
            crash()
        } catch Failure.crashed {
            crash()
        } catch {
            asks = [:]
            pausedUntil = simulation.now + Self.storePause
        }
    }

    private func commit(_ commits: [UpdateCommit], _ token: Int) throws {
        if simulation.decidesToCrash(self) { throw Failure.crashed }
        let store = simulation.notifierStore
        guard variant == .withoutFencing || token == store.owner else {
            throw UpdateStoreError.takenOver(path: "memory", token: Int64(token), owner: Int64(store.owner))
        }
        let fails = simulation.isChaotic && simulation.faultDice.chance(simulation.faults.failedCommit)
        if !fails || simulation.faultDice.chance(0.5) {
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
                simulation.oracle.notifierCommits(commit.update)
            }
        }
        if fails {
            simulation.note("a commit fails", self)
            throw Failure.notCommitted
        }
    }

    /// The naive verdict: an attempt that failed has failed, whatever is seen.
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

    // MARK: In

    private func translate(_ input: Input) -> NotifierInput? {
        switch input {
        case .message(let message): translate(message)
        case .bus(.request(let request)): translate(request)
        case .bus(.answer(let id, let json, _)): translate(id, json)
        case .bus(.requestFailed(let id, _)): asks.removeValue(forKey: id).map { .replayFailed(ask: $0) }
        case .bus(.resubscribed): .resubscribed
        case .bus(.publisherConnected(again: true)): .republishing
        case .bus: nil
        }
    }

    private func translate(_ message: Message) -> NotifierInput? {
        if case .cacheHeads(let heads) = message.body {
            return variant == .withoutHeads ? nil : .cacheHeads(heads.mapValues(\.sequence))
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
        case .updatesLast(let widgets, let after):
            return .snapshotRequested(requestCount, widgets: widgets, after: after)
        default: return nil
        }
    }

    private func translate(_ id: RequestID, _ json: Data) -> NotifierInput? {
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

    // MARK: Out

    private func perform(_ output: NotifierEngine<Store>.Output, _ requests: [UInt64: IncomingRequest]) {
        switch output {
        case .publish(let topic, let data):
            if topic.text.hasPrefix(Topic.Prefix.heads) { return publish(Message(.notifierHeads(data))) }
            guard variant == .failureHidesChange,
                let event = try? WireJSON.decode(Event<Update>.self, from: data),
                let widget = event.widget, let range = event.range
            else { return publish(Message(.update(data))) }
            let update = StoredUpdate(widget: widget, range: range, result: event.data.result, event: data)
            publish(Message(.update(Self.hide(update).event)))
        case .ask(let ask):
            let isSent = request(.layout, .laidOut(from: ask.from), deadline: 4000)
            for (widget, from) in ask.from.sorted(by: { $0.key < $1.key }) where simulation.settings.traces {
                simulation.note("asks for laidout from \(from)\(isSent == nil ? ", in vain" : "")", self, widget)
            }
            if let isSent { asks[isSent] = ask.id }
        case .reply(let number, let json):
            if let request = requests[number] { reply(to: request, json) }
        case .note: break
        }
    }
}
