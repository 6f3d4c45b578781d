// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

extension DeviceProfile {
    private static let guidelines = Referenced<Size>.Reference.published(
        "Apple's Human Interface Guidelines, chapter Widgets, table of iOS sizes"
    )

    static let phones: [DeviceProfile] = [
        phone(
            "iphone-320",
            "iPhone 5s, SE (1st generation)",
            Size(width: 320, height: 568),
            scale: 2,
            todayWidth: Referenced(304, .measured("iPhone 5s, iOS 10 simulator")),
            expandedHeight: Referenced(528, .measured("iPhone 5s, iOS 10 simulator")),
            classicSize: Referenced(Size(width: 272, height: 441.5), .measured("iPhone 5s, iOS 8, default margins")),
            small: 141,
            medium: 292,
            large: 311,
            accessories: nil
        ),
        phone(
            "iphone-360",
            "iPhone 12 mini, 13 mini, zoomed",
            Size(width: 360, height: 780),
            scale: 3,
            small: 155,
            medium: 329,
            large: 345,
            accessories: (72, Size(width: 157, height: 72), Size(width: 225, height: 26))
        ),
        phone(
            "iphone-375",
            "iPhone 6, 7, 8, SE (2nd generation)",
            Size(width: 375, height: 667),
            scale: 2,
            todayWidth: Referenced(359, .measured("iPhone 6s and 7, iOS 10")),
            expandedHeight: Referenced(616, .measured("iPhone 6s and 7, iOS 10")),
            classicSize: Referenced(Size(width: 327, height: 540.5), .measured("iPhone 6, iOS 8, default margins")),
            small: 148,
            medium: 321,
            large: 324,
            accessories: (68, Size(width: 153, height: 68), Size(width: 225, height: 26))
        ),
        phone(
            "iphone-375-tall",
            "iPhone X, 11 Pro, 12 mini, 13 mini",
            Size(width: 375, height: 812),
            scale: 3,
            expandedHeight: Referenced(660, .measured("iPhone 11 Pro, iOS 13")),
            small: 155,
            medium: 329,
            large: 345,
            accessories: (72, Size(width: 157, height: 72), Size(width: 225, height: 26))
        ),
        phone(
            "iphone-390",
            "iPhone 12, 13, 14",
            Size(width: 390, height: 844),
            scale: 3,
            small: 158,
            medium: 338,
            large: 354,
            accessories: (72, Size(width: 160, height: 72), Size(width: 234, height: 26))
        ),
        phone(
            "iphone-393",
            "iPhone 14 Pro, 15, 16",
            Size(width: 393, height: 852),
            scale: 3,
            small: 158,
            medium: 338,
            large: 354,
            accessories: (72, Size(width: 160, height: 72), Size(width: 234, height: 26))
        ),
        phone(
            "iphone-414",
            "iPhone 6 Plus, 7 Plus, 8 Plus",
            Size(width: 414, height: 736),
            scale: 3,
            classicSize: Referenced(Size(width: 362, height: 610), .measured("iPhone 6 Plus, iOS 8, default margins")),
            small: 159,
            medium: 348,
            mediumHeight: 157,
            large: 357,
            largeWidth: 348,
            accessories: (76, Size(width: 170, height: 76), Size(width: 248, height: 26))
        ),
        phone(
            "iphone-414-tall",
            "iPhone XR, XS Max, 11, 11 Pro Max",
            Size(width: 414, height: 896),
            scale: 3,
            small: 169,
            medium: 360,
            large: 379,
            accessories: (76, Size(width: 160, height: 72), Size(width: 248, height: 26))
        ),
        phone(
            "iphone-428",
            "iPhone 12 Pro Max, 13 Pro Max, 14 Plus",
            Size(width: 428, height: 926),
            scale: 3,
            small: 170,
            medium: 364,
            large: 382,
            accessories: (76, Size(width: 172, height: 76), Size(width: 257, height: 26))
        ),
        phone(
            "iphone-430",
            "iPhone 14 Pro Max, 15 Plus, 16 Plus",
            Size(width: 430, height: 932),
            scale: 3,
            small: 170,
            medium: 364,
            large: 382,
            accessories: (76, Size(width: 172, height: 76), Size(width: 257, height: 26))
        ),
    ]

    /// Creates the profile of a phone.
    ///
    /// An optional argument that is nil is replaced by a value that is derived from the other arguments. If
    /// `accessories` is nil, however, the phone has no lock screen widgets.
    private static func phone(
        _ name: String,
        _ title: String,
        _ screen: Size,
        scale: Int,
        todayWidth: Referenced<Double>? = nil,
        expandedHeight: Referenced<Double>? = nil,
        classicSize: Referenced<Size>? = nil,
        small: Double,
        medium: Double,
        mediumHeight: Double? = nil,
        large: Double,
        largeWidth: Double? = nil,
        accessories: (circular: Double, rectangular: Size, inline: Size)?
    ) -> DeviceProfile {
        // The bars take 130 points on phones without a home button, and 40 points on phones with one.
        let bars = screen.height / screen.width > 2 ? 130.0 : 40
        let rows = ((screen.height - bars) / 44).rounded(.down)
        var sizes: [Display.Family: Referenced<Size>] = [
            .systemSmall: Referenced(Size(width: small, height: small), guidelines),
            .systemMedium: Referenced(Size(width: medium, height: mediumHeight ?? small), guidelines),
            .systemLarge: Referenced(Size(width: largeWidth ?? medium, height: large), guidelines),
        ]
        if let accessories {
            let side = accessories.circular
            sizes[.accessoryCircular] = Referenced(Size(width: side, height: side), guidelines)
            sizes[.accessoryRectangular] = Referenced(accessories.rectangular, guidelines)
            sizes[.accessoryInline] = Referenced(accessories.inline, guidelines)
        }
        return DeviceProfile(
            name: name,
            title: title,
            screen: screen,
            scale: scale,
            todayWidth: todayWidth ?? Referenced(screen.width - 16, .derived("8 points on each side of the screen")),
            compactHeights: .regular,
            expandedHeight: expandedHeight
                ?? Referenced(rows * 44, .derived("whole rows of 44 points that fit on the screen without its bars")),
            classicSize: classicSize
                ?? Referenced(
                    Size(width: screen.width - 48, height: screen.height - 126.5),
                    .derived("the measured distance to the screen's size on iPhones 5s and 6")
                ),
            classicLeading: Referenced(47, .measured("iOS 8, the margin that is proposed on every device")),
            sizes: sizes
        )
    }
}
