// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Configuration
import EventStreams
import Foundation
import TestSupport
import Testing
import WidgetSchema

@testable import Delivery

/// Random runs: kills, restores, new epochs and destinations that answer anything, and what must hold nevertheless.
@Suite struct RandomDeliveryTests {
    private static let widgets = ["news", "blog", "wire"]

    private static func outcome(_ dice: inout SeededGenerator) -> DeliveryOutcome? {
        switch Int.random(in: 0..<10, using: &dice) {
        case 0 where dice.chance(30): .gone(reason: "410")
        case 0: nil
        case 1: .retry(after: .seconds(Int64.random(in: 0...300, using: &dice)), reason: "429")
        case 2, 3: .retry(after: nil, reason: "500", isServerFailure: true)
        case 4: .unknown(reason: "no answer")
        default: .delivered
        }
    }

    @Test(arguments: TestExtent.of(0..<20, nightly: 0..<1_000))
    func nothingIsLostNothingIsOutOfOrderAndNoIdHasTwoBodies(_ seed: Int) throws {
        var dice = SeededGenerator(seed: UInt64(seed))
        var world = DeliveryWorld([
            try .sample("latest"), try .sample("changing"), try .sample("every") { $0.mode = .every },
            try .sample("budget") { plan in
                plan.budget = .init(perDay: 5)
                plan.budget?.spacing = .seconds(120)
            },
        ])
        let changing = try destination("changing")
        world.notifier.kept = 8
        for name in Self.widgets { try world.publish(name, "0") }
        world.plan.devices.acceptsApple = true
        world.plan.devices.budget = .init(perDay: 5)
        world.plan.devices.budget.spacing = .seconds(120)
        try world.start()
        let registration = DeviceRegistration(address: .apns(PushSamples.apns()))
        let phone = try #require(DeviceID(rawValue: "phone"))
        let request = DeviceRequest(device: phone, owner: "owner", registration: registration)
        try world.run(.deviceRequested(1, request))
        /// The messages that destinations accepted or may have accepted.
        var accepted: [DeliveryWorld.Arrival] = []
        var (epochs, restores) = (0, 0)
        var backup = world.state
        for step in 1...150 {
            var outcomes: [DeliveryOutcome?] = (0..<32).map { _ in Self.outcome(&dice) }
            world.outcome = { attempt, _ in
                let outcome = outcomes.isEmpty ? .delivered : outcomes.removeLast()
                // A device that is gone is removed.
                if case .gone = outcome, attempt.destination.isDevice { return .delivered }
                return outcome
            }
            switch Int.random(in: 0..<20, using: &dice) {
            case 0...9:
                let name = Self.widgets[Int.random(in: 0..<Self.widgets.count, using: &dice)]
                let isChange = dice.chance(80)
                let texts = world.notifier.events.filter { $0.subject == name }.compactMap(\.data.summary)
                // A change may take back the one before it.
                let changed = dice.chance(20) ? texts.last { $0 != texts.last } : "\(step)"
                let text = (isChange ? changed : texts.last) ?? "0"
                try world.publish(
                    name,
                    text,
                    result: isChange ? .newData : .noData,
                    reason: isChange ? .visibleChange : .sameRows
                )
            case 10...15: try world.pass(.seconds(Int64.random(in: 1...900, using: &dice)))
            case 16:
                world.kill()
                if dice.chance(30) { world.plan.destinations[changing]?.mode.toggle() }
                if dice.chance(50) { try world.publish(Self.widgets[0], "\(step)") }
                if dice.chance(20) {
                    restores += 1
                    world.state = backup
                    world.state.restore(at: world.wall)
                } else if dice.chance(50) {
                    backup = world.state
                }
                try world.start()
            case 17:
                world.isNotifierUp.toggle()
                if world.isNotifierUp { try world.run(.follow(.resubscribed)) }
            case 18 where epochs < 2:
                epochs += 1
                world.notifier.beginEpoch()
                try world.run(.follow(.heads(world.notifier.heads)))
            case 18:
                world.plan.destinations[changing]?.mode.toggle()
                try world.run(.configure(world.plan))
            case 19 where dice.chance(50):
                for name in world.plan.destinations.keys.sorted() { try world.run(.tested(name)) }
            default: try world.setClock(by: .seconds(Int64.random(in: -40_000...40_000, using: &dice)))
            }
            accepted += world.arrivals
            world.clearArrivals()
            try judgeIndex(world, seed: seed)
        }
        // Good times: the notifier answers, and destinations accept.
        world.outcome = { _, _ in .delivered }
        world.isNotifierUp = true
        world.kill()
        try world.start()
        for name in world.plan.destinations.keys.sorted() { try world.run(.tested(name)) }
        for _ in 0..<60 {
            try world.run(.follow(.heads(world.notifier.heads)))
            try world.pass(.seconds(3_600))
        }
        accepted += world.arrivals
        try judgeIndex(world, seed: seed)
        let waiting = world.core?.index.waiting.filter(\.destination.isDevice) ?? []
        #expect(waiting.isEmpty, "seed \(seed): the device lacks \(waiting)")
        try judge(accepted, world, keepsAll: epochs == 0 && restores == 0, seed: seed)
        if restores == 0 { judgeBudget(accepted, seed: seed) }
    }

