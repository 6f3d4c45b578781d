// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import MessageBus
import Storage
import Synchronization
import WidgetSchema

/// The row of a store in memory that names its owner.
final class StoreOwner {
    private var state = OwnerState(token: 0, commits: 0, renewals: 0)
    /// The lease as the owner itself knows it; nil if no process owns the store.
    private(set) var lease: StoreLease?

    var token: Int { Int(state.token) }

    /// The owner as a standby sees it; nil if there was none yet.
    var seen: OwnerState? { state.token == 0 ? nil : state }

    func takeOver(_ lease: StoreLease? = nil) -> Int {
        state.token += 1
        self.lease = lease
        return token
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

/// The role of a process, which its client reads for each heartbeat.
final class CurrentRole: Sendable {
    private let role = Mutex<InstanceRole?>(nil)

    var value: InstanceRole? { role.withLock(\.self) }

    func set(_ value: InstanceRole?) { role.withLock { $0 = value } }
}
