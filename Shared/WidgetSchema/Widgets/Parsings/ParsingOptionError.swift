// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// An error in an option of a parsing, described for the person who wrote the option.
public struct ParsingOptionError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The name of the option; nil if the error concerns several options, or if the name of the option is not known.
    public var option: String?
    public var message: String

    public init(option: String? = nil, _ message: String) {
        self.option = option
        self.message = message
    }

    public var description: String { (option.map { "\($0): " } ?? "") + message }

    /// Returns a copy of this error that names `option` as the invalid option.
    func naming(_ option: String) -> ParsingOptionError { ParsingOptionError(option: option, message) }
}
