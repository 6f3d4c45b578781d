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
    public func todayWidth(in posture: DevicePosture) -> Referenced<Double> {
        guard posture.orientation == .landscape else { return todayWidth }
        let width = max(screen.width, screen.height)
        guard isTablet else { return Referenced(width - 16, .derived("8 points on each side of the screen")) }
        let room = width - Self.columnMargins
        let left = (room * Self.leftColumn).rounded(.down)
        let column = posture.column ?? .left
        return Referenced(
            column == .left ? left : room - left,
            .derived("two columns with margins of 16 points; the left column is wider, but the ratio was not measured")
        )
    }

    /// Returns the maximum height of expanded Today widgets on the device in the given posture, in points.
    public func expandedHeight(in posture: DevicePosture) -> Referenced<Double> {
        guard posture.orientation == .landscape else { return expandedHeight }
        let row = isTablet && compactHeights == .large ? 52.0 : 44.0
        let rows = ((min(screen.width, screen.height) - Self.landscapeBars) / row).rounded(.down)
        let height = rows * row
        return Referenced(
            isTablet ? min(height, expandedHeight.value) : height,
            .derived("whole rows of \(Int(row)) points that fit on the screen without its bars in landscape")
        )
    }

    /// Returns the maximum content size, without the margins, of Today widgets of iOS 8 and 9 in the given posture.
    ///
    /// The size is in points.
    public func classicSize(in posture: DevicePosture) -> Referenced<Size> {
        guard posture.orientation == .landscape else { return classicSize }
        if let measured = Self.measuredLandscapes[name] { return measured }
        let (long, short) = (max(screen.width, screen.height), min(screen.width, screen.height))
        return isTablet
            ? Referenced(
                Size(width: long - 57, height: short - 39),
                .derived("the measured distance to the screen's size on an iPad in landscape")
            )
            : Referenced(
                Size(width: long - 81, height: short - 114.5),
                .derived("the measured distance to the screen's size on an iPhone 6 in landscape")
            )
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

    private static let measuredLandscapes: [String: Referenced<Size>] = [
        "iphone-320": Referenced(Size(width: 520, height: 205.5), .measured("iPhone 5s, iOS 8, landscape")),
        "iphone-375": Referenced(Size(width: 586, height: 260.5), .measured("iPhone 6, iOS 8, landscape")),
        "iphone-414": Referenced(Size(width: 585, height: 288), .measured("iPhone 6 Plus, iOS 8, landscape")),
        "ipad-768": Referenced(Size(width: 967, height: 729), .measured("iPad, iOS 8, landscape")),
    ]
}
