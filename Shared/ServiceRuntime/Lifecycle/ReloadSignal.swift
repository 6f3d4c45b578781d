// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Locking

/// A signal that tells a service to reload its configuration, triggered by SIGHUP or by a change of the configuration
/// file.
///
/// All methods may be called on any thread.
public final class ReloadSignal: Sendable {
    private let actions = Lock<[@Sendable () -> Void]>([])

    public init() {}

    /// Registers `action` for all future reloads.
    ///
    /// The action runs on the thread that calls `reload`, and must return at once.
    public func onReload(_ action: @escaping @Sendable () -> Void) {
        actions.withLock { $0.append(action) }
    }

    public func reload() {
        for action in actions.withLock(\.self) { action() }
    }
}
