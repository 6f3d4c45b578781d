// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

extension DeviceProfile {
    private static let guidelines = Referenced<Size>.Reference.published(
        "Apple's Human Interface Guidelines, chapter Widgets, table of iPadOS sizes for the design canvas"
    )

    static let tablets: [DeviceProfile] = [
        tablet("ipad-744", "iPad mini (6th generation)", Size(width: 744, height: 1133), 141, 305.5, 305.5, 634.5),
        tablet(
            "ipad-768",
            "iPad, iPad Air 2, iPad Pro 9.7\"",
            Size(width: 768, height: 1024),
            141,
            305.5,
            305.5,
            634.5,
            classicSize: Referenced(Size(width: 711, height: 985), .measured("iPad, iOS 8, default margins")),
            expandedHeight: Referenced(616, .measured("iPad Air, Air 2 and Pro 9.7\", iOS 10, in one orientation"))
        ),
        tablet("ipad-810", "iPad (7th to 9th generation)", Size(width: 810, height: 1080), 146, 320.5, 320.5, 669),
        tablet("ipad-820", "iPad Air (4th generation on)", Size(width: 820, height: 1180), 155, 342, 342, 715.5),
        tablet("ipad-834", "iPad Pro 10.5\"", Size(width: 834, height: 1112), 150, 327.5, 327.5, 682),
        tablet("ipad-834-tall", "iPad Pro 11\"", Size(width: 834, height: 1194), 155, 342, 342, 715.5),
        tablet(
            "ipad-1024",
            "iPad Pro 12.9\"",
            Size(width: 1024, height: 1366),
            170,
            378.5,
            378.5,
            795,
            compactHeights: .large,
            expandedHeight: Referenced(728, .derived("14 rows of 52 points; smaller tablets also have 14 rows"))
        ),
    ]

    /// Creates the profile of a tablet; an argument that is nil is replaced by a derived value.
    private static func tablet(
        _ name: String,
        _ title: String,
        _ screen: Size,
        _ small: Double,
        _ medium: Double,
        _ large: Double,
        _ extraLarge: Double,
        classicSize: Referenced<Size>? = nil,
        compactHeights: CompactHeights = .regular,
        expandedHeight: Referenced<Double>? = nil
    ) -> DeviceProfile {
        DeviceProfile(
            name: name,
            title: title,
            screen: screen,
            scale: 2,
            todayWidth: Referenced(
                ((screen.width - 48) / 2).rounded(.down),
                .derived("one of two columns, with 16 points around each")
            ),
            compactHeights: compactHeights,
            expandedHeight: expandedHeight ?? Referenced(616, .derived("as on the tablet of 9.7 inches")),
            classicSize: classicSize
                ?? Referenced(
                    Size(width: screen.width - 57, height: screen.height - 171),
                    .derived("the measured distance to the screen's size on tablets")
                ),
            classicLeading: Referenced(47, .measured("iOS 8, the margin that is proposed on every device")),
            sizes: [
                .systemSmall: Referenced(Size(width: small, height: small), guidelines),
                .systemMedium: Referenced(Size(width: medium, height: small), guidelines),
                .systemLarge: Referenced(Size(width: large, height: large), guidelines),
                .systemExtraLarge: Referenced(Size(width: extraLarge, height: large), guidelines),
            ]
        )
    }
}
