// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// What a layout needs to know of a widget's configuration.
public struct WidgetDefinition: Codable, Hashable, Sendable {
    public var kind: WidgetKind
    public var rows: RowLimits
    /// Wins over the displays' time zone where set.
    public var timeZone: String?

    public init(kind: WidgetKind, rows: RowLimits = RowLimits(), timeZone: String? = nil) {
        self.kind = kind
        self.rows = rows
        self.timeZone = timeZone
    }
}

/// How many rows a list shows at most.
public struct RowLimits: Codable, Hashable, Sendable {
    public static let defaultCollapsed = 3
    public static let defaultExpanded = 6

    /// In compact mode, and in family `todayClassic` before "Show more".
    public var collapsed: Int
    public var expanded: Int

    public init(collapsed: Int = defaultCollapsed, expanded: Int = defaultExpanded) {
        self.collapsed = collapsed
        self.expanded = expanded
    }
}
