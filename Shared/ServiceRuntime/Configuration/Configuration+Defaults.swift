// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

public import WidgetSchema

extension Configuration {
    /// The displays of a configuration that names none: a phone of iOS 8 and 9, and one of iOS 10 and later.
    public static let defaultDisplays: [Display] = [
        defaultDisplay("phone-classic", family: .todayClassic),
        defaultDisplay("phone-compact", family: .today, mode: .compact),
        defaultDisplay("phone-expanded", family: .today, mode: .expanded),
    ].compactMap(\.self)

    static let defaultWidth = 359.0
    static let defaultScale = 2
    static let defaultLocale = "en_US"
    static let defaultTimeZone = "UTC"

    /// The margins that hosts of iOS 8 and 9 proposed; later ones propose none.
    static func defaultInsets(_ family: Display.Family) -> EdgeInsets {
        switch family {
        case .todayClassic: EdgeInsets(leading: 47)
        case .today: EdgeInsets()
        }
    }

    /// What a phone of 375 by 667 points gives.
    static func defaultMaximumHeight(_ family: Display.Family) -> Double {
        switch family {
        case .todayClassic: 540.5
        case .today: 616
        }
    }

    /// Two and a half table rows of that text size, as phones have it.
    ///
    /// Measured: extraSmall, large, extraExtraExtraLarge and the largest; the others lie between them.
    static func defaultCompactHeight(_ category: ContentSizeCategory) -> Double {
        switch category {
        case .extraSmall: 95
        case .small: 100
        case .medium: 105
        case .large: 110
        case .extraLarge: 120
        case .extraExtraLarge: 130
        case .extraExtraExtraLarge: 140
        case .accessibilityMedium: 177
        case .accessibilityLarge: 214
        case .accessibilityExtraLarge: 251
        case .accessibilityExtraExtraLarge: 288
        case .accessibilityExtraExtraExtraLarge: 325
        }
    }

    private static func defaultDisplay(_ name: String, family: Display.Family, mode: Display.Mode? = nil) -> Display? {
        DisplayName(rawValue: name).map { name in
            Display(
                name: name,
                family: family,
                mode: mode,
                width: defaultWidth,
                compactHeight: mode == nil ? nil : defaultCompactHeight(.large),
                maximumHeight: defaultMaximumHeight(family),
                contentSizeCategory: .large,
                scale: defaultScale,
                insets: defaultInsets(family),
                locale: defaultLocale,
                timeZone: defaultTimeZone
            )
        }
    }
}
