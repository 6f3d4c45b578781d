// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The exit status of a process, with the same meaning for all executables.
public enum ExitStatus: Int32, Sendable {
    /// The work is done, or the process was stopped and ended gracefully.
    case done = 0
    /// The work failed; the log says why.
    case failed = 1
    /// The command line, an environment variable or the configuration is invalid; nothing was started.
    case wrongUse = 2
    /// The process did not stop within the maximum time, or a second signal ended it immediately.
    case forced = 3
    /// The service's store cannot be used; the log says why. The next attempt may succeed.
    case store = 4
}
