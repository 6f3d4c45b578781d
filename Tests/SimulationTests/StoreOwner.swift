// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Locking
import MessageBus

@testable import Storage

/// The row of a store in memory that names its owner.
final class StoreOwner {
    private var state = OwnerState(token: 0, commits: 0, renewals: 0)
    /// The lease as the owner itself knows it; nil if no process owns the store.
    private(set) var lease: StoreLease?
    /// The timeline of the server on which the store was used last; nil for a store without a server.
    var place: String?
    /// The lock that a transaction holds; nil if the row is not locked.
    private(set) weak var holder: RowLock?
    private var waiting: [() -> Void] = []
    /// The last process that wrote with each token.
    private var writers: [Int64: String] = [:]

    var token: Int { Int(state.token) }

    /// The owner as a standby sees it; nil if there was none yet.
    var seen: OwnerState? { state.token == 0 ? nil : state }

    /// Returns a row with the same values.
    func copy() -> StoreOwner {
        let copy = StoreOwner()
        (copy.state, copy.lease, copy.place, copy.writers) = (state, lease, place, writers)
        return copy
    }

    var isLocked: Bool { holder != nil }

    /// Locks the row for a transaction; returns nil if another one has locked it.
    func lock() -> RowLock? {
        guard !isLocked else { return nil }
        let lock = RowLock(self)
        holder = lock
        return lock
    }

    /// Calls an action once, after the end of the transaction that has locked the row.
    func whenUnlocked(_ action: @escaping () -> Void) { waiting.append(action) }

    fileprivate func unlock() {
        holder = nil
        let actions = waiting
        waiting = []
        for action in actions { action() }
    }

    /// Ends the transaction that has locked the row.
    func endTransaction() { holder?.release() }

    /// Raises the token to the next one, which is at least `firstToken`.
    func takeOver(_ lease: StoreLease? = nil, firstToken: Int64 = 1) -> Int {
        state.token = max(state.token + 1, firstToken)
        self.lease = lease
        return token
    }

    /// Notes who writes with the current token; returns false if another process has written with it.
    func isOnlyWriter(_ process: String) -> Bool {
        writers.updateValue(process, forKey: state.token) ?? process == process
    }

    func commit(_ lease: StoreLease) {
        state.commits += 1
        self.lease = lease
    }

    /// Notes a renewal, of which a standby sees nothing if it `isHidden`.
    func renew(_ lease: StoreLease, isHidden: Bool) {
        if !isHidden { state.renewals += 1 }
        self.lease = lease
    }
}

/// The lock of an owner's row, which ends with its transaction or with the session.
final class RowLock {
    private let row: StoreOwner

    fileprivate init(_ row: StoreOwner) { self.row = row }

    var isHeld: Bool { row.holder === self }

    func release() { if isHeld { row.unlock() } }
}

/// The role of a process, which its client reads for each heartbeat.
final class CurrentRole: Sendable {
    private let role = Lock<InstanceRole?>(nil)

    var value: InstanceRole? { role.withLock(\.self) }

    func set(_ value: InstanceRole?) { role.withLock { $0 = value } }
}
