// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The problem of a value in a document; ``JSONDocument/error(_:)`` determines its place.
struct JSONFault: Error {
    var value: JSONValue
    /// What was found and what was expected.
    var message: String
    var kind: ParsingError.Kind
}
