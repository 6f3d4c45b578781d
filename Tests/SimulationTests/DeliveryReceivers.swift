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
            if text == "spaced" || text == "board" || text == "visible" { plan.budget = budget }
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

    /// The devices that have registered before the first start: a push wakes the app of one for a widget, and reloads all
    /// widgets of the other.
    static let devices = [
        device("phone", .background), device("watch", .widgets, (0..<8).map(SimulatedWorld.widget)),
    ]

    /// The configured destinations and the devices.
    static let plans: [DestinationName: DestinationPlan] = {
        var plans = plan.destinations
        for device in devices {
            let ofDevice = DestinationPlan(device, plan.devices)
            plans[ofDevice.name] = ofDevice
        }
        return plans
    }()

    /// The time after the last cycle in which the messages of one destination arrive one after the other.
    static let settling: Int64 = 4000

    let store = DeliveryMemory()
    private(set) lazy var judge = DeliveryJudge(simulation)
    private(set) lazy var board = BoardJudge(simulation)
    let disasterDice: Dice
    private unowned let simulation: Simulation
    private let dice: Dice
    /// The last event that each destination saw of each widget; a device loads it.
    private var seen: [LaneKey: Event<Update>] = [:]
    /// The last event of each widget that a destination rejected.
    private var rejected: [LaneKey: Event<Update>] = [:]
    private var bodies: [String: Data] = [:]
    /// The destinations that a store that was put back did not know: nobody tells them what was removed.
    private var forgotten: Set<DestinationName> = []
    /// A Boolean value that indicates whether delivery has begun to follow the updates.
    private var hasBegun = false

    init(_ simulation: Simulation) {
        self.simulation = simulation
        dice = Dice(seed: simulation.settings.seed, stream: 14)
        disasterDice = Dice(seed: simulation.settings.seed, stream: 15)
    }

    /// Returns a device that follows some widgets, or all if `widgets` is nil.
    private static func device(_ name: String, _ push: APNsRegistration.Push, _ widgets: [WidgetID]? = nil) -> Device {
        guard let id = DeviceID(rawValue: name) else { preconditionFailure("a valid id") }
        // An address belongs to one device.
        let token = String(repeating: push == .widgets ? "cd" : "ab", count: 32)
        let app = APNsRegistration(push: push, token: token, bundle: "org.example.News")
        return Device(
            id: id,
            owner: "app",
            registration: DeviceRegistration(address: .apns(app), widgets: widgets),
            registered: Instant(milliseconds: Simulation.someMidnight)
        )
    }

    /// Takes a page of a snapshot from which delivery is going to follow the updates; `begins` is true for the first page.
    func takeSnapshot(_ page: Records<Update>, begins: Bool) {
        if begins { judge.snapshotBegan(at: page.end) }
        // Devices get changes only: they have loaded what was there before delivery followed the updates.
        guard !hasBegun else { return }
        for plan in Self.plans.values where plan.name.isDevice {
            for event in page.records { load(event, on: plan) }
        }
    }

    func storeIsPutBack() {
        judge.storeIsPutBack()
        board.storeIsPutBack()
        forgotten.formUnion(Self.plan.destinations.keys.filter { store.tables.destinations[$0] == nil })
    }

    func commit(_ writes: [DeliveryWrite]) {
        for case .position(let position?) in writes where store.tables.position?.epoch != position.epoch {
            judge.adopted(position)
            board.beginsEpoch()
            hasBegun = true
        }
        store.write(writes)
    }

    /// Takes a message, and returns the outcome of the attempt with its delay.
    func take(_ attempt: DeliveryAttempt, of key: LaneKey) -> (DeliveryOutcome, Int64) {
        let id = "\(key.destination) \(attempt.message)"
        if let body = bodies[id], body != attempt.body {
            simulation.oracle.report("a message's id has two bodies", id)
        }
        bodies[id] = attempt.body
        let delay = dice.number(1...400)
        guard let plan = Self.plans[key.destination], plan.follows(key.subject) else {
            let what = "a destination gets what it does not follow"
            simulation.oracle.report(what, key.widget, "\(key.destination): \(key.subject)")
            return (.delivered, delay)
        }
        let choice = simulation.isChaotic ? dice.fraction() : 1
        if choice < 0.21, key.board != nil { board.failed(attempt) }
        if choice < 0.15 { return (.retry(after: nil, reason: "500", isServerFailure: true), delay) }
        if choice < 0.2 { return (.retry(after: .milliseconds(dice.number(1...2000)), reason: "429"), delay) }
        if choice < 0.21, !key.destination.isDevice { return (.gone(reason: "410"), delay) }
        if choice < 0.23 {
            if !reject(attempt, of: key) { simulation.oracle.report("a message cannot be read", id) }
            return (.rejected(reason: "400"), delay)
        }
        judge.mayHaveArrived(attempt, at: key, of: plan)
        if choice < 0.25 { return (.unknown(reason: "no answer"), dice.number(1000...15_000)) }
        if choice < 0.3 { return (.unknown(reason: "no connection"), delay) }
        if !read(attempt, of: key, plan) { simulation.oracle.report("a message cannot be read", id) }
        // It took the message, and does not say so.
        if choice < 0.4 { return (.unknown(reason: "closed"), delay) }
        return (.delivered, delay)
    }

    /// Keeps the state that a message has; returns false if it cannot be read.
    private func read(_ attempt: DeliveryAttempt, of key: LaneKey, _ plan: DestinationPlan) -> Bool {
        if key.board != nil {
            guard let change = BoardJudge.change(in: attempt) else { return false }
            board.arrived(change, message: attempt.message)
        } else {
            guard let event = try? WireJSON.decode(Event<Update>.self, from: attempt.body) else { return false }
            seen[key] = event
            judge.arrived(event, attempt, at: key)
            if plan.name.isDevice { reload(plan.sharesBudget ? nil : key.widget, on: plan) }
        }
        return true
    }

    /// Notes that a destination will never have the state of a message; returns false if the message cannot be read.
    private func reject(_ attempt: DeliveryAttempt, of key: LaneKey) -> Bool {
        if key.board != nil {
            // Delivery does not send this state again.
            guard let change = BoardJudge.change(in: attempt) else { return false }
            board.arrived(change, message: attempt.message)
        } else {
            guard let event = try? WireJSON.decode(Event<Update>.self, from: attempt.body) else { return false }
            rejected[key] = event
            judge.rejected(event, at: key)
        }
        return true
    }

    /// Loads a widget on a device, or all of them if `widget` is nil, as the notifier has committed them.
    ///
    /// A push has no content. One that reloads all widgets counts for each of them whose change was committed before it.
    private func reload(_ widget: WidgetID?, on plan: DestinationPlan) {
        for (id, updates) in simulation.notifierStore.tables.updates where (widget ?? id) == id {
            if let stored = updates.last, let event = simulation.update(stored.event) { load(event, on: plan) }
        }
    }

    /// Notes that a device has seen an update, unless it has seen a newer one.
    ///
    /// An older update is one of a notifier's store that was put back; delivery cannot know that a device has loaded it.
    private func load(_ event: Event<Update>, on plan: DestinationPlan) {
        guard let widget = event.widget, plan.follows(widget) else { return }
        let key = LaneKey(destination: plan.name, subject: .widget(widget))
        guard (event.range?.sequence ?? .zero) >= (seen[key]?.range?.sequence ?? .zero) else { return }
        seen[key] = event
    }

    /// Expects the last state of each widget at each destination that follows it, and that of the board.
    func judgeTheEnd() {
        board.judgeTheEnd()
        for name in Self.plan.destinations.values.filter({ $0.mode == .every }).map(\.name) {
            judge.judgeCoverage(of: name)
        }
        for plan in Self.plans.values.sorted(by: { $0.name < $1.name }) {
            for (widget, updates) in simulation.notifierStore.tables.updates.sorted(by: { $0.key < $1.key })
            where plan.follows(widget) {
                if let stored = updates.last, let last = simulation.update(stored.event) {
                    judgeLast(last, of: widget, at: plan.name)
                }
            }
        }
    }

    /// Expects that a destination has seen a state of a widget that looks like the last one, or is not older than its last
    /// visible change.
    ///
    /// An older state that looks the same is right, because a change that was taken back is not sent. A newer one is right,
    /// because the notifier's store may have been put back.
    private func judgeLast(_ last: Event<Update>, of widget: WidgetID, at name: DestinationName) {
        guard let range = last.range, last.data.reason != .removed || !forgotten.contains(name) else { return }
        let wanted = last.data.result == .newData ? range.sequence : last.data.previousNewData
        let key = LaneKey(destination: name, subject: .widget(widget))
        if let event = rejected[key], (event.range?.sequence ?? .zero) >= (wanted ?? .zero) { return }
        guard let event = seen[key] else {
            // The state of a removed widget is sent to nobody.
            if last.data.reason != .removed, wanted != nil {
                simulation.oracle.report("a destination got nothing", widget, "\(name)")
            }
            return
        }
        // A display that a widget no longer has is no change; a removed widget has none.
        let isSame =
            last.data.reason == .removed
            ? event.data.reason == .removed
            : last.data.displays.allSatisfy { event.data.displays[$0]?.digest == $1.digest }
        if isSame || (event.range?.sequence ?? .zero) >= (wanted ?? .zero) { return }
        let numbers = "\(event.range?.description ?? "-") of \(range)"
        simulation.oracle.report("a destination has not the last state", widget, "\(name): \(numbers)")
    }
}

extension Simulation {
    /// Starts the service delivery, and its disasters.
    func beginDelivery() {
        spawn { DeliveryProcess(self, number: $0) }
        after(2000) { [self] in disturbDelivery() }
        after(500) { [self] in testGoneDestinations() }
    }

    /// Tests the destinations that said that they are gone, as a person does who has corrected them, again and again.
    private func testGoneDestinations() {
        let gone = receivers.store.tables.destinations.filter { $0.value.gone != nil }.keys.sorted()
        for case let process as DeliveryProcess in processes where process.isAlive {
            for name in gone { process.test(name) }
        }
        after(500) { [self] in testGoneDestinations() }
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
                receivers.storeIsPutBack()
            }
        }
        after(receivers.disasterDice.number(500...3000)) { [self] in disturbDelivery() }
    }
}
