// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Configuration
import Synchronization

/// A signal to reload the configuration, after SIGHUP or a change of its file.
///
/// Safe on any thread.
public final class ReloadSignal: Sendable {
    private let actions = Mutex<[@Sendable () -> Void]>([])

    public init() {}

    /// Registers `action` for all future reloads.
    ///
    /// It runs on the thread that calls `reload` and must return at once.
    public func onReload(_ action: @escaping @Sendable () -> Void) {
        actions.withLock { $0.append(action) }
    }

    public func reload() {
        for action in actions.withLock(\.self) { action() }
    }
}
