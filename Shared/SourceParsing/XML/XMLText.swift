// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// A piece of text in a document.
struct XMLText {
    let range: Range<Int>
    /// A Boolean value that indicates whether every byte is literal, as in a CDATA section.
    let isLiteral: Bool
}
