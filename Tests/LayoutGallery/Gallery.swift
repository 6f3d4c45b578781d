// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// All samples that the gallery shows and checks.
struct Gallery {
    /// One of them, with what it stands for.
    struct Item: Sendable {
        var sample: WidgetSample
        let language: SampleLanguage

        init(_ kind: WidgetKind, _ display: Display, _ language: SampleLanguage, isExpanded: Bool = false) {
            sample = WidgetSample(
                definition: SampleContents.definition(kind, in: language),
                content: SampleContents.content(kind, in: language),
                interaction: InteractionState(expanded: isExpanded, seed: 4711),
                instant: SampleContents.instant,
                display: display
            )
            self.language = language
        }

        var display: Display { sample.display }

        /// Names its file, and whoever reads of a problem.
        var name: String {
            "\(sample.definition.kind.rawValue)-\(display.name)-\(display.contentSizeCategory.rawValue)"
                + "-\(display.appearance.rawValue)-\(language.rawValue.prefix(2))"
        }
    }

    static let devices = ["iphone-320", "iphone-375", "iphone-430", "ipad-1024"].compactMap(DeviceProfile.named)
    static let sizes: [ContentSizeCategory] = [
        .extraSmall, .large, .extraExtraExtraLarge, .accessibilityExtraExtraExtraLarge,
    ]
    static let modes: [Display.Mode] = [.compact, .expanded]
    /// The families of WidgetKit and of older systems, on the phones.
    static let otherFamilies: [Display.Family] = [
        .todayClassic, .systemSmall, .systemMedium, .systemLarge, .systemExtraLarge, .accessoryRectangular,
        .accessoryCircular, .accessoryInline,
    ]
    static var all: [Item] { onPhonesAndTablets + allPanels }

    /// Every kind, mode, text size, device, appearance and language.
    static var onPhonesAndTablets: [Item] {
        var items: [Item] = []
        for kind in WidgetKind.allCases {
            for language in SampleLanguage.allCases where !SampleLanguage.onPanelsOnly.contains(language) {
                for device in SampleLanguage.onEveryDevice.contains(language) ? devices : Array(devices.prefix(1)) {
                    for size in sizes {
                        for appearance in Appearance.allCases {
                            items += modes.compactMap { item(kind, .today, $0, size, device, appearance, language) }
                        }
                        items += otherFamilies.compactMap {
                            item(kind, $0, nil, size, device, $0.defaultAppearance, language)
                        }
                        items += [item(kind, .todayClassic, nil, size, device, .dark, language, isExpanded: true)]
                            .compactMap(\.self)
                    }
                }
            }
        }
        return items
    }

    /// Returns an item; nil if the device does not have the family.
    static func item(
        _ kind: WidgetKind,
        _ family: Display.Family,
        _ mode: Display.Mode?,
        _ size: ContentSizeCategory,
        _ device: DeviceProfile,
        _ appearance: Appearance,
        _ language: SampleLanguage = .english,
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
        return Item(kind, display, language, isExpanded: isExpanded)
    }
}
