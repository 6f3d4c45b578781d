// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// The text that a client sends to get the next page of a list: the id of the last widget on the current page.
enum Cursor {
    /// The pattern that all cursors match.
    ///
    /// The gateway accepts every text that matches the pattern, even if it never sent this text to a client.
    static let pattern = "^[a-z0-9][a-z0-9-]{0,62}$"

    static func text(_ widget: WidgetID) -> String { widget.rawValue }

    static func widget(_ text: String) -> WidgetID? { WidgetID(rawValue: text) }
}