    /// Expects that the messages that may have arrived are within the budget of their widget, or that of the device.
    private func judgeBudget(_ arrivals: [DeliveryWorld.Arrival], seed: Int) {
        let own = arrivals.filter {
            $0.mayHaveArrived && ($0.device != nil || $0.key.destination.rawValue == "budget")
        }
        for (owner, messages) in Dictionary(grouping: own, by: { $0.device?.id.rawValue ?? "\($0.key.subject)" }) {
            let times = messages.map(\.elapsed)
            for (earlier, later) in zip(times, times.dropFirst()) {
                #expect(later - earlier >= 120_000, "seed \(seed): two messages of \(owner) are too close")
            }
            for (earlier, later) in zip(times, times.dropFirst(5)) {
                #expect(later - earlier >= 86_400_000, "seed \(seed): \(owner) has more than 5 messages in a day")
            }
        }
    }

    /// Expects that the index of the lanes and the sums of the report are what a recount returns.
    private func judgeIndex(_ world: DeliveryWorld, seed: Int) throws {
        let core = try #require(world.core)
        let (index, lanes) = (core.index, core.lanes)
        #expect(index.waiting == Set(lanes.filter(\.value.isWaiting).keys), "seed \(seed)")
        #expect(index.failing == Set(lanes.filter { $0.value.record.failingSince != nil }.keys), "seed \(seed)")
        for name in core.destinations.keys {
            #expect(index[name] == lanes.keys.filter { $0.destination == name }.sorted(), "seed \(seed)")
            let count = lanes.keys.count { $0.destination.isDevice == name.isDevice }
            #expect(index.count(alongside: name) == count, "seed \(seed)")
        }
        var ledgers: [(ledger: BudgetLedger, plan: DestinationPlan)] = []
        for (name, destination) in core.destinations {
            let own = lanes.filter { $0.key.destination == name }.map(\.value.record.ledger)
            let isShared = destination.plan.sharesBudget
            let counted = isShared ? [destination.record.ledger ?? BudgetLedger()] : own
            ledgers += counted.map { (ledger: $0, plan: destination.plan) }
        }
        let shares = ledgers.map { $0.ledger.share(of: $0.plan.budget, restored: core.restored, now: world.wall) }
        #expect(index.spent == shares.map(\.spent).reduce(0, +), "seed \(seed)")
        #expect(index.left == shares.map(\.left).reduce(0, +), "seed \(seed)")
    }

    private func judge(
        _ arrivals: [DeliveryWorld.Arrival],
        _ world: DeliveryWorld,
        keepsAll: Bool,
        seed: Int
    ) throws {
        let bodies = Dictionary(grouping: arrivals, by: { "\($0.key.destination) \($0.attempt.message)" })
        #expect(bodies.values.allSatisfy { Set($0.map(\.attempt.body)).count == 1 }, "seed \(seed)")
        for name in Self.widgets {
            let own = world.notifier.events.filter { $0.subject == name }
            let last = try #require(own.last?.data.summary)
            for destination in ["latest", "changing", "every", "budget"] {
                let seen = try arrivals.filter {
                    $0.key.destination.rawValue == destination && $0.key.subject.description == "widget/\(name)"
                }.map { try $0.update() }
                if last != "0" {
                    let problem: Comment = "seed \(seed): \(destination) has not the last state of \(name)"
                    #expect(seen.last?.data.summary == last, problem)
                }
                let sequences = seen.compactMap { $0.range?.sequence }
                #expect(sequences == sequences.sorted(), "seed \(seed): \(destination) went back in \(name)")
                guard destination == "every", keepsAll else { continue }
                let covered = Set(seen.compactMap(\.range).flatMap { $0.first.number...$0.sequence.number })
                for event in own where event.data.result == .newData && event.data.summary != "0" {
                    let number = try #require(event.range?.sequence.number)
                    #expect(covered.contains(number), "seed \(seed): \(name) lacks \(number)")
                }
            }
        }
    }
}

extension DeliveryWorld.Arrival {
    /// A Boolean value that indicates whether the message may have arrived; certain failures cost nothing.
    fileprivate var mayHaveArrived: Bool {
        switch outcome {
        case .delivered, .unknown, nil: true
        case .retry, .rejected, .gone: false
        }
    }
}

extension TidingsConfiguration.Destination.Mode {
    fileprivate mutating func toggle() { self = self == .every ? .latest : .every }
}
