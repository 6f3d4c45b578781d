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
    /// The offset at which the check stopped, in bytes from the start of the document.
    ///
    /// For the kind `invalid`, it is usually the offset of the first unexpected byte, or the end of the document if the
    /// document is truncated. For the kind `tooDeep`, it is the offset of the opening bracket of the object or array
    /// that is nested too deeply.
    package var offset: Int
    package var message: String
}
