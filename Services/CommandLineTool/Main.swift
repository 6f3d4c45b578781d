// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import ServiceRuntime

@main
struct Main {
    /// Not `async`: commands block the main thread, and `up` and `demo` need it as it is (see `ServiceProcess`).
    static func main() {
        // A reader that went away is seen by the write that fails, and ends a command quietly.
        signal(SIGPIPE, SIG_IGN)
        let process = ProcessInfo.processInfo
        let status = Program.run(Array(process.arguments.dropFirst()), environment: process.environment)
        exit(status.rawValue)
    }
}
