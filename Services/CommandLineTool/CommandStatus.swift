// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The exit status of a command, with the same meaning for all commands.
enum CommandStatus: Int32, Sendable {
    /// The command succeeded.
    ///
    /// If it asks a question, the answer is yes.
    case done = 0
    /// The answer is no, or the command failed: not found, not ready or rejected.
    case no = 1
    /// The command line, an environment variable or the configuration is invalid.
    case wrongUse = 2
    /// The bus or the requested service is unreachable.
    case unreachable = 3
}
