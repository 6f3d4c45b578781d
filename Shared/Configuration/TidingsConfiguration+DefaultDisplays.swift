// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

public import WidgetSchema

extension TidingsConfiguration {
    /// The displays that are used if the configuration defines none.
    ///
    /// One display belongs to a phone with iOS 8 or 9. The other two belong to a phone with iOS 10 or later: one in
    /// compact mode, the other in expanded mode.
    public static let defaultDisplays: [Display] = [
        defaultDisplay("phone-classic", family: .todayClassic),
        defaultDisplay("phone-compact", family: .today, mode: .compact),
        defaultDisplay("phone-expanded", family: .today, mode: .expanded),
    ].compactMap(\.self)

    static let defaultWidth = 359.0
    static let defaultScale = 2
    static let defaultLocale = "en_US"
    static let defaultTimeZone = "UTC"

    /// The device whose sizes and margins are the defaults for a display without a configured device.
    static let defaultDevice = "iphone-375"

    /// Returns the default size and margins of a display for which no device is configured.
    ///
    /// The size and the margins are those of `defaultDevice`, except that the width is always `defaultWidth`. Returns
    /// nil if `family` has a fixed size.
    static func defaultProposal(
        _ family: Display.Family,
        at category: ContentSizeCategory
    ) -> DeviceProfile.Proposal? {
        guard !family.isFixed else { return nil }
        var proposal = DeviceProfile.named(defaultDevice)?.proposal(for: family, at: category)
        proposal?.width = defaultWidth
        return proposal
    }

    private static func defaultDisplay(_ name: String, family: Display.Family, mode: Display.Mode? = nil) -> Display? {
        guard let name = DisplayName(rawValue: name), let proposal = defaultProposal(family, at: .large) else {
            return nil
        }
        return Display(
            name: name,
            family: family,
            mode: mode,
            width: proposal.width,
            compactHeight: mode == nil ? nil : proposal.compactHeight,
            maximumHeight: proposal.maximumHeight,
            contentSizeCategory: .large,
            scale: defaultScale,
            insets: proposal.insets,
            locale: defaultLocale,
            timeZone: defaultTimeZone,
            appearance: family.defaultAppearance
        )
    }
}
