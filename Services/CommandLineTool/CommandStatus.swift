// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The exit status of a command, with the same meaning for all commands.
enum CommandStatus: Int32, Sendable {
    /// The command succeeded.
    ///
    /// For a command that asks a question, such as `tidings health`, this means yes.
    case done = 0
    /// The command asked a question and the answer is no, or the command failed because something was not found, not
    /// ready or rejected.
    case no = 1
    /// The command line, an environment variable or the configuration is invalid.
    case wrongUse = 2
    /// The bus or the requested service is unreachable.
    case unreachable = 3
}
