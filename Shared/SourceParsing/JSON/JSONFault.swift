// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import JSON

/// The problem of a value in a document; ``SourceDocument/error(_:)`` determines its place.
struct JSONFault: Error {
    var value: JSONValue
    /// A description of the found and the expected value.
    var message: String
    var kind: ParsingError.Kind
}
