// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Configuration

/// The exit status of a process; the same for all executables.
public enum ExitStatus: Int32, Sendable {
    /// The work is done, or the process was asked to stop and did so in order.
    case done = 0
    /// The work failed; the log says why.
    case failed = 1
    /// The command line, an environment variable or the configuration is wrong; nothing was started.
    case wrongUse = 2
    /// Asked to stop, the process did not within its deadline, or was told a second time to end at once.
    case notInOrder = 3
}
