// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Synchronization

/// A limit on the number of concurrent inspections.
final class InspectionLimit: Sendable {
    private let running = Mutex(0)

    /// Starts an inspection; returns false if the maximum number is running.
    func take() -> Bool {
        running.withLock { running in
            guard running < InspectRoutes.maximumAtATime else { return false }
            running += 1
            return true
        }
    }

    func giveBack() { running.withLock { $0 -= 1 } }
}
