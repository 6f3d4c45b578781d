// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// The position at the end of a list's page, as an opaque text for the client.
enum Cursor {
    /// The pattern of valid cursors, even if no page contained them.
    static let pattern = "^[a-z0-9][a-z0-9-]{0,62}$"

    static func text(_ widget: WidgetID) -> String { widget.rawValue }

    static func widget(_ text: String) -> WidgetID? { WidgetID(rawValue: text) }
}
