// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// A device, described by the sizes that it gives to widgets.
public struct DeviceProfile: Hashable, Sendable {
    /// The name of the device in a configuration, such as `iphone-375`.
    public let name: String
    /// The name of the device for people, such as "iPhone 14 Pro Max, 15 Plus, 16 Plus".
    public let title: String
    /// The screen's size in portrait, in points.
    public let screen: Size
    /// The number of pixels per point.
    public let scale: Int
    /// The width of Today widgets of iOS 10 and later in portrait, in points.
    public let todayWidth: Referenced<Double>
    public let compactHeights: CompactHeights
    /// The maximum height of Today widgets in expanded mode and in portrait, in points.
    public let expandedHeight: Referenced<Double>
    /// The maximum content size in points, without the margins, of Today widgets of iOS 8 and 9 in portrait.
    public let classicSize: Referenced<Size>
    /// The leading margin that iOS 8 and 9 propose for Today widgets, in points.
    public let classicLeading: Referenced<Double>
    /// The sizes, in points, of widgets of the fixed-size families; the dictionary has no entry for a family that the
    /// device does not have.
    public let sizes: [Display.Family: Referenced<Size>]

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

    /// Returns the size and the margins that the device proposes to a widget of `family`; nil if the device does not
    /// have this family.
    public func proposal(
        for family: Display.Family,
        at category: ContentSizeCategory,
        in posture: DevicePosture = .portrait
    ) -> Proposal? {
        switch family {
        case .today:
            let compact = compactHeights.height(category).value
            return Proposal(
                width: todayWidth(in: posture).value,
                compactHeight: compact,
                maximumHeight: max(expandedHeight(in: posture).value, compact),
                insets: EdgeInsets()
            )
        case .todayClassic:
            let size = classicSize(in: posture).value
            return Proposal(
                width: size.width + classicLeading.value,
                maximumHeight: size.height,
                insets: EdgeInsets(leading: classicLeading.value)
            )
        case .systemSmall, .systemMedium, .systemLarge, .systemExtraLarge:
            let margin = Self.widgetMargin
            return sizes[family].map {
                Proposal(
                    width: $0.value.width,
                    maximumHeight: $0.value.height,
                    insets: EdgeInsets(top: margin, leading: margin, bottom: margin, trailing: margin)
                )
            }
        case .accessoryRectangular, .accessoryInline, .accessoryCircular:
            return sizes[family].map {
                Proposal(width: $0.value.width, maximumHeight: $0.value.height, insets: EdgeInsets())
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
