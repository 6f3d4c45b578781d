// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// An error in a command line; the description also tells the user how to show the help.
public struct UsageError: Error, Equatable, CustomStringConvertible {
    /// The words that name the command, such as `tidings send`.
    public var command: String
    public var problem: String

    public init(command: String, problem: String) {
        self.command = command
        self.problem = problem
    }

    public var description: String { "\(command): \(problem)\nTry '\(command) --help'." }
}
