// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Dispatch

/// What one thread waits for and another gives.
struct Signal: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    func signal() { semaphore.signal() }
    func wait() { semaphore.wait() }
}
