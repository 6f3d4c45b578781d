// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import ServiceEngine
import Storage

extension EngineProcess {
    /// The time in milliseconds for which a transaction waits for the lock of the owner's row.
    private static var lockTimeout: Int64 { 5000 }
    /// The time after which a renewal that is due counts as late.
    private static var renewalTolerance: Duration { .milliseconds(100) }

    /// Simulates a transaction, statement by statement, with its possible results: the process dies before it, the
    /// store has another owner, the commit fails, or its result is unknown.
    ///
    /// The process may be suspended between any two statements, while the others go on. What it writes is visible to
    /// them after the commit. Without writes, the process only reads the owner, and renews its lease if that is due.
    func transact(_ token: Int, isEmpty: Bool, _ write: () -> Void) throws(StoreFailure) {
        if isGone || simulation.decidesToCrash(self) { throw .discard(SimulatedDeath()) }
        let isLeftAlone = isLeftAlone
        let begun = simulation.monotonic
        try connect(token)
        let pause = isEmpty ? nil : takePlannedPause().map { (statement: simulation.pickStatement(), length: $0) }
        try stall(before: .check, pause)
        defer { releaseLock() }
        let isRenewal = isEmpty && isRenewalDue
        judgeRenewal()
        if isRenewal { lease?.attempt(at: begun) }
        if !isEmpty || isRenewal { try checkOwner(token, holdsLock: !isEmpty) }
        if token != row?.token, variant != .withoutFencing { throw .takenOver(SimulatedTakeover()) }
        try stall(before: .writes, pause)
        try stall(before: .commit, pause)
        if !isEmpty { try checkSession() }
        if !isEmpty, try isCutOff(write) { return }
        if isLeftAlone, !isEmpty {
            simulation.oracle.report("a store that has just failed is written to", name)
        }
        let fails = simulation.isChaotic && simulation.faultDice.chance(simulation.faults.failedCommit)
        let isWritten = !fails || simulation.faultDice.chance(0.5)
        if isWritten {
            if !isEmpty { judgeWriter(token) }
            write()
            if !fails, !isEmpty || isRenewal { renewLease(isEmpty: isEmpty, begunAt: begun) }
        }
        guard fails else { return }
        simulation.note("a commit fails, and is \(isWritten ? "" : "not ")there", self)
        noteFailure()
        if let service { simulation.world.interleavePause(of: service) }
        throw .discard(SimulatedFailure())
    }

    // MARK: Statements

    /// Suspends the process before a statement of its transaction; the other processes go on.
    private func stall(
        before statement: Statement,
        _ pause: (statement: Statement, length: Int64)?
    ) throws(StoreFailure) {
        if let pause, pause.statement == statement {
            simulation.note("stops before the statement \(statement)", self)
            freeze(for: pause.length)
        }
        simulation.proceed { isGone || !isPaused }
        if isGone { throw .discard(SimulatedDeath()) }
    }

    /// Locks the owner's row until the end of the transaction, if this process is the owner.
    ///
    /// The statement changes the row with the token of this process; for another owner's row, it waits for nothing.
    private func checkOwner(_ token: Int, holdsLock: Bool) throws(StoreFailure) {
        guard let row, row.token == token, variant != .commitWithoutLock else { return }
        try waitWhileLocked(row)
        if holdsLock, row.token == token { lock = row.lock() }
    }

    private func waitWhileLocked(_ row: StoreOwner) throws(StoreFailure) {
        guard row.isLocked else { return }
        simulation.note("waits for the lock of the owner's row", self)
        let deadline = simulation.now + Self.lockTimeout
        simulation.at(deadline) {}
        simulation.proceed { isGone || !row.isLocked || simulation.now >= deadline }
        if isGone { throw .discard(SimulatedDeath()) }
        guard row.isLocked || isDisconnected else { return }
        noteFailure()
        throw .discard(SimulatedFailure())
    }

    /// Fails if the session has ended since the check of the owner, and its transaction with it.
    private func checkSession() throws(StoreFailure) {
        let isOpen = lock.map(\.isHeld) ?? [.commitWithoutLock, .withoutFencing].contains(variant)
        guard isDisconnected || !isOpen else { return }
        simulation.note("has lost its session within a transaction", self)
        loseConnection()
        noteFailure()
        throw .discard(SimulatedFailure())
    }

    func releaseLock() {
        lock?.release()
        lock = nil
    }

    // MARK: Results

    /// Writes to a server that acknowledges no commit: the write is visible there, and its result stays unknown.
    private func isCutOff(_ write: () -> Void) throws(StoreFailure) -> Bool {
        guard let server, server.condition == .cutOff else { return false }
        write()
        guard variant != .unacknowledgedCommits else {
            server.wronglyAcknowledged += 1
            return true
        }
        simulation.note("waits for an acknowledgement in vain", self)
        server.endConnections()
        noteFailure()
        throw .discard(SimulatedFailure())
    }

    private func judgeWriter(_ token: Int) {
        guard variant != .withoutFencing, let row else { return }
        if row.token != token { simulation.oracle.report("a process writes to a store that was taken over", name) }
        guard !row.isOnlyWriter("\(name).\(generation)") else { return }
        simulation.oracle.report("two processes write with one token", name)
    }

    /// Reports a renewal that comes late although nothing has hindered the owner.
    ///
    /// A missing renewal would rarely lead to anything else: other deadlines of the core usually come before the lease's end.
    private func judgeRenewal() {
        guard let lease, simulation.calm.isSettled else { return }
        let delay = simulation.monotonic - lease.renewalDue
        guard delay > Self.renewalTolerance else { return }
        simulation.oracle.report("a lease is renewed too late", "\(name) renews it \(delay) after it was due")
    }

    var isRenewalDue: Bool { lease.map { $0.renewalDue <= simulation.monotonic } ?? false }

    /// Records a commit or a renewal in the owner's row: both are signs of life.
    ///
    /// A server that is cut off accepts no renewal.
    private func renewLease(isEmpty: Bool, begunAt: ContinuousClock.Instant) {
        guard let row, server?.condition == .serving, var lease else { return }
        lease.renew(begunAt: begunAt)
        self.lease = lease
        if isEmpty {
            row.renew(lease, isHidden: variant == .withoutRenewals)
        } else {
            row.commit(lease)
        }
    }
}

/// The statements of a transaction, before which its process may be suspended.
enum Statement: CaseIterable {
    case check
    case writes
    case commit
}
