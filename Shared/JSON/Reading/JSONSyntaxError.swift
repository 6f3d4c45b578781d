// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The reason why bytes are not one JSON value, with the offset of the problem.
package struct JSONSyntaxError: Error, Hashable {
    package enum Kind: Hashable, Sendable {
        case invalid
        /// The value is nested more deeply than the maximum depth.
        case tooDeep
        /// The budget was exhausted before the end of the document.
        case budgetExhausted
    }

    package var kind = Kind.invalid
    /// The offset in the document at which the check stopped, in bytes.
    ///
    /// For `Kind.invalid`, usually the first unexpected byte, or the end of the document if the document is truncated.
    /// For `Kind.tooDeep`, the opening bracket of the object or array that is nested too deeply.
    package var offset: Int
    package var message: String
}
