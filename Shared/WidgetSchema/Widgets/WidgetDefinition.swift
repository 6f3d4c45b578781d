// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The part of a widget's configuration that a layout depends on.
public struct WidgetDefinition: Codable, Hashable, Sendable {
    public var kind: WidgetKind
    public var rows: RowLimits
    /// The name of the time zone, such as `Europe/Berlin`; nil for the time zone of the display.
    public var timeZone: String?
    /// The widget's name as users see it; nil if the configuration sets none.
    ///
    /// For example, a widget without content can show "Open NAME at least once before using this widget". If the value
    /// is nil, this text contains "the app" as NAME. A display that is too small for the content shows only the name.
    public var name: String?
    /// The name of the symbol in the title bar of panels, such as `house`; nil for the symbol of the kind.
    public var symbol: String?
    /// The quick actions of a widget of kind `documents`, in reading order; nil for none.
    public var actions: [QuickAction]?
    /// The margins that replace margins of the host; nil if no margin is replaced.
    ///
    /// The value may replace the margins of some edges only.
    public var insets: InsetsOverride?
    /// The URL that opens when a user taps outside all views that have an action; nil if such a tap does nothing.
    ///
    /// For kind `forecast`, each day has its own link: this URL with the query item `daysFromNow=N`. If the value is
    /// nil, the links of the days are made from ``ForecastLink/defaultBase``.
    public var link: String?
    /// A Boolean value that indicates whether displays should hide the widget while its content is empty; nil means false.
    public var hideWhenEmpty: Bool?
    /// The format of dates; nil for ``DateStyle/medium``.
    public var dateStyle: DateStyle?
    /// The number of facts that are shown at once (kind `keyValue`): one or all; nil for ``ShownPairs/one``.
    public var show: ShownPairs?
    /// A Boolean value that indicates whether accessory families and summaries show the number of items instead of their
    /// texts; nil means false.
    ///
    /// Accessory families are visible while the device is locked, and summaries may be part of notifications.
    public var `private`: Bool?

    public init(
        kind: WidgetKind,
        rows: RowLimits = RowLimits(),
        timeZone: String? = nil,
        name: String? = nil,
        symbol: String? = nil,
        actions: [QuickAction]? = nil,
        insets: InsetsOverride? = nil,
        link: String? = nil,
        hideWhenEmpty: Bool? = nil,
        dateStyle: DateStyle? = nil,
        show: ShownPairs? = nil,
        private: Bool? = nil
    ) {
        self.kind = kind
        self.rows = rows
        self.timeZone = timeZone
        self.name = name
        self.symbol = symbol
        self.actions = actions
        self.insets = insets
        self.link = link
        self.hideWhenEmpty = hideWhenEmpty
        self.dateStyle = dateStyle
        self.show = show
        self.private = `private`
    }
}

/// The format of a date, with the names of `DateFormatter.Style`.
public enum DateStyle: String, Codable, CaseIterable, Sendable {
    /// The short date of the locale, in figures: `11/21/26`, or `21.11.26`.
    case short
    /// A date with the abbreviated month: `Nov 21, 2026`.
    case medium
}

/// The number of pairs of a key and a value that a widget of kind `keyValue` shows at a time.
public enum ShownPairs: String, Codable, CaseIterable, Sendable {
    /// One pair at a time.
    case one
    /// All pairs in a table; displays without enough space for a table show one pair at a time.
    case all
}

/// A button of a widget of kind `documents`, with an icon and a caption.
///
/// A tap on the button opens a web page or an app.
public struct QuickAction: Codable, Hashable, Sendable {
    public var title: String
    /// The name of a symbol, such as `square.and.pencil`.
    public var icon: String
    /// The link that a tap opens: an http or https address, or a link with the scheme of an app, such as `myapp://new`.
    public var url: String

    public init(title: String, icon: String, url: String) {
        self.title = title
        self.icon = icon
        self.url = url
    }
}

/// The margins that the configuration of a widget sets, in points; for an edge whose value is nil, the host's margin
/// applies.
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
}

/// The maximum numbers of rows that a list shows: one for the collapsed list, and one for the expanded list.
public struct RowLimits: Codable, Hashable, Sendable {
    public static let defaultCollapsed = 3
    public static let defaultExpanded = 6

    /// The limit in compact mode; in family `todayClassic`, the limit before the user chooses "Show more".
    public var collapsed: Int
    public var expanded: Int

    public init(collapsed: Int = defaultCollapsed, expanded: Int = defaultExpanded) {
        self.collapsed = collapsed
        self.expanded = expanded
    }
}
