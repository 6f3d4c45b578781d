// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import ServiceEngine

/// The state of the variants that break a rule of the engine.
struct EngineRules {
    /// A Boolean value that indicates whether the engine's core has not been started yet.
    var needsStart = true
    /// The writes of the last batch, which the variant `publishBeforeCommit` commits with the next one.
    var lateWrite: (() -> Void)?
    /// A Boolean value that indicates whether a commit of the current batch failed, and the engine does not know.
    var hidesFailure = false
    /// The end of the pause that the variant `withoutReload` makes in place of the engine.
    var heldUntil: Int64?
}

/// The variants that break a rule of the engine, and the judgement of its batches.
extension EngineProcess {
    /// Commits a batch, or breaks the rule of the engine that the variant names.
    func committing(_ token: Int, isEmpty: Bool, _ write: @escaping () -> Void) throws(StoreFailure) {
        switch variant {
        case .unfencedAnswers where isEmpty && !isRenewalDue: return
        case .publishBeforeCommit:
            let late = rules.lateWrite
            rules.lateWrite = isEmpty ? nil : write
            try transact(token, isEmpty: late == nil) { late?() }
        case .effectsOfFailedBatch, .withoutReload:
            do throws(StoreFailure) {
                try transact(token, isEmpty: isEmpty, write)
            } catch {
                guard case .discard(let reason) = error, !(reason is SimulatedDeath) else { throw error }
                // The engine takes the failed commit for a success: it keeps the core, and returns the effects.
                rules.hidesFailure = true
            }
        default: try transact(token, isEmpty: isEmpty, write)
        }
    }

    /// Returns the time of a batch; the variant `writesWhilePaused` is one pause ahead of the engine's pause.
    func batchReading(_ isPaused: Bool) -> ClockReading {
        guard isPaused, variant == .writesWhilePaused else { return reading }
        return ClockReading(wall: reading.wall, monotonic: reading.monotonic + .milliseconds(Self.storePause))
    }

    /// Returns the effects of a batch that are performed: none of the core's start, or of a batch that failed.
    func effectsToPerform(_ effects: [Core.Effect]) -> [Core.Effect] {
        defer { (rules.needsStart, rules.hidesFailure) = (false, false) }
        if rules.hidesFailure, variant == .withoutReload {
            rules.heldUntil = simulation.now + Self.storePause
            then { [self] in discarded() }
            return []
        }
        return rules.needsStart && variant == .withoutStart ? [] : effects
    }

    var needsConfirmation: Bool {
        variant != .withoutTrustLimit && engine?.needsConfirmation(now: simulation.monotonic) ?? false
    }

    /// Reports a process that takes the store for its own although another process has taken it over.
    ///
    /// Does not judge a process that was suspended during the check: the store's answer may be stale.
    func judgeConfirmation() {
        guard isFenced, variant != .withoutFencing, simulation.now == batchStart else { return }
        simulation.oracle.report("an owner acts after the end of its lease", name)
    }

    /// Reports effects that were decided after another process had taken over the store.
    ///
    /// Does not judge a process that was suspended within the batch, and whose lease has ended: the store's answer may
    /// be stale. `perform` asks the store again before the first effect.
    func judgeFence(_ effects: Int) {
        guard effects > 0, isFenced, variant != .withoutFencing else { return }
        if waits, simulation.now > batchStart, needsConfirmation { return }
        simulation.oracle.report("a process that was taken over goes on", "\(name) has \(effects) effects")
    }
}
