// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// The position after a page of a list, as an opaque text that the client sends to get the next page.
enum Cursor {
    /// The pattern that all cursors match.
    ///
    /// A text that matches it is accepted, even if no page contained it.
    static let pattern = "^[a-z0-9][a-z0-9-]{0,62}$"

    static func text(_ widget: WidgetID) -> String { widget.rawValue }

    static func widget(_ text: String) -> WidgetID? { WidgetID(rawValue: text) }
}
