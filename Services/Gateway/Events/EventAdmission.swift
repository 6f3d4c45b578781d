// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Locking

/// A limit on the number of readers.
final class EventAdmission: Sendable {
    private let readers = Lock(0)
    private let maximum: Int

    init(maximum: Int) { self.maximum = maximum }

    /// Admits a reader; returns false if the limit is reached.
    func admit() -> Bool {
        readers.withLock { readers in
            guard readers < maximum else { return false }
            readers += 1
            return true
        }
    }

    func release() { readers.withLock { $0 -= 1 } }
}
