// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation

@main
struct Main {
    /// Runs the command.
    ///
    /// This function is not `async`, because commands block the main thread. In `up` and `demo`, the main thread must
    /// never enter `dispatchMain` (see `ServiceProcess`).
    static func main() {
        // SIGPIPE is ignored: if the reader of a pipe is gone, the next write fails and ends the command silently.
        signal(SIGPIPE, SIG_IGN)
        let process = ProcessInfo.processInfo
        let status = Program.run(Array(process.arguments.dropFirst()), environment: process.environment)
        exit(status.rawValue)
    }
}
