// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The part of a widget's configuration that layouts depend on.
public struct WidgetDefinition: Codable, Hashable, Sendable {
    public var kind: WidgetKind
    public var rows: RowLimits
    /// Wins over the displays' time zone where set.
    public var timeZone: String?
    /// The name of the widget in its own texts, such as "Open NAME at least once before using this widget".
    public var name: String?
    /// The quick actions of kind `documents`, in the order of reading; absent: none.
    public var actions: [QuickAction]?
    /// Wins edge by edge over the margins that the host proposes.
    public var insets: InsetsOverride?
    /// The URL that a tap outside the rows opens; of kind `forecast` also the base of the days' links.
    public var link: String?
    /// Hides the widget while its content is empty.
    public var hideWhenEmpty: Bool?
    /// The form of dates; nil: ``DateStyle/medium``.
    public var dateStyle: DateStyle?
    /// The number of facts that displays with room show (kind `keyValue`); nil: ``ShownPairs/one``.
    public var show: ShownPairs?

    public init(
        kind: WidgetKind,
        rows: RowLimits = RowLimits(),
        timeZone: String? = nil,
        name: String? = nil,
        actions: [QuickAction]? = nil,
        insets: InsetsOverride? = nil,
        link: String? = nil,
        hideWhenEmpty: Bool? = nil,
        dateStyle: DateStyle? = nil,
        show: ShownPairs? = nil
    ) {
        self.kind = kind
        self.rows = rows
        self.timeZone = timeZone
        self.name = name
        self.actions = actions
        self.insets = insets
        self.link = link
        self.hideWhenEmpty = hideWhenEmpty
        self.dateStyle = dateStyle
        self.show = show
    }
}

/// The form of a date, as `DateFormatter.Style` names it.
public enum DateStyle: String, Codable, CaseIterable, Sendable {
    /// In figures: `11/21/2026`.
    case short
    /// With the month's short name: `Nov 21, 2026`.
    case medium
}

/// The number of facts that a widget of kind `keyValue` shows.
public enum ShownPairs: String, Codable, CaseIterable, Sendable {
    /// One at a time.
    case one
    /// A table of all facts on displays with room for it.
    case all
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

/// The maximum number of rows that a list shows.
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
