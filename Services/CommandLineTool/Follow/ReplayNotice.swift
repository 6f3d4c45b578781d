// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Configuration
import ServiceRuntime

/// The message on standard error about failed requests for missing updates; it is printed once per series of failures.
struct ReplayNotice {
    private var isShown = false

    /// Prints the message with the error of a failed request, unless the previous request failed too.
    mutating func failed(_ failure: CommandFailure) {
        defer { isShown = true }
        guard !isShown else { return }
        Program.note("the missing updates cannot be requested now: \(failure); trying again …")
    }

    /// Records that a request was answered; when a later request fails, the message is printed again.
    mutating func answered() { isShown = false }
}
