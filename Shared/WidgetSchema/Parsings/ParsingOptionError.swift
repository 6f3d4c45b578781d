// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// An error in an option of a parsing, described for the person who wrote the option.
public struct ParsingOptionError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The option's name; nil if it is not known where the error is found, or if the error concerns several options.
    public var option: String?
    public var message: String

    public init(option: String? = nil, _ message: String) {
        self.option = option
        self.message = message
    }

    public var description: String { (option.map { "\($0): " } ?? "") + message }

    /// Returns the same error for a named option.
    func of(_ option: String) -> ParsingOptionError { ParsingOptionError(option: option, message) }
}
