// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The problem with an option of a parsing.
public struct ParsingOptionError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The option's name; nil where one value is meant.
    public var option: String?
    public var message: String

    public init(option: String? = nil, _ message: String) {
        self.option = option
        self.message = message
    }

    public var description: String { (option.map { "\($0): " } ?? "") + message }

    /// The same, said of an option.
    func of(_ option: String) -> ParsingOptionError { ParsingOptionError(option: option, message) }
}
