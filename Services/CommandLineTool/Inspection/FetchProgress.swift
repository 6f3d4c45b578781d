// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Glibc
import Locking
import ServiceRuntime

/// A line on standard error that shows how many sources have been checked.
///
/// The line is shown only if standard error is a terminal.
final class FetchProgress: Sendable {
    private let total: Int
    private let done = Lock(0)
    private let isShown: Bool
    private static let width = 40

    init(total: Int) {
        self.total = total
        isShown = isatty(STDERR_FILENO) == 1
        if isShown, total > 0 { show(0) }
    }

    /// Writes `line`, the result of one source, to standard output, and updates the progress line on standard error.
    func finish(one line: String) throws {
        if isShown { StandardStream.error.write("\r" + String(repeating: " ", count: Self.width) + "\r") }
        try StandardOutput.write(line + "\n")
        let number = done.withLock { done in
            done += 1
            return done
        }
        if isShown, number < total { show(number) }
    }

    private func show(_ number: Int) { StandardStream.error.write("\r\(number) of \(total) sources asked …") }
}
