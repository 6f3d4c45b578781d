// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// One positional argument of a command, after or between its options.
public struct Operand: Sendable, Equatable {
    /// How the help calls it: `WIDGET`.
    public var name: String
    public var help: String
    /// What it is one of; empty where it may be anything.
    ///
    /// For completion: parsing does not check it.
    public var choices: [String]
    public var isOptional: Bool
    /// Whether it takes all that follow; the last operand only.
    public var isRepeatable: Bool

    public init(
        _ name: String,
        choices: [String] = [],
        isOptional: Bool = false,
        isRepeatable: Bool = false,
        help: String
    ) {
        self.name = name
        self.choices = choices
        self.help = help
        self.isOptional = isOptional
        self.isRepeatable = isRepeatable
    }
}
