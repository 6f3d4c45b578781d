// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import JSON

/// The reason why a source's bytes could not be parsed.
public struct ParsingError: Error, Hashable, Sendable {
    public enum Kind: String, Hashable, Sendable {
        /// The document is empty or contains only white space.
        case empty
        /// The document does not have a format that the widget's kind supports.
        case wrongFormat
        /// The document is truncated.
        case incomplete
        /// The document exceeds a limit that protects the parser.
        case tooComplex
        /// The document contains an error message of the origin instead of data.
        case refused
        /// The document contains an error message of the origin: the client sent too many requests.
        case rateLimited
    }

    public var kind: Kind
    /// A description of the problem, such as "the document is not a forecast; expected one of these members: …".
    public var message: String
    /// The line of the problem in the document, counted from 1; nil if it is unknown.
    public var line: Int?
    /// The column of the problem, counted from 1 in Unicode scalars; nil if it is unknown.
    public var column: Int?

    init(_ kind: Kind, _ message: String, at place: JSONPlace? = nil) {
        self.kind = kind
        self.message = message
        line = place?.line
        column = place?.column
    }

    /// Returns the place and the message: `NAME:LINE:COLUMN: MESSAGE`, without the parts that are empty or unknown.
    ///
    /// `name` is the address or the name of the document.
    public func text(name: String) -> String {
        let place = [name.isEmpty ? nil : name, line.map(String.init), column.map(String.init)].compactMap(\.self)
        return place.isEmpty ? message : "\(place.joined(separator: ":")): \(message)"
    }
}
