// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Configuration
import WidgetSchema

@testable import Delivery
@testable import Notifier

/// Judges the messages of destinations: their order, their coverage, their number after a restore, and their distance.
final class DeliveryJudge {
    private struct Last {
        var epoch: StreamEpoch
        var sequence: SequenceNumber
        /// The number of times that the store of delivery had been put back before.
        var restores: Int
    }

    private unowned let simulation: Simulation
    /// The position at which the last snapshot began.
    private var snapshot: StreamOffset?
    /// The position at which the snapshot in use began; nil before the first one.
    private var start: StreamOffset?
    /// The first position that was stored after this snapshot.
    private var adopted: StreamOffset?
    /// The ids of the messages about what the snapshot contained.
    private var states: [LaneKey: Set<String>] = [:]
    /// The last message of each destination and widget.
    private var last: [LaneKey: Last] = [:]
    private var restores = 0
    private var covered: [LaneKey: [SequenceRange]] = [:]
    /// The time of the last attempt that may have arrived, by the budget that it counts in.
    private var attempts: [LedgerPlace: Instant] = [:]

    init(_ simulation: Simulation) { self.simulation = simulation }

    func snapshotBegan(at position: StreamOffset?) { snapshot = position }

    func storeIsPutBack() { restores += 1 }

    /// Notes that delivery has adopted a snapshot: after its first start, a new epoch or a restore.
    func adopted(_ position: StreamOffset) {
        adopted = position
        start = snapshot?.epoch == position.epoch ? snapshot : nil
        states = [:]
    }

    func mayHaveArrived(_ attempt: DeliveryAttempt, at key: LaneKey, of plan: DestinationPlan) {
        guard let spacing = plan.budget?.spacing else { return }
        let place: LedgerPlace = plan.sharesBudget ? .destination(plan.name) : .lane(key)
        if let earlier = attempts[place], attempt.time.milliseconds(since: earlier) < spacing.wholeMilliseconds {
            simulation.oracle.report("two messages are too close", key.widget, "\(key.destination): \(attempt.message)")
        }
        attempts[place] = attempt.time
    }

    func arrived(_ event: Event<Update>, _ attempt: DeliveryAttempt, at key: LaneKey) {
        guard let range = event.range, let offset = event.offset else {
            return simulation.oracle.report("a message has no position", key.widget, attempt.message)
        }
        let name = "\(key.destination)"
        // Updates that both stores lost cannot be ordered: that of delivery was put back, and the notifier began another epoch.
        let isKnown = last[key]?.restores == restores || simulation.notifierStore.end.epoch == offset.epoch
        if let earlier = last[key], earlier.epoch == offset.epoch, range.sequence < earlier.sequence, isKnown {
            simulation.oracle.report(
                "a destination went back",
                key.widget,
                "\(name): \(range) after \(earlier.sequence)"
            )
        }
        last[key] = Last(epoch: offset.epoch, sequence: range.sequence, restores: restores)
        covered[key, default: []].append(range)
        guard let start, offset.epoch == start.epoch, offset.number <= start.number else { return }
        states[key, default: []].insert(attempt.message)
        if (states[key]?.count ?? 0) > 1 {
            simulation.oracle.report("a snapshot is more than one message", key.widget, "\(name): \(range)")
        }
    }

    /// Notes a message that a destination will never take.
    func rejected(_ event: Event<Update>, at key: LaneKey) {
        if let range = event.range { covered[key, default: []].append(range) }
    }

    /// Expects that each update that came after the last snapshot has reached a destination, or is in a range that has.
    func judgeCoverage(of name: DestinationName) {
        let tables = simulation.notifierStore.tables
        guard let adopted, simulation.notifierStore.end.epoch == adopted.epoch else { return }
        for (widget, updates) in tables.updates.sorted(by: { $0.key < $1.key }) {
            let ranges = covered[LaneKey(destination: name, subject: .widget(widget))] ?? []
            for update in updates where update.offset > adopted.number {
                let number = update.range.sequence
                if ranges.contains(where: { $0.first <= number && number <= $0.sequence }) { continue }
                simulation.oracle.report("an update reached a destination never", widget, "\(name): \(number)")
            }
        }
    }
}
