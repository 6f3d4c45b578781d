// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Configuration
import Foundation
import WidgetSchema

@testable import Delivery
@testable import Notifier

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
