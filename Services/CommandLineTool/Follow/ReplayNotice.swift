// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Configuration
import ServiceRuntime

/// A note on standard error that missing updates cannot be requested now, printed once per series of failed requests.
struct ReplayNotice {
    private var isShown = false

    /// Prints the note with the error of a failed request, unless the request before it failed too.
    mutating func failed(_ failure: CommandFailure) {
        defer { isShown = true }
        guard !isShown else { return }
        StandardStream.error.write(
            "\(Program.name): the missing updates cannot be requested now: \(failure); trying again …\n"
        )
    }

    /// Notes that a request was answered: if a later request fails, the note is printed again.
    mutating func answered() { isShown = false }
}
