// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import ServiceRuntime

@main
struct Main {
    /// Runs the command; not `async`, because commands block the main thread, and in `up` and `demo` it must never enter `dispatchMain` (see
    /// `ServiceProcess`).
    static func main() {
        // If the reader is gone, the next write fails and ends the command quietly.
        signal(SIGPIPE, SIG_IGN)
        let process = ProcessInfo.processInfo
        let status = Program.run(Array(process.arguments.dropFirst()), environment: process.environment)
        exit(status.rawValue)
    }
}
