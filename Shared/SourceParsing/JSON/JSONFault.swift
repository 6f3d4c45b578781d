// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// What is wrong with a value of a document; ``JSONDocument/error(_:)`` finds out where that is.
struct JSONFault: Error {
    var value: JSONValue
    /// What was found, and what was expected.
    var message: String
    var kind: ParsingError.Kind
}
