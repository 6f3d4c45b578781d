// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// A named rendering environment: a host or a panel, with the properties that affect a layout.
///
/// A display in the configuration with the name `NAME` becomes two displays if its family has a compact and an expanded
/// mode: `NAME-compact` and `NAME-expanded`.
public struct Display: Codable, Hashable, Sendable {
    public enum Family: String, Codable, CaseIterable, Sendable {
        /// Today widgets of iOS 10 and later, which have a compact and an expanded mode.
        ///
        /// They have no footer with "Show more" or "Show less", because the host switches the mode.
        case today
        /// Today widgets of iOS 8 and 9: one display with the widget's own "Show more" and "Show less".
        case todayClassic
        case systemSmall
        case systemMedium
        case systemLarge
        case systemExtraLarge
        /// The space next to the clock on the lock screen.
        case accessoryRectangular
        /// The line above the clock on the lock screen.
        case accessoryInline
        case accessoryCircular
        /// A panel of any width and height, such as a dashboard or electronic paper.
        case panel

        /// A Boolean value that indicates whether the family has a compact and an expanded mode, each with a display of
        /// its own.
        public var hasModes: Bool { self == .today }

        /// A Boolean value that indicates whether the host fixes the height of widgets to ``Display/maximumHeight``.
        public var isFixed: Bool { self != .today && self != .todayClassic }

        /// A Boolean value that indicates whether the family is for the lock screen, which has little space.
        public var isAccessory: Bool {
            self == .accessoryRectangular || self == .accessoryInline || self == .accessoryCircular
        }

        /// The appearance of displays whose configuration sets none: dark on the hosts of iOS 8 and 9, light on all
        /// others.
        public var defaultAppearance: Appearance { self == .todayClassic ? .dark : .light }

        /// The largest text size of WidgetKit's hosts; if the user chooses a larger one, widgets do not grow further.
        public static let largestOfWidgetKit = ContentSizeCategory.extraExtraLarge

        /// Returns the text size of this family's displays for a user who has chosen the text size `chosen`.
        ///
        /// For the families of WidgetKit, the result is at most ``largestOfWidgetKit``. For the other families, it is
        /// `chosen`.
        public func textSize(_ chosen: ContentSizeCategory) -> ContentSizeCategory {
            switch self {
            case .today, .todayClassic, .panel: chosen
            case .systemSmall, .systemMedium, .systemLarge, .systemExtraLarge, .accessoryRectangular,
                .accessoryInline, .accessoryCircular:
                min(chosen, Self.largestOfWidgetKit)
            }
        }
    }

    /// The mode of a Today widget, as in `NCWidgetDisplayMode`.
    public enum Mode: String, Codable, CaseIterable, Sendable {
        /// The height is fixed by the host.
        case compact
        /// The height is that of the content, up to the host's maximum.
        case expanded
    }

    /// The format of times of day.
    public enum HourCycle: String, Codable, CaseIterable, Sendable {
        /// The hours 1 to 12, with a marker for morning and afternoon.
        case twelveHour
        /// The hours 0 to 23.
        case twentyFourHour
    }

    /// The direction that rows and texts run in.
    public enum Direction: String, Codable, CaseIterable, Sendable {
        case leftToRight
        case rightToLeft
    }

    public var name: DisplayName
    public var family: Family
    /// The mode; nil if the family has no modes.
    public var mode: Mode?
    /// The width in points.
    public var width: Double
    /// The height of compact mode in points; nil if the family has no modes.
    public var compactHeight: Double?
    /// The maximum height in points; if the family has a fixed size, the height itself.
    public var maximumHeight: Double
    public var contentSizeCategory: ContentSizeCategory
    /// The number of pixels per point, 1 to 3.
    public var scale: Int
    /// The margins that the host proposes, in points.
    public var insets: EdgeInsets
    /// The identifier of a locale, such as `en_US`.
    public var locale: String
    /// The name of a time zone, such as `Europe/Berlin`.
    public var timeZone: String
    @DefaultIfAbsent public var appearance: Appearance
    /// The format of times of day; nil for the format of the locale.
    public var hourCycle: HourCycle?
    /// The direction in which rows and texts run; nil for the direction of the locale.
    public var direction: Direction?
    /// The largest mode that the widget has on this device; nil if the host can switch to every mode.
    ///
    /// The value is `compact` if the widget is configured for this display, but not for the one in expanded mode.
    public var largestMode: Mode?
    /// The properties of a panel; nil for the other families, and for panels of earlier versions.
    public var panel: Panel?

    public init(
        name: DisplayName,
        family: Family,
        mode: Mode?,
        width: Double,
        compactHeight: Double?,
        maximumHeight: Double,
        contentSizeCategory: ContentSizeCategory,
        scale: Int,
        insets: EdgeInsets,
        locale: String,
        timeZone: String,
        appearance: Appearance = .light,
        hourCycle: HourCycle? = nil,
        direction: Direction? = nil,
        largestMode: Mode? = nil,
        panel: Panel? = nil
    ) {
        self.name = name
        self.family = family
        self.mode = mode
        self.width = width
        self.compactHeight = compactHeight
        self.maximumHeight = maximumHeight
        self.contentSizeCategory = contentSizeCategory
        self.scale = scale
        self.insets = insets
        self.locale = locale
        self.timeZone = timeZone
        self.appearance = appearance
        self.hourCycle = hourCycle
        self.direction = direction
        self.largestMode = largestMode
        self.panel = panel
    }
}

extension Display {
    /// A Boolean value that indicates whether the display is a panel that nobody can tap.
    public var isPassive: Bool { panel?.isInteractive == false }

    /// Changes the text size, and adapts the height of compact mode.
    ///
    /// The height changes only if it is the standard height for the current text size.
    public mutating func setTextSize(_ size: ContentSizeCategory) {
        let tables = [CompactHeights.regular, .large]
        if let height = compactHeight,
            let table = tables.first(where: { $0.height(contentSizeCategory) == height })
        {
            compactHeight = table.height(size)
            maximumHeight = max(maximumHeight, table.height(size))
        }
        contentSizeCategory = size
    }

    /// The name of the configuration entry that defines this display: ``name`` without `-compact` or `-expanded`.
    ///
    /// One entry defines both the compact and the expanded display of a device. A display without a mode has no such
    /// suffix.
    public var device: DisplayName {
        guard let suffix = mode.map({ "-\($0.rawValue)" }), name.rawValue.hasSuffix(suffix) else { return name }
        // Names are ASCII, so dropping bytes is enough; it is faster than dropping characters.
        return DisplayName(rawValue: String(Substring(name.rawValue.utf8.dropLast(suffix.utf8.count)))) ?? name
    }
}
