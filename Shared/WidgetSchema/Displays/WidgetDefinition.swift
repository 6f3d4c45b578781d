// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// What a layout needs to know of a widget's configuration.
public struct WidgetDefinition: Codable, Hashable, Sendable {
    public var kind: WidgetKind
    public var rows: RowLimits
    /// Wins over the displays' time zone where set.
    public var timeZone: String?
    /// What the widget is called where it speaks of itself: "Open NAME at least once before using this widget".
    public var name: String?
    /// The quick actions of kind `documents`, in the order of reading; absent: none.
    public var actions: [QuickAction]?
    /// Wins edge by edge over the margins that the host proposes.
    public var insets: InsetsOverride?

    public init(
        kind: WidgetKind,
        rows: RowLimits = RowLimits(),
        timeZone: String? = nil,
        name: String? = nil,
        actions: [QuickAction]? = nil,
        insets: InsetsOverride? = nil
    ) {
        self.kind = kind
        self.rows = rows
        self.timeZone = timeZone
        self.name = name
        self.actions = actions
        self.insets = insets
    }
}

/// An icon over a caption that opens something of the app.
public struct QuickAction: Codable, Hashable, Sendable {
    public var title: String
    /// A symbol's name, `square.and.pencil`.
    public var icon: String
    /// An https link, or one of the app's own scheme.
    public var url: String

    public init(title: String, icon: String, url: String) {
        self.title = title
        self.icon = icon
        self.url = url
    }
}

/// Margins that a widget chooses itself, in points; an edge that is absent is left to the host.
public struct InsetsOverride: Codable, Hashable, Sendable {
    public var top: Double?
    public var leading: Double?
    public var bottom: Double?
    public var trailing: Double?

    public init(top: Double? = nil, leading: Double? = nil, bottom: Double? = nil, trailing: Double? = nil) {
        self.top = top
        self.leading = leading
        self.bottom = bottom
        self.trailing = trailing
    }

    /// The margins with these edges in place of the host's.
    public func applied(to insets: EdgeInsets) -> EdgeInsets {
        EdgeInsets(
            top: top ?? insets.top,
            leading: leading ?? insets.leading,
            bottom: bottom ?? insets.bottom,
            trailing: trailing ?? insets.trailing
        )
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
