// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Dispatch

/// Blocks the thread until the process ends.
func waitForever() {
    let never = DispatchSemaphore(value: 0)
    never.wait()
}
