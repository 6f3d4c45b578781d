// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// A receiver of the parts of a document, in the document's order, while `JSONSyntaxCheck` checks them.
///
/// Ranges are offsets in the document. The ranges of strings and names do not include the quotation marks.
protocol JSONSyntaxVisitor {
    mutating func visitName(_ range: Range<Int>, isEscaped: Bool)
    mutating func visitString(_ range: Range<Int>, isEscaped: Bool)
    mutating func visitNumber(_ range: Range<Int>)
    /// Visits `true`, `false` or `null`, whose first byte is at `start`.
    mutating func visitLiteral(at start: Int)
    mutating func enterObject(at start: Int)
    mutating func enterArray(at start: Int)
    /// Leaves the innermost object or array.
    mutating func leave()
}

/// A visitor for checks that need only the syntax.
struct NoSyntaxVisitor: JSONSyntaxVisitor {
    func visitName(_ range: Range<Int>, isEscaped: Bool) {}
    func visitString(_ range: Range<Int>, isEscaped: Bool) {}
    func visitNumber(_ range: Range<Int>) {}
    func visitLiteral(at start: Int) {}
    func enterObject(at start: Int) {}
    func enterArray(at start: Int) {}
    func leave() {}
}
