// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import EventStreams
import WidgetSchema

@testable import Notifier

/// The judge of the time after the chaos: each cycle is laid out by one instance, and has its verdict in time although
/// one layout instance or one bus stands still.
final class CalmJudge {
    /// The time in milliseconds after a disturbance, or after a sleep, in which services find each other again.
    private static let settling: Int64 = 10_000
    private static let settlingAfterSleep: Int64 = 3500
    /// The time after the chaos until the last late message of an instance that no longer exists is outdated.
    private static let settlingAfterChaos = Faults.longestDelay + LayoutInstances.timeout.wholeMilliseconds
    /// The time in milliseconds after which the cache has climbed above the last wrong number of the chaos: the longest delay
    /// of a message, a lost request, and the wait before the next one.
    private static let healing =
        Faults.longestDelay
        + (CycleConfirmation.headTolerance + CycleConfirmation.answerTimeout + CycleConfirmation.repeatInterval)
        .wholeMilliseconds + settlingAfterSleep
    /// The time before the end for which a cycle is not judged.
    private static let end: Int64 = 1500
    /// The time of the disturbance after the end of the chaos, and its duration.
    static let disturbance: Int64 = 9000
    static let disturbanceLasts: Int64 = 8000
    /// The time of the disturbance in which a cycle is judged.
    private static let disturbedCycles: Int64 = 2000
    /// The maximum time from a cycle to its verdict.
    private static let verdictDelay: Int64 = 6000

    private struct Cycle: Hashable {
        let widget: WidgetID
        let sequence: SequenceNumber
    }

    private unowned let simulation: Simulation
    private var calmAt: Int64?
    private var wokeAt: Int64?
    private var disturbedAt: Int64?
    private var committed: [Cycle: Int64] = [:]
    private var instances: [Cycle: Set<Int>] = [:]
    private var notified: [WidgetID: SequenceNumber] = [:]
    /// Widgets of which a cycle waited for its content in vain, so that it came by a replay.
    private var excused: Set<WidgetID> = []

    init(_ simulation: Simulation) { self.simulation = simulation }

    // MARK: The times

    func chaosEnds() { calmAt = simulation.now }

    func sleepEnds() { wokeAt = simulation.now }

    /// A Boolean value that indicates whether messages that were sent before a sleep may still arrive.
    var hasJustWoken: Bool { wokeAt.map { simulation.now - $0 < Self.settlingAfterSleep } ?? false }

    func disturbs() { disturbedAt = simulation.now }

    /// A Boolean value that indicates whether all services know each other.
    var isSettled: Bool {
        guard let calmAt, simulation.now - calmAt >= Self.settlingAfterChaos, isHealed else { return false }
        if wokeAt != nil { return !hasJustWoken }
        guard let disturbedAt else { return true }
        return simulation.now - disturbedAt >= Self.disturbanceLasts + Self.settling
    }

    /// A Boolean value that indicates whether no wrong number hides the next cycles of a widget.
    private var isHealed: Bool {
        !simulation.hasForgeries || calmAt.map { simulation.now - $0 >= Self.healing } ?? false
    }

    // MARK: Cycles

    func cacheCommits(_ sequence: SequenceNumber, of widget: WidgetID) {
        if isSettled { committed[Cycle(widget: widget, sequence: sequence)] = simulation.now }
        guard let disturbedAt, simulation.now - disturbedAt <= Self.disturbedCycles else { return }
        simulation.after(Self.verdictDelay) { [self] in
            guard notified[widget] ?? .zero < sequence else { return }
            simulation.oracle.report("a verdict comes too late", widget, "\(sequence)")
        }
    }

    func notifierCommits(_ sequence: SequenceNumber, of widget: WidgetID) {
        notified[widget] = max(notified[widget] ?? .zero, sequence)
    }

    /// Records the live message of a layout instance with the newest engine.
    func laysOut(_ sequence: SequenceNumber, of widget: WidgetID, process: Int) {
        instances[Cycle(widget: widget, sequence: sequence), default: []].insert(process)
    }

    func excuse(_ widget: WidgetID) { excused.insert(widget) }

    func judgeTheEnd() {
        for (cycle, at) in committed.sorted(by: {
            ($0.value, $0.key.widget, $0.key.sequence) < ($1.value, $1.key.widget, $1.key.sequence)
        })
        where simulation.now - at > Self.end && !excused.contains(cycle.widget) {
            let count = instances[cycle]?.count ?? 0
            guard count != 1 else { continue }
            let what = count == 0 ? "no current layout instance lays a cycle out" : "two instances lay a cycle out"
            simulation.oracle.report(what, cycle.widget, "\(cycle.sequence), committed at \(at)")
            return
        }
    }
}
