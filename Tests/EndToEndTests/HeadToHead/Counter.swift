// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Locking

/// Counts from 1, on any thread.
final class Counter: Sendable {
    private let count = Lock(0)

    func next() -> Int {
        count.withLock { count in
            count += 1
            return count
        }
    }

    var value: Int { count.withLock(\.self) }
}
