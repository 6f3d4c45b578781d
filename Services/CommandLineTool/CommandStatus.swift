// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// What a command says with its exit status; the same for all commands.
enum CommandStatus: Int32, Sendable {
    /// The work is done; the answer, where there is one, is yes.
    case done = 0
    /// The answer is no: no such widget, not ready, refused, failed.
    case no = 1
    /// The command line, an environment variable or the configuration is wrong.
    case wrongUse = 2
    /// The bus, or the service that was asked, cannot be reached.
    case unreachable = 3
}
