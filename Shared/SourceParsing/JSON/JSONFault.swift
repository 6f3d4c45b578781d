// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import JSON

/// A problem with a value in a document; ``SourceDocument/error(_:)`` determines the place of the value.
struct JSONFault: Error {
    var value: JSONValue
    /// A description of the problem, such as "the value is a number; an array was expected".
    var message: String
    var kind: ParsingError.Kind
}
