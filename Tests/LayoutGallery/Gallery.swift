// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Layout
import WidgetSchema

/// All specimens that the gallery shows and checks.
struct Gallery {
    /// One of them, with what it stands for.
    struct Item: Sendable {
        let specimen: Specimen
        let language: SampleLanguage

        var display: Display { specimen.display }

        /// Names its file, and whoever reads of a problem.
        var name: String {
            "\(specimen.definition.kind.rawValue)-\(display.name)-\(display.contentSizeCategory.rawValue)"
                + "-\(display.appearance.rawValue)-\(language.rawValue.prefix(2))"
        }
    }

    static let devices = ["iphone-320", "iphone-375", "iphone-430", "ipad-1024"].compactMap(DeviceProfile.named)
    static let sizes: [ContentSizeCategory] = [
        .extraSmall, .large, .extraExtraExtraLarge, .accessibilityExtraExtraExtraLarge,
    ]
    static let modes: [Display.Mode] = [.compact, .expanded]
    /// What WidgetKit and older systems have, on the phones.
    static let otherFamilies: [Display.Family] = [
        .todayClassic, .systemSmall, .systemMedium, .systemLarge, .accessoryRectangular, .accessoryCircular,
        .accessoryInline,
    ]

    static func today(
        _ kind: WidgetKind,
        _ mode: Display.Mode,
        _ size: ContentSizeCategory,
        _ device: DeviceProfile,
        _ appearance: Appearance,
        _ language: SampleLanguage = .english
    ) -> Item? {
        item(kind, .today, mode, size, device, appearance, language)
    }

    static func other(
        _ kind: WidgetKind,
        _ family: Display.Family,
        _ size: ContentSizeCategory,
        _ device: DeviceProfile,
        _ appearance: Appearance,
        _ language: SampleLanguage = .english,
        isExpanded: Bool = false
    ) -> Item? {
        item(kind, family, nil, size, device, appearance, language, isExpanded: isExpanded)
    }

    /// Every kind, mode, text size, device, appearance and language.
    static var all: [Item] {
        var items: [Item] = []
        for kind in WidgetKind.allCases {
            for language in SampleLanguage.allCases {
                for device in devices {
                    for size in sizes {
                        for appearance in Appearance.allCases {
                            items += modes.compactMap { today(kind, $0, size, device, appearance, language) }
                        }
                        items += otherFamilies.compactMap { other(kind, $0, size, device, .light, language) }
                        items += [other(kind, .todayClassic, size, device, .dark, language, isExpanded: true)]
                            .compactMap(\.self)
                    }
                }
            }
        }
        return items
    }

    /// Nil where the device does not have the family.
    private static func item(
        _ kind: WidgetKind,
        _ family: Display.Family,
        _ mode: Display.Mode?,
        _ size: ContentSizeCategory,
        _ device: DeviceProfile,
        _ appearance: Appearance,
        _ language: SampleLanguage,
        isExpanded: Bool = false
    ) -> Item? {
        let words = [device.name, family.rawValue.lowercased(), mode?.rawValue, isExpanded ? "more" : nil]
        guard let proposal = device.proposal(for: family, at: size),
            let name = DisplayName(rawValue: words.compactMap(\.self).joined(separator: "-"))
        else { return nil }
        let display = Display(
            name: name,
            family: family,
            mode: mode,
            width: proposal.width,
            compactHeight: proposal.compactHeight,
            maximumHeight: proposal.maximumHeight,
            contentSizeCategory: size,
            scale: device.scale,
            insets: proposal.insets,
            locale: language.rawValue,
            timeZone: language.timeZone,
            appearance: appearance
        )
        let specimen = Specimen(
            definition: SampleContents.definition(kind, in: language),
            content: SampleContents.content(kind, in: language),
            interaction: InteractionState(expanded: isExpanded, seed: 4711),
            instant: SampleContents.instant,
            display: display
        )
        return Item(specimen: specimen, language: language)
    }
}
