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
            try .sample("latest"), try .sample("every") { $0.mode = .every },
            try .sample("budget") { plan in
                plan.budget = .init(perDay: 5)
                plan.budget?.spacing = .seconds(120)
            },
        ])
        world.notifier.kept = 8
        for name in Self.widgets { try world.publish(name, "0") }
        try world.start()
        /// The messages that destinations accepted or may have accepted.
        var accepted: [DeliveryWorld.Arrival] = []
        var (epochs, restores) = (0, 0)
        var backup = world.state
        for step in 1...150 {
            var outcomes: [DeliveryOutcome?] = (0..<32).map { _ in Self.outcome(&dice) }
            world.outcome = { _, _ in outcomes.isEmpty ? .delivered : outcomes.removeLast() }
            switch Int.random(in: 0..<20, using: &dice) {
            case 0...9:
                let name = Self.widgets[Int.random(in: 0..<Self.widgets.count, using: &dice)]
                let isChange = dice.chance(80)
                let text = isChange ? "\(step)" : world.notifier.events.last { $0.subject == name }?.data.summary ?? "0"
                try world.publish(
                    name,
                    text,
                    result: isChange ? .newData : .noData,
                    reason: isChange ? .visibleChange : .sameRows
                )
            case 10...15: try world.pass(.seconds(Int64.random(in: 1...900, using: &dice)))
            case 16:
                world.kill()
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
            default: try world.setClock(by: .seconds(Int64.random(in: -40_000...40_000, using: &dice)))
            }
            accepted += world.arrivals
            world.clearArrivals()
        }
        // Good times: the notifier answers, and destinations accept.
        world.outcome = { _, _ in .delivered }
        world.isNotifierUp = true
        world.kill()
        try world.start()
        for _ in 0..<60 {
            try world.run(.follow(.heads(world.notifier.heads)))
            try world.pass(.seconds(3_600))
        }
        accepted += world.arrivals
        try judge(accepted, world, keepsAll: epochs == 0 && restores == 0, seed: seed)
        if restores == 0 { judgeBudget(accepted, seed: seed) }
    }

    /// Expects that the messages of the destination with a budget that may have arrived are within it.
    private func judgeBudget(_ arrivals: [DeliveryWorld.Arrival], seed: Int) {
        let own = arrivals.filter { $0.key.destination.rawValue == "budget" && $0.mayHaveArrived }
        for (key, messages) in Dictionary(grouping: own, by: \.key) {
            let times = messages.map(\.elapsed)
            for (earlier, later) in zip(times, times.dropFirst()) {
                #expect(later - earlier >= 120_000, "seed \(seed): two messages of \(key.subject) are too close")
            }
            for (earlier, later) in zip(times, times.dropFirst(5)) {
                #expect(later - earlier >= 86_400_000, "seed \(seed): \(key.subject) has more than 5 messages in a day")
            }
        }
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
            for destination in ["latest", "every", "budget"] {
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
