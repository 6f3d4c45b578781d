// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import CommandOptions
import Configuration

/// One word after `tidings`: what it understands, and what it does.
protocol Subcommand: Sendable {
    /// Options and operands; parsing and help are made from it. Its command is `tidings NAME`.
    static var table: OptionTable { get }

    /// Does the work on the calling thread, which is the main thread and may be blocked.
    ///
    /// Throws `CommandFailure`, `UsageError` or `ConfigurationErrors`.
    static func run(_ options: ParsedOptions, environment: [String: String]) throws -> CommandStatus
}

extension Subcommand {
    /// The word itself: `get`.
    static var name: String { String(table.command.dropFirst(Program.name.count + 1)) }

    static func wrongUse(_ problem: String) -> UsageError { UsageError(command: table.command, problem: problem) }
}
