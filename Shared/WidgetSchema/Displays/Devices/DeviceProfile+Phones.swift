// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

extension DeviceProfile {
    /// The phones, from small to large.
    ///
    /// The sizes on the home screen and on the lock screen are from Apple's Human Interface Guidelines, chapter Widgets,
    /// table of iOS sizes. Today widths and expanded heights were measured on iOS 10, and classic sizes on iOS 8 with
    /// default margins, if not said otherwise. A value that is not in the table is derived from others (see `phone`).
    static let phones: [DeviceProfile] = [
        // iPhone 5s, SE (1st generation); measured in the simulator
        phone(
            "iphone-320",
            Size(width: 320, height: 568),
            scale: 2,
            home: (141, 292, 311),
            todayWidth: 304,
            expandedHeight: 528,
            classicSize: Size(width: 272, height: 441.5)
        ),
        // iPhone 12 mini, 13 mini, zoomed
        phone("iphone-360", Size(width: 360, height: 780), scale: 3, home: (155, 329, 345), lock: (72, 157, 225)),
        // iPhone 6, 7, 8, SE (2nd generation); measured on iPhone 6, 6s and 7
        phone(
            "iphone-375",
            Size(width: 375, height: 667),
            scale: 2,
            home: (148, 321, 324),
            lock: (68, 153, 225),
            todayWidth: 359,
            expandedHeight: 616,
            classicSize: Size(width: 327, height: 540.5)
        ),
        // iPhone X, 11 Pro, 12 mini, 13 mini; the expanded height was measured on iPhone 11 Pro with iOS 13
        phone(
            "iphone-375-tall",
            Size(width: 375, height: 812),
            scale: 3,
            home: (155, 329, 345),
            lock: (72, 157, 225),
            expandedHeight: 660
        ),
        // iPhone 12, 13, 14
        phone("iphone-390", Size(width: 390, height: 844), scale: 3, home: (158, 338, 354), lock: (72, 160, 234)),
        // iPhone 14 Pro, 15, 16
        phone("iphone-393", Size(width: 393, height: 852), scale: 3, home: (158, 338, 354), lock: (72, 160, 234)),
        // iPhone 6 Plus, 7 Plus, 8 Plus; measured on iPhone 6 Plus
        phone(
            "iphone-414",
            Size(width: 414, height: 736),
            scale: 3,
            home: (159, 348, 357),
            mediumHeight: 157,
            lock: (76, 170, 248),
            classicSize: Size(width: 362, height: 610)
        ),
        // iPhone XR, XS Max, 11, 11 Pro Max
        phone(
            "iphone-414-tall",
            Size(width: 414, height: 896),
            scale: 3,
            home: (169, 360, 379),
            lock: (76, 160, 248),
            rectangularHeight: 72
        ),
        // iPhone 12 Pro Max, 13 Pro Max, 14 Plus
        phone("iphone-428", Size(width: 428, height: 926), scale: 3, home: (170, 364, 382), lock: (76, 172, 257)),
        // iPhone 14 Pro Max, 15 Plus, 16 Plus
        phone("iphone-430", Size(width: 430, height: 932), scale: 3, home: (170, 364, 382), lock: (76, 172, 257)),
    ]

    /// Creates the profile of a phone.
    ///
    /// `home` contains the sides of small widgets, the width of medium and large ones, and the height of large ones.
    /// `lock` contains the side of circular widgets, and the widths of rectangular and inline ones; if it is nil, the
    /// phone has no lock screen widgets. Any other argument that is nil is replaced by a value that is derived from the
    /// others.
    private static func phone(
        _ name: String,
        _ screen: Size,
        scale: Int,
        home: (small: Double, medium: Double, large: Double),
        mediumHeight: Double? = nil,
        lock: (circular: Double, rectangular: Double, inline: Double)? = nil,
        rectangularHeight: Double? = nil,
        todayWidth: Double? = nil,
        expandedHeight: Double? = nil,
        classicSize: Size? = nil
    ) -> DeviceProfile {
        // The bars take 130 points on phones without a home button, and 40 points on phones with one.
        let bars = screen.height / screen.width > 2 ? 130.0 : 40
        // Whole rows of 44 points that fit on the screen without its bars.
        let rows = ((screen.height - bars) / 44).rounded(.down)
        var sizes: [Display.Family: Size] = [
            .systemSmall: Size(width: home.small, height: home.small),
            .systemMedium: Size(width: home.medium, height: mediumHeight ?? home.small),
            .systemLarge: Size(width: home.medium, height: home.large),
        ]
        if let lock {
            sizes[.accessoryCircular] = Size(width: lock.circular, height: lock.circular)
            sizes[.accessoryRectangular] = Size(width: lock.rectangular, height: rectangularHeight ?? lock.circular)
            sizes[.accessoryInline] = Size(width: lock.inline, height: 26)
        }
        return DeviceProfile(
            name: name,
            screen: screen,
            scale: scale,
            // 8 points on each side of the screen.
            todayWidth: todayWidth ?? screen.width - 16,
            compactHeights: .regular,
            expandedHeight: expandedHeight ?? rows * 44,
            // The measured distance to the screen's size on iPhones 5s and 6.
            classicSize: classicSize ?? Size(width: screen.width - 48, height: screen.height - 126.5),
            sizes: sizes
        )
    }
}
