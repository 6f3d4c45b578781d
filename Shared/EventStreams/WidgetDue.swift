// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

public import WidgetSchema

/// An entry of a queue: a widget, and the earliest time at which something is due for it.
///
/// Entries with the same time are ordered by the widget's id.
public struct WidgetDue: Comparable, Sendable {
    public var at: Instant
    public var widget: WidgetID

    public init(at: Instant, widget: WidgetID) {
        self.at = at
        self.widget = widget
    }

    public static func < (left: WidgetDue, right: WidgetDue) -> Bool {
        left.at == right.at ? left.widget < right.widget : left.at < right.at
    }
}
