// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// A command line that means nothing: what is wrong with it, and where help is.
public struct UsageError: Error, Equatable, CustomStringConvertible {
    /// The words before the options: `tidings send`.
    public var command: String
    public var problem: String

    public init(command: String, problem: String) {
        self.command = command
        self.problem = problem
    }

    public var description: String { "\(command): \(problem)\nTry '\(command) --help'." }
}
