// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import EventStreams
import Foundation
import MessageBus
import ServiceEngine
import WidgetSchema

@testable import Delivery

/// The store of the service delivery.
final class DeliveryMemory: SimulatedServer {
    var tables = DeliveryState()
    /// A Boolean value that indicates whether the tables were replaced by an older copy, and not loaded since.
    private var wasReplaced = false
    private var backups: [DeliveryState] = []

    init() {
        super.init(timeline: 0, row: StoreOwner())
        for device in DeliveryReceivers.devices {
            let plan = DestinationPlan(device, DeliveryReceivers.plan.devices)
            tables.devices[device.id] = device
            tables.destinations[plan.name] = DestinationRecord(fingerprint: plan.fingerprint)
        }
    }

    override func noteRestore() { wasReplaced = true }

    /// Returns the state for a new process, as the store does.
    func load(now: Instant) -> DeliveryState {
        if wasReplaced { tables.restore(at: now) }
        wasReplaced = false
        return tables
    }

    func backUp() { backups.append(tables) }

    /// Puts the last backup back; returns false if there is none.
    func putBack() -> Bool {
        guard let backup = backups.last else { return false }
        tables = backup
        wasReplaced = true
        return true
    }

    func write(_ writes: [DeliveryWrite]) {
        for write in writes {
            switch write {
            case .position(let position): tables.position = position
            case .restored(let time): tables.restored?.at = time
            case .widget(let widget, let sequence): tables.widgets[widget] = sequence
            case .destination(let name, let record): tables.destinations[name] = record
            case .lane(let key, let record): tables.lanes[key] = record
            case .device(let id, let device): tables.devices[id] = device
            }
        }
    }
}

/// The service delivery: its engine with a store that may fail, and destinations that fail, hang and lie.
final class DeliveryProcess: EngineProcess<DeliveryCore, DeliveryProcess.Store, NoWorkers> {
    /// The store from the view of one process.
    struct Store: ServiceStore {
        unowned let process: DeliveryProcess
        let token: Int

        var reader: Void { () }
        var ownership: Ownership? { process.ownership(token) }

        func load() throws(StoreFailure) -> DeliveryState {
            try process.connect(token)
            var state = process.simulation.receivers.store.load(now: process.simulation.wall)
            if process.variant == .boardAtEachStart {
                for key in state.lanes.keys where key.board != nil { state.lanes[key]?.boardDigest = nil }
            }
            return state
        }

        func commit(_ writes: [DeliveryWrite]) throws(StoreFailure) {
            try process.committing(token, isEmpty: writes.isEmpty) { process.simulation.receivers.commit(writes) }
        }

        func setPaused(_ paused: Bool) {}
    }

    private enum Asked {
        case reader(StreamReader, UpdateFollower.Request)
        case lane(LaneKey, number: UInt64)
    }

    /// The time after which a request without an answer is given up, in virtual milliseconds.
    private static let timeout: Int64 = 2000
    /// The time after its begin for which a widget push counts, in the variant `pushCoversLaterChanges`.
    private static let covered: Int64 = 1000

    private var asked: [RequestID: Asked] = [:]
    private var isSubscribed = false
    private var results: [DeliveryInput] = []
    // The state of variants.
    private var firstCell: ContentDigest?
    private var reloadedAt: Int64?

    init(_ simulation: Simulation, number: Int) {
        super.init(simulation, service: .delivery, number: number, subscriptions: [.update, .notifierHeads])
    }

    override var servers: [SimulatedServer] { [simulation.receivers.store] }

    override func makeEngine() -> ServiceEngine {
        Engine(store: Store(process: self, token: takeOver()), pool: NoWorkers())
    }

    override func begin() {
        (asked, isSubscribed, results) = ([:], false, [])
        (firstCell, reloadedAt) = (nil, nil)
        super.begin()
    }

    override var setup: DeliverySetup {
        var limits = DeliveryLimits()
        limits.firstPause = .milliseconds(300)
        limits.longestPause = .seconds(5)
        limits.breakerPause = .milliseconds(500)
        limits.longestWait = .seconds(5)
        limits.queued = 3
        limits.history = 4
        return DeliverySetup(
            plan: DeliveryReceivers.plan,
            limits: limits,
            seed: simulation.settings.seed,
            isSubscribed: isSubscribed
        )
    }

    override func discarded() { asked = [:] }

    // MARK: In

