// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Configuration
import Synchronization

/// Tells everyone in a process that the configuration is to be read anew: SIGHUP came, or its file has changed.
///
/// Safe on any thread.
public final class ReloadSignal: Sendable {
    private let actions = Mutex<[@Sendable () -> Void]>([])

    public init() {}

    /// Runs `action` at each reload from now on, on the thread that says so; it only wakes somebody.
    public func onReload(_ action: @escaping @Sendable () -> Void) {
        actions.withLock { $0.append(action) }
    }

    public func reload() {
        for action in actions.withLock(\.self) { action() }
    }
}
