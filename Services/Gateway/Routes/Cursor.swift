// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// Where a page of a list ends, as a text that clients only give back.
enum Cursor {
    /// The cursors that are understood, whether a page gave them or not.
    static let pattern = "^[a-z0-9][a-z0-9-]{0,62}$"

    static func text(_ widget: WidgetID) -> String { widget.rawValue }

    static func widget(_ text: String) -> WidgetID? { WidgetID(rawValue: text) }
}
