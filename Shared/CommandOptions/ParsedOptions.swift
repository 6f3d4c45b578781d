// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The parsed options and operands of a command line.
public struct ParsedOptions: Sendable, Equatable {
    let command: String
    var options: [String: [String]] = [:]
    /// The positional arguments, in order.
    public internal(set) var operands: [String] = []

    /// A Boolean value that indicates whether `--help` was given.
    ///
    /// If so, the command shows its help and exits; the other options have no effect. The parser still throws an error
    /// for an invalid option, but does not check the number of operands.
    public var asksForHelp: Bool { has(Option.help.name) }
    /// A Boolean value that indicates whether `--version` was given.
    public var asksForVersion: Bool { has(Option.version.name) }

    /// Returns whether the option was given.
    public func has(_ name: String) -> Bool { options[name] != nil }

    /// Returns the value of an option, or the last value if the option was given several times; nil if the option was
    /// not given.
    ///
    /// A flag that was given has an empty text as its value.
    public func value(_ name: String) -> String? { options[name]?.last }

    /// Returns all values of a repeatable option, in the order of the command line; empty if the option was not given.
    public func values(_ name: String) -> [String] { options[name] ?? [] }

    /// Returns the value of an option as a whole number; nil if the option was not given.
    ///
    /// Throws if the value is not a whole number within `range`.
    public func integer(_ name: String, in range: ClosedRange<Int>) throws(UsageError) -> Int? {
        guard let text = value(name) else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw wrongUse(
                "option '--\(name)' needs a whole number from \(range.lowerBound) to \(range.upperBound), not '\(text)'"
            )
        }
        return number
    }

    /// Returns an error that names the command of these options.
    public func wrongUse(_ problem: String) -> UsageError { UsageError(command: command, problem: problem) }
}
