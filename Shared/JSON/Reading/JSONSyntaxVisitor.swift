// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// A receiver of the parts of a document, in the document's order, while `JSONSyntaxCheck` checks them.
protocol JSONSyntaxVisitor {
    /// Visits a name or a value, or enters an object or an array.
    ///
    /// `range` contains offsets in the document: those of a number, and those of a string or name without its quotation
    /// marks. Other ranges are empty and begin at the first byte.
    mutating func visit(_ kind: JSONTape.Kind, _ range: Range<Int>, isEscaped: Bool)

    /// Leaves the innermost object or array.
    mutating func leave()
}

/// A visitor for checks that need only the syntax.
struct NoSyntaxVisitor: JSONSyntaxVisitor {
    func visit(_ kind: JSONTape.Kind, _ range: Range<Int>, isEscaped: Bool) {}
    func leave() {}
}
