// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import MessageBus
import ServiceEngine
import WidgetSchema

/// A service in the simulation: the product's engine and core, with a store that may fail.
///
/// Like the product's thread, it passes a batch to the engine and performs the effects; the process may die or pause
/// before each of them.
class EngineProcess<Core: ServiceCore, Store: ServiceStore, Pool: Workers>: SimulatedProcess
where Store.State == Core.State, Store.Write == Core.Write, Pool.Work == Core.Work, Pool.Done == Core.Done {
    typealias ServiceEngine = Engine<Core, Store, Pool>

    private var engine: ServiceEngine?
    /// The time of the last failed commit.
    private var failedAt: Int64?

    /// The time in milliseconds for which a store must not be written to after a failed commit.
    private static var storePause: Int64 { 1000 }

    var variant: Variant? { simulation.settings.variant }

    // MARK: The parts of a service

    /// Creates the engine of a new process.
    func makeEngine() -> ServiceEngine { preconditionFailure("each service makes its engine") }
    var setup: Core.Setup { preconditionFailure("each service has a setup") }
    func input(_ input: Input) -> Core.Input? { nil }
    func carryOut(_ effect: Core.Effect) {}
    func refuse(_ input: Core.Input) {}
    func discarded() {}
    /// A Boolean value that indicates whether another process owns the store.
    var isFenced: Bool { false }

    // MARK: The loop

    override func begin() {
        engine = makeEngine()
        failedAt = nil
    }

    override func end() { engine = nil }

    override var deadline: Int64? { engine?.nextWake(after: simulation.reading).map(simulation.virtual) }

    override func decide(_ inputs: [Input]) { decide(inputs.compactMap(input)) }

    func decide(_ inputs: [Core.Input]) {
        guard var engine = engine.take() else { return }
        let failures = engine.failedCommits
        let outcome: BatchOutcome<Core.Input, Core.Effect>
        do {
            outcome = try engine.process(inputs, setup: setup, now: simulation.reading)
        } catch {
            simulation.note("finds that another took over", self)
            isLeaving =
                isLeaving || simulation.processes.contains { $0 !== self && $0.service == service && $0.isAlive }
            return crash()
        }
        if engine.pauseReason is SimulatedDeath { return crash() }
        let isNew = engine.failedCommits > failures
        self.engine = engine
        switch outcome {
        case .perform(let effects):
            judgeFence(effects.count)
            for effect in effects { then { [self] in carryOut(effect) } }
        case .paused(let effects, let refused):
            judgeFence(effects.count)
            for effect in effects { then { [self] in carryOut(effect) } }
            for input in refused { then { [self] in refuse(input) } }
            if isNew { then { [self] in discarded() } }
        }
    }

    /// Reports effects that were decided after another process had taken over the store.
    private func judgeFence(_ effects: Int) {
        guard effects > 0, isFenced, variant != .withoutFencing else { return }
        simulation.oracle.report("a process that was taken over goes on", "\(name) has \(effects) effects")
    }

    // MARK: Commits

    /// Simulates the possible results of a commit: the process dies before it, the store has another owner, the commit
    /// fails, or its result is unknown.
    func committing(_ isFenced: Bool, isEmpty: Bool, _ write: () -> Void) throws(StoreFailure) {
        if simulation.decidesToCrash(self) { throw .discard(SimulatedDeath()) }
        if isFenced, variant != .withoutFencing { throw .takenOver(SimulatedTakeover()) }
        let isLeftAlone = failedAt.map { simulation.now - $0 < Self.storePause } ?? false
        if isLeftAlone, !isEmpty {
            simulation.oracle.report("a store that has just failed is written to", name)
        }
        let fails = simulation.isChaotic && simulation.faultDice.chance(simulation.faults.failedCommit)
        let isWritten = !fails || simulation.faultDice.chance(0.5)
        if isWritten { write() }
        guard fails else { return }
        simulation.note("a commit fails, and is \(isWritten ? "" : "not ")there", self)
        if !isLeftAlone { failedAt = simulation.now }
        throw .discard(SimulatedFailure())
    }
}

/// The process dies in the middle of a batch.
struct SimulatedDeath: Error {}
/// Another process has taken over the store.
struct SimulatedTakeover: Error {}
/// The commit fails, or its result is unknown.
struct SimulatedFailure: Error {}
