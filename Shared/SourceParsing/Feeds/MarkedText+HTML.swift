// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

extension MarkedText {
    /// The text as HTML: as found, or with every character that means something there escaped.
    public var html: String {
        switch markup {
        case .html: text
        case .plain: PlainText.escaped(text)
        }
    }
}
