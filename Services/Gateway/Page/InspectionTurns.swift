// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Synchronization

/// Limits how many inspections run at a time.
final class InspectionTurns: Sendable {
    private let running = Mutex(0)

    /// Returns false if as many run as may.
    func take() -> Bool {
        running.withLock { running in
            guard running < InspectRoutes.maximumAtATime else { return false }
            running += 1
            return true
        }
    }

    func giveBack() { running.withLock { $0 -= 1 } }
}
