// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// A device, described by the sizes that it gives to widgets.
public struct DeviceProfile: Hashable, Sendable {
    /// The name of the device in a configuration, such as `iphone-375`.
    public let name: String
    /// The screen's size in portrait, in points.
    public let screen: Size
    /// The number of pixels per point.
    public let scale: Int
    /// The width of Today widgets of iOS 10 and later in portrait, in points.
    public let todayWidth: Double
    public let compactHeights: CompactHeights
    /// The maximum height of Today widgets in expanded mode and in portrait, in points.
    public let expandedHeight: Double
    /// The maximum content size in points, without the margins, of Today widgets of iOS 8 and 9 in portrait.
    public let classicSize: Size
    /// The sizes, in points, of widgets of the fixed-size families; the dictionary has no entry for a family that the
    /// device does not have.
    public let sizes: [Display.Family: Size]

    /// Returns the device with the name `name`; nil if there is no such device.
    public static func named(_ name: String) -> DeviceProfile? { all.first { $0.name == name } }

    /// All known devices: first the phones, then the tablets, each from small to large.
    public static let all = phones + tablets

    /// The size and the margins that a host proposes for a widget, depending on the widget's family and the text size.
    public struct Proposal: Hashable, Sendable {
        public var width: Double
        /// The height of compact mode in points; nil if the family has no modes.
        public var compactHeight: Double?
        /// The maximum height in points; if the family has a fixed size, the height itself.
        public var maximumHeight: Double
        public var insets: EdgeInsets

        public init(width: Double, compactHeight: Double? = nil, maximumHeight: Double, insets: EdgeInsets) {
            self.width = width
            self.compactHeight = compactHeight
            self.maximumHeight = maximumHeight
            self.insets = insets
        }
    }

    /// The margin of most WidgetKit widgets, in points (Human Interface Guidelines, "Widgets").
    public static let widgetMargin = 16.0

    /// The leading margin that iOS 8 proposes for Today widgets on every device (measured), in points.
    private static let classicLeading = 47.0

    /// Returns the size and the margins that the device proposes to a widget of `family`; nil if the device does not
    /// have this family.
    public func proposal(
        for family: Display.Family,
        at category: ContentSizeCategory,
        in posture: DevicePosture = .portrait
    ) -> Proposal? {
        switch family {
        case .today:
            let compact = compactHeights.height(category)
            return Proposal(
                width: todayWidth(in: posture),
                compactHeight: compact,
                maximumHeight: max(expandedHeight(in: posture), compact),
                insets: EdgeInsets()
            )
        case .todayClassic:
            let size = classicSize(in: posture)
            return Proposal(
                width: size.width + Self.classicLeading,
                maximumHeight: size.height,
                insets: EdgeInsets(leading: Self.classicLeading)
            )
        case .systemSmall, .systemMedium, .systemLarge, .systemExtraLarge:
            let margin = Self.widgetMargin
            return sizes[family].map {
                Proposal(
                    width: $0.width,
                    maximumHeight: $0.height,
                    insets: EdgeInsets(top: margin, leading: margin, bottom: margin, trailing: margin)
                )
            }
        case .accessoryRectangular, .accessoryInline, .accessoryCircular:
            return sizes[family].map {
                Proposal(width: $0.width, maximumHeight: $0.height, insets: EdgeInsets())
            }
        case .panel:
            let isWide = posture.orientation == .landscape
            return Proposal(
                width: isWide ? screen.height : screen.width,
                maximumHeight: isWide ? screen.width : screen.height,
                insets: EdgeInsets()
            )
        }
    }
}
