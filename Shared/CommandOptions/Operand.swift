// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// One positional argument of a command.
public struct Operand: Sendable, Equatable {
    /// The name in the help, such as `WIDGET`.
    public var name: String
    public var help: String
    /// The values that shell completion suggests; empty if there are no suggestions.
    ///
    /// The parser accepts other values too.
    public var choices: [String]
    public var isOptional: Bool
    /// A Boolean value that indicates whether the operand takes all remaining arguments; only allowed for the last
    /// operand.
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
