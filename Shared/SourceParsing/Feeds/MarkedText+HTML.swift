// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

extension MarkedText {
    /// The text as HTML: unchanged if it is HTML, or else with all special characters escaped.
    public var html: String {
        switch markup {
        case .html: text
        case .plain: PlainText.escaped(text)
        }
    }
}
