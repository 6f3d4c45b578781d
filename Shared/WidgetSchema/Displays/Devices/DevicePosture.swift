// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The orientation of a device, and the column of its screen in which Today widgets are shown.
public struct DevicePosture: Hashable, Sendable {
    public enum Orientation: String, Codable, CaseIterable, Sendable {
        case portrait
        case landscape
    }

    /// The columns in which a tablet in landscape shows Today widgets.
    public enum Column: String, Codable, CaseIterable, Sendable {
        /// The left column, which is the wider one.
        case left
        case right
    }

    public var orientation: Orientation
    /// The column; nil on phones, and on tablets in portrait.
    public var column: Column?

    public init(orientation: Orientation = .portrait, column: Column? = nil) {
        self.orientation = orientation
        self.column = column
    }

    public static let portrait = DevicePosture()
}

extension DeviceProfile {
    /// Returns the width of Today widgets of iOS 10 and later on the device in the given posture, in points.
    ///
    /// The ratio of the columns of a tablet in landscape was not measured.
    public func todayWidth(in posture: DevicePosture) -> Double {
        guard posture.orientation == .landscape else { return todayWidth }
        let width = max(screen.width, screen.height)
        guard isTablet else { return width - 16 }
        let room = width - Self.columnMargins
        let left = (room * Self.leftColumn).rounded(.down)
        return posture.column == .right ? room - left : left
    }

    /// Returns the maximum height of expanded Today widgets on the device in the given posture, in points.
    ///
    /// In landscape, it is derived: whole rows that fit on the screen without its bars.
    public func expandedHeight(in posture: DevicePosture) -> Double {
        guard posture.orientation == .landscape else { return expandedHeight }
        let row = isTablet && compactHeights == .large ? 52.0 : 44.0
        let height = ((min(screen.width, screen.height) - Self.landscapeBars) / row).rounded(.down) * row
        return isTablet ? min(height, expandedHeight) : height
    }

    /// Returns the maximum content size, without the margins, of Today widgets of iOS 8 and 9 in the given posture.
    ///
    /// The size is in points. In landscape, it has the distance to the screen's size that was measured on an iPad or an
    /// iPhone 6.
    public func classicSize(in posture: DevicePosture) -> Size {
        guard posture.orientation == .landscape else { return classicSize }
        if let measured = Self.measuredLandscapes[name] { return measured }
        let (long, short) = (max(screen.width, screen.height), min(screen.width, screen.height))
        return isTablet
            ? Size(width: long - 57, height: short - 39) : Size(width: long - 81, height: short - 114.5)
    }

    public var isTablet: Bool { min(screen.width, screen.height) >= Self.narrowestTablet }

    private static let narrowestTablet = 600.0
    /// The total width of the three margins of two columns of Today widgets, in points.
    ///
    /// One margin is to the left of the columns, one between them, and one to their right.
    private static let columnMargins = 48.0
    /// The width of the left column as a fraction of the total width of both columns, without the margins.
    private static let leftColumn = 0.55
    private static let landscapeBars = 40.0

    /// The classic sizes in landscape that were measured on iOS 8: on iPhone 5s, 6 and 6 Plus, and on an iPad.
    private static let measuredLandscapes = [
        "iphone-320": Size(width: 520, height: 205.5),
        "iphone-375": Size(width: 586, height: 260.5),
        "iphone-414": Size(width: 585, height: 288),
        "ipad-768": Size(width: 967, height: 729),
    ]
}
