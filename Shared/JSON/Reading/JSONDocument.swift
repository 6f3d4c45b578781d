// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// A valid JSON document (RFC 8259).
///
/// A value is decoded when it is read. Values that are not read need no memory besides the bytes.
package final class JSONDocument: Sendable {
    /// The document in UTF-8.
    package let bytes: [UInt8]
    let budget: (any JSONReadingBudget)?

    /// Creates a document and checks its syntax.
    ///
    /// Throws if the bytes are not exactly one JSON value, or if the budget is exhausted during the check.
    package init(_ bytes: [UInt8], budget: (any JSONReadingBudget)? = nil) throws(JSONSyntaxError) {
        self.bytes = bytes
        self.budget = budget
        _ = try JSONSyntaxCheck.check(bytes, visitor: NoSyntaxVisitor(), budget: budget)
    }

    package var root: JSONValue { JSONValue(document: self, start: bytes.firstIndex { $0 > 32 } ?? 0) }

    /// Returns the line and column of a value; takes time proportional to the value's offset in the document.
    package func place(of value: JSONValue) -> JSONPlace { JSONPlace.of(value.start, in: bytes) }
}
