// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Glibc
import ServiceRuntime

/// The properties of standard output: its width, and whether it supports colours.
struct Terminal: Sendable {
    /// The number of columns that is assumed if the width of the terminal is unknown.
    static let standardColumns = 80

    var columns: Int
    var style: TextStyle

    /// Returns the properties of this process's standard output.
    ///
    /// If the width is unknown, as that of a file or a pipe, it is the value of the variable `COLUMNS`, or else
    /// `standardColumns`.
    ///
    /// Colours are used if standard output is a terminal, `TERM` is not `dumb`, and `NO_COLOR` (https://no-color.org)
    /// is empty or not set.
    static func ofOutput(environment: [String: String]) -> Terminal {
        let assumed = environment["COLUMNS"].flatMap(Int.init).flatMap { $0 > 0 ? $0 : nil } ?? standardColumns
        guard isatty(STDOUT_FILENO) == 1 else { return Terminal(columns: assumed, style: .plain) }
        let refusesColor = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
        var size = winsize()
        let isKnown = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
        return Terminal(
            columns: isKnown ? Int(size.ws_col) : assumed,
            style: refusesColor || environment["TERM"] == "dumb" ? .plain : .colored
        )
    }

    /// Calls `body` on a separate thread when the reader of standard output has closed the pipe.
    ///
    /// Without this call, `tidings subscribe | head -1` would not end before the next message arrives.
    static func onOutputClosed(_ body: @escaping @Sendable () -> Void) {
        ServiceThread.start(named: "output") {
            var descriptor = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
            while poll(&descriptor, 1, -1) < 0 && errno == EINTR {}
            body()
        }
    }
}
