// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import CommandOptions
import Configuration

/// A subcommand of `tidings`: its options and its action.
protocol Subcommand: Sendable {
    /// The options and operands of the subcommand, for the parser and the help.
    ///
    /// The property `command` of the table must be `tidings NAME`; `NAME` is the word that selects the subcommand.
    static var table: OptionTable { get }

    /// Runs the subcommand on the calling thread, which is the main thread and may be blocked.
    ///
    /// Throws `CommandFailure`, `UsageError` or `ConfigurationErrors`.
    static func run(_ options: ParsedOptions, environment: [String: String]) throws -> CommandStatus
}

extension Subcommand {
    /// The word that selects the subcommand, such as `get`.
    static var name: String { String(table.command.dropFirst(Program.name.count + 1)) }

    static func wrongUse(_ problem: String) -> UsageError { UsageError(command: table.command, problem: problem) }
}