    override func input(_ input: Input) -> DeliveryInput? {
        switch input {
        case .message(let message): return translate(message)
        case .bus(.ready):
            isSubscribed = true
            return .follow(.subscribed)
        case .bus(.resubscribed): return .follow(.resubscribed)
        case .bus(.answer(let id, let json, _)): return answered(id, json)
        case .bus(.requestFailed(let id, let error)): return failed(id, error)
        case .bus: return nil
        }
    }

    private func translate(_ message: Message) -> DeliveryInput? {
        switch message.body {
        case .update(let bytes): simulation.update(bytes).map { .follow(.update($0, json: bytes)) }
        case .notifierHeads: (message.heads?.data).map { .follow(.heads($0)) }
        default: nil
        }
    }

    private func answered(_ id: RequestID, _ json: Data) -> DeliveryInput? {
        do {
            let page = try WireJSON.decode(Answer<Records<Update>>.self, from: json).get()
            switch asked.removeValue(forKey: id) {
            case .reader(let reader, let request)?:
                if reader == .stream, case .snapshot(let after) = request.body {
                    simulation.receivers.takeSnapshot(page, begins: after == nil)
                }
                return .answered(reader, .answer(request, page))
            case .lane(let key, let number)?: return .replayed(key, number: number, page)
            case nil: return nil
            }
        } catch {
            return failed(id, error as? RequestError ?? RequestError(.failed, "\(error)"))
        }
    }

    private func failed(_ id: RequestID, _ error: RequestError) -> DeliveryInput? {
        switch asked.removeValue(forKey: id) {
        case .reader(let reader, let request)?:
            .answered(reader, .failed(request, isUnknown: error.code == .notFound))
        case .lane(let key, let number)?: .replayed(key, number: number, nil)
        case nil: nil
        }
    }

    /// Passes the result of an attempt to the engine, unless the process has ended since.
    private func finish(_ input: DeliveryInput, generation: Int) {
        guard self.generation == generation, isAlive else { return }
        then { [self] in decide([input]) }
    }

    /// Tells the engine that a destination has accepted a test.
    func test(_ name: DestinationName) { then { [self] in decide([.tested(name)]) } }

    // MARK: Out

    override func carryOut(_ effect: DeliveryEffect) {
        switch effect {
        case .request(let reader, let request):
            let body: SimulatedRequest =
                switch request.body {
                case .snapshot(let after): .updatesLast(nil, after: after)
                case .updates(let since): .updatesSince(since)
                case .cycles(let from): .updates(from: from)
                }
            if let id = self.request(.notifier, body, deadline: Self.timeout) { asked[id] = .reader(reader, request) }
        case .replay(let key, let number, let widget, let from):
            if let id = request(.notifier, .updates(from: [widget: from]), deadline: Self.timeout) {
                asked[id] = .lane(key, number: number)
            }
        case .send(let key, let attempt), .push(let key, let attempt, _): send(attempt, of: key)
        case .note(.restored): simulation.note("finds its store restored", self)
        case .answer, .answerDevice, .reads, .ready, .report, .note: break
        }
    }

    private func send(_ attempt: DeliveryAttempt, of key: LaneKey) {
        let (outcome, delay): (DeliveryOutcome, Int64) =
            isLeftOut(attempt, of: key) ? (.delivered, 1) : simulation.receivers.take(attempt, of: key)
        simulation.note("sends \(attempt.message) to \(key.destination): \(outcome)", self, key.widget)
        let input = DeliveryInput.sent(
            AttemptResult(key: key, message: attempt.message, attempt: attempt.number, outcome: outcome)
        )
        let generation = generation
        simulation.after(delay) { [weak self] in self?.finish(input, generation: generation) }
    }

    /// Returns whether a variant takes a message for delivered that it does not send.
    private func isLeftOut(_ attempt: DeliveryAttempt, of key: LaneKey) -> Bool {
        switch variant {
        case .boardOfFirstCell:
            guard key.board != nil, let cell = BoardJudge.change(in: attempt)?.cells.first?.digest else { return false }
            defer { firstCell = cell }
            return cell == firstCell
        case .widgetOfDeviceForgotten: return key.destination.isDevice && key.widget == SimulatedWorld.widget(4)
        case .pushCoversLaterChanges:
            guard DeliveryReceivers.plans[key.destination]?.sharesBudget == true else { return false }
            if let reloadedAt, simulation.now - reloadedAt < Self.covered { return true }
            reloadedAt = simulation.now
            return false
        default: return false
        }
    }
}
