// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

extension DeviceProfile {
    /// The tablets, from small to large.
    ///
    /// The sizes on the home screen are from Apple's Human Interface Guidelines, chapter Widgets, table of iPadOS sizes
    /// for the design canvas. A value that is not in the table is derived from others (see `tablet`).
    static let tablets: [DeviceProfile] = [
        // iPad mini (6th generation)
        tablet("ipad-744", Size(width: 744, height: 1133), home: (141, 305.5, 305.5, 634.5)),
        // iPad, iPad Air 2, iPad Pro 9.7"; the classic size was measured on an iPad with iOS 8 and default margins
        tablet(
            "ipad-768",
            Size(width: 768, height: 1024),
            home: (141, 305.5, 305.5, 634.5),
            classicSize: Size(width: 711, height: 985)
        ),
        // iPad (7th to 9th generation)
        tablet("ipad-810", Size(width: 810, height: 1080), home: (146, 320.5, 320.5, 669)),
        // iPad Air (4th generation on)
        tablet("ipad-820", Size(width: 820, height: 1180), home: (155, 342, 342, 715.5)),
        // iPad Pro 10.5"
        tablet("ipad-834", Size(width: 834, height: 1112), home: (150, 327.5, 327.5, 682)),
        // iPad Pro 11"
        tablet("ipad-834-tall", Size(width: 834, height: 1194), home: (155, 342, 342, 715.5)),
        // iPad Pro 12.9"; the expanded height is 14 rows of 52 points, because smaller tablets also have 14 rows
        tablet(
            "ipad-1024",
            Size(width: 1024, height: 1366),
            home: (170, 378.5, 378.5, 795),
            compactHeights: .large,
            expandedHeight: 728
        ),
    ]

    /// Creates the profile of a tablet.
    ///
    /// `home` contains the sides of small widgets, the width of medium ones, the sides of large ones, and the width of
    /// extra-large ones.
    private static func tablet(
        _ name: String,
        _ screen: Size,
        home: (small: Double, medium: Double, large: Double, extraLarge: Double),
        classicSize: Size? = nil,
        compactHeights: CompactHeights = .regular,
        // Measured on the tablet of 9.7 inches (iPad Air, Air 2 and Pro) with iOS 10, in one orientation; the others are assumed
        // to be equal.
        expandedHeight: Double = 616
    ) -> DeviceProfile {
        DeviceProfile(
            name: name,
            screen: screen,
            scale: 2,
            // One of two columns, with 16 points around each.
            todayWidth: ((screen.width - 48) / 2).rounded(.down),
            compactHeights: compactHeights,
            expandedHeight: expandedHeight,
            // The measured distance to the screen's size on tablets.
            classicSize: classicSize ?? Size(width: screen.width - 57, height: screen.height - 171),
            sizes: [
                .systemSmall: Size(width: home.small, height: home.small),
                .systemMedium: Size(width: home.medium, height: home.small),
                .systemLarge: Size(width: home.large, height: home.large),
                .systemExtraLarge: Size(width: home.extraLarge, height: home.large),
            ]
        )
    }
}
