// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// Why a source's bytes gave no content.
public struct ParsingError: Error, Hashable, Sendable {
    public enum Kind: String, Hashable, Sendable {
        /// There is no byte, or nothing but white space.
        case empty
        /// The bytes are something, but not what the widget's kind needs.
        case wrongFormat
        /// The document ends before its syntax does.
        case incomplete
        /// The document goes beyond a limit that protects the parser.
        case tooComplex
        /// The origin says in the document that it has no data, and why.
        case refused
        /// The origin says in the document that it was asked too often.
        case rateLimited
    }

    public var kind: Kind
    /// What was found, and what was expected.
    public var message: String
    /// The address that the bytes came from.
    public var documentURL: String
    /// Counted from 1, where known.
    public var line: Int?
    /// Counted from 1 in bytes, where known.
    public var column: Int?

    public init(kind: Kind, message: String, documentURL: String, line: Int? = nil, column: Int? = nil) {
        self.kind = kind
        self.message = message
        self.documentURL = documentURL
        self.line = line
        self.column = column
    }
}

extension ParsingError: CustomStringConvertible {
    public var description: String {
        var place = documentURL
        if let line {
            place += ":\(line)"
            if let column { place += ":\(column)" }
        }
        return "\(place): \(message)"
    }
}
