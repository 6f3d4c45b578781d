// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Configuration
import EventStreams
import Foundation
import MessageBus
import ServiceEngine
import WidgetSchema

@testable import Delivery
@testable import Notifier

/// The store of the service delivery.
final class DeliveryMemory: SimulatedServer {
    var tables = DeliveryState()
    /// A Boolean value that indicates whether the tables were replaced by an older copy, and not loaded since.
    private var wasReplaced = false
    private var backups: [DeliveryState] = []

    init() {
        super.init(timeline: 0, row: StoreOwner())
        let (device, plan) = (DeliveryReceivers.device, DeliveryReceivers.devicePlan)
        tables.devices[device.id] = device
        tables.destinations[plan.name] = DestinationRecord(fingerprint: plan.fingerprint)
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
            return process.simulation.receivers.store.load(now: process.simulation.wall)
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

    private var asked: [RequestID: Asked] = [:]
    private var isSubscribed = false
    private var results: [DeliveryInput] = []

    init(_ simulation: Simulation, number: Int) {
        super.init(simulation, service: .delivery, number: number, subscriptions: [.update, .notifierHeads])
    }

    override var servers: [SimulatedServer] { [simulation.receivers.store] }

    override func makeEngine() -> ServiceEngine {
        Engine(store: Store(process: self, token: takeOver()), pool: NoWorkers())
    }

    override func begin() {
        (asked, isSubscribed, results) = ([:], false, [])
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
                if reader == .stream, case .snapshot(after: nil) = request.body {
                    simulation.receivers.judge.snapshotBegan(at: page.end)
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
        let (outcome, delay) = simulation.receivers.take(attempt, of: key)
        guard let outcome else { return }
        let input = DeliveryInput.sent(
            AttemptResult(key: key, message: attempt.message, attempt: attempt.number, outcome: outcome)
        )
        let generation = generation
        simulation.after(delay) { [weak self] in self?.finish(input, generation: generation) }
    }
}

/// The destinations of the simulation, which see messages, and say something about them.
final class DeliveryReceivers {
    static let plan: DeliveryPlan = {
        var plans: [DestinationName: DestinationPlan] = [:]
        for text in ["latest", "every", "visible", "spaced", "board"] {
            guard let name = DestinationName(rawValue: text) else { preconditionFailure("a valid name") }
            var plan = DestinationPlan(name: name, kind: "webhook", server: "https://\(text)", fingerprint: "1")
            plan.mode = text == "every" ? .every : .latest
            plan.sendsState = true
            if text != "visible" { plan.filter.results = Set(UpdateResult.allCases) }
            if text == "spaced" || text == "board" { plan.budget = budget }
            if text == "board" {
                plan.filter.widgets = []
                plan.filter.boards = [BoardJudge.board]
            }
            plans[name] = plan
        }
        var devices = DeliveryPlan.Devices()
        devices.budget = budget
        return DeliveryPlan(destinations: plans, devices: devices)
    }()

    private static let budget: TidingsConfiguration.Destination.Budget = {
        var budget = TidingsConfiguration.Destination.Budget(perDay: 10_000)
        budget.spacing = .milliseconds(300)
        return budget
    }()

    /// A device that has registered before the first start.
    static let device: Device = {
        guard let id = DeviceID(rawValue: "phone") else { preconditionFailure("a valid id") }
        let token = String(repeating: "ab", count: 32)
        let app = APNsRegistration(push: .background, token: token, bundle: "org.example.News")
        return Device(
            id: id,
            owner: "app",
            registration: DeviceRegistration(address: .apns(app)),
            registered: Instant(milliseconds: Simulation.someMidnight)
        )
    }()

    static let devicePlan = DestinationPlan(device, plan.devices)

    /// The time after the last cycle in which the messages of one destination arrive one after the other.
    static let settling: Int64 = 4000

    let store = DeliveryMemory()
    private(set) lazy var judge = DeliveryJudge(simulation)
    private(set) lazy var board = BoardJudge(simulation)
    let disasterDice: Dice
    private unowned let simulation: Simulation
    private let dice: Dice
    /// The last event that each destination saw of each widget.
    private var seen: [LaneKey: Event<Update>] = [:]
    private var bodies: [String: Data] = [:]
    private(set) var count = 0

    init(_ simulation: Simulation) {
        self.simulation = simulation
        dice = Dice(seed: simulation.settings.seed, stream: 14)
        disasterDice = Dice(seed: simulation.settings.seed, stream: 15)
    }

    func commit(_ writes: [DeliveryWrite]) {
        for case .position(let position?) in writes where store.tables.position?.epoch != position.epoch {
            judge.adopted(position)
        }
        store.write(writes)
    }

    /// Takes a message, and returns the outcome of the attempt with its delay; an outcome of nil never comes.
    func take(_ attempt: DeliveryAttempt, of key: LaneKey) -> (DeliveryOutcome?, Int64) {
        count += 1
        let id = "\(key.destination) \(attempt.message)"
        if let body = bodies[id], body != attempt.body {
            simulation.oracle.report("a message's id has two bodies", id)
        }
        bodies[id] = attempt.body
        let delay = dice.number(1...400)
        let choice = simulation.isChaotic ? dice.fraction() : 1
        if choice < 0.2, key.board != nil { board.acceptsRepetition() }
        if choice < 0.15 { return (.retry(after: nil, reason: "500", isServerFailure: true), delay) }
        if choice < 0.2 { return (.retry(after: .milliseconds(dice.number(1...2000)), reason: "429"), delay) }
        let budget = key.destination.isDevice ? Self.budget : Self.plan.destinations[key.destination]?.budget
        judge.mayHaveArrived(attempt, at: key, spacing: budget?.spacing)
        if choice < 0.3 { return (.unknown(reason: "no connection"), delay) }
        if !read(attempt, of: key) { simulation.oracle.report("a message cannot be read", id) }
        // It took the message, and does not say so.
        if choice < 0.4 { return (.unknown(reason: "closed"), delay) }
        return (.delivered, delay)
    }

    /// Keeps the state that a message has; returns false if it cannot be read.
    private func read(_ attempt: DeliveryAttempt, of key: LaneKey) -> Bool {
        if key.board != nil {
            guard let event = try? WireJSON.decode(Event<BoardChange>.self, from: attempt.body) else { return false }
            board.arrived(event.data, message: attempt.message)
        } else {
            guard let event = try? WireJSON.decode(Event<Update>.self, from: attempt.body) else { return false }
            seen[key] = event
            judge.arrived(event, attempt, at: key)
        }
        return true
    }

    /// Expects the last state of each widget at each destination, and that of the board.
    func judgeTheEnd() {
        board.judgeTheEnd()
        if !seen.keys.contains(where: { $0.destination == Self.devicePlan.name }) {
            simulation.oracle.report("a device got nothing", "\(Self.device.id)")
        }
        for name in Self.plan.destinations.values.filter({ $0.mode == .every }).map(\.name) {
            judge.judgeCoverage(of: name)
        }
        for plan in (Self.plan.destinations.values + [Self.devicePlan]).sorted(by: { $0.name < $1.name }) {
            let name = plan.name
            for (widget, updates) in simulation.notifierStore.tables.updates.sorted(by: { $0.key < $1.key }) {
                guard plan.follows(widget), let stored = updates.last, let last = simulation.update(stored.event),
                    let range = last.range
                else { continue }
                let key = LaneKey(destination: name, subject: .widget(widget))
                let wanted = last.data.result == .newData ? range.sequence : last.data.previousNewData
                guard let event = seen[key] else {
                    // The state of a removed widget is sent to nobody, and a device gets changes only.
                    if plan.sendsState, last.data.reason != .removed, wanted != nil {
                        simulation.oracle.report("a destination got nothing", widget, "\(name)")
                    }
                    continue
                }
                let isSame = event.data.displays.mapValues(\.digest) == last.data.displays.mapValues(\.digest)
                if isSame || (event.range?.sequence ?? .zero) >= (wanted ?? .zero) { continue }
                let numbers = "\(event.range?.description ?? "-") of \(range)"
                simulation.oracle.report("a destination has not the last state", widget, "\(name): \(numbers)")
            }
        }
    }
}

extension Simulation {
    /// Starts the service delivery, and its disasters.
    func beginDelivery() {
        spawn { DeliveryProcess(self, number: $0) }
        after(2000) { [self] in disturbDelivery() }
    }

    /// Kills, freezes or restores the service delivery, again and again.
    private func disturbDelivery() {
        guard isChaotic, let process = processes.last(where: { $0.service == .delivery }) else { return }
        let choice = receivers.disasterDice.fraction()
        if choice < 0.5 {
            process.crash(comesBackAfter: receivers.disasterDice.number(100...2000))
        } else if choice < 0.7 {
            process.freeze(for: receivers.disasterDice.number(100...4000))
        } else if choice < 0.85 {
            receivers.store.backUp()
        } else {
            process.crash(comesBackAfter: receivers.disasterDice.number(100...2000))
            if receivers.store.putBack() {
                note("the store of delivery is restored")
                receivers.board.acceptsRepetition()
            }
        }
        after(receivers.disasterDice.number(500...3000)) { [self] in disturbDelivery() }
    }
}
