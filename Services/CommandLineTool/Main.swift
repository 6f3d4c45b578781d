// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Glibc

@main
struct Main {
    /// Runs the command.
    ///
    /// This function is not `async`, because commands block the main thread. In `up` and `demo`, the main thread must
    /// never enter `dispatchMain` (see `ServiceProcess`).
    static func main() {
        reserveStandardStreams()
        // SIGPIPE is ignored: if the reader of a pipe is gone, the next write fails and ends the command silently.
        signal(SIGPIPE, SIG_IGN)
        let process = ProcessInfo.processInfo
        let status = Program.run(Array(process.arguments.dropFirst()), environment: process.environment)
        exit(status.rawValue)
    }

    /// Opens `/dev/null` for each standard stream that is closed, so that no other file gets its descriptor.
    ///
    /// Reads of standard input and writes to the other streams still fail with `EBADF`.
    private static func reserveStandardStreams() {
        for stream in STDIN_FILENO...STDERR_FILENO where fcntl(stream, F_GETFD) < 0 {
            // `open` returns the lowest free descriptor.
            _ = open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }
}
