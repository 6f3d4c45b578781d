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
    /// Electronic paper of 2.13, 2.9, 4.2 and 7.5 inches, the first one upright too, and a dashboard.
    static let panels = [
        Panel(width: 250, height: 122), Panel(width: 122, height: 250), Panel(width: 296, height: 128),
        Panel(width: 400, height: 300), Panel(width: 800, height: 480), Panel(width: 1280, height: 800),
    ]

    /// A screen that shows one widget in all of it; points are pixels.
    struct Panel: Sendable {
        let width: Double
        let height: Double

        var name: String { "panel-\(Int(width))x\(Int(height))" }

        /// The text sizes: on panels narrower than 400 points, without the largest, in which a word may not fit.
        var sizes: [ContentSizeCategory] { width < 400 ? [.extraSmall, .large] : Gallery.sizes }
    }

    static func panel(
        _ kind: WidgetKind,
        _ panel: Panel,
        _ size: ContentSizeCategory,
        _ language: SampleLanguage = .english
    ) -> Item? {
        guard let name = DisplayName(rawValue: panel.name) else { return nil }
        let proposal = DeviceProfile.Proposal(
            width: panel.width,
            maximumHeight: panel.height,
            insets: EdgeInsets()
        )
        return Item(kind, display(name, .panel, proposal, size, language), language)
    }

    /// Returns a light display at a scale of 1, in the place of its language.
    private static func display(
        _ name: DisplayName,
        _ family: Display.Family,
        _ proposal: DeviceProfile.Proposal,
        _ size: ContentSizeCategory,
        _ language: SampleLanguage
    ) -> Display {
        Display(
            name: name,
            family: family,
            mode: nil,
            width: proposal.width,
            compactHeight: proposal.compactHeight,
            maximumHeight: proposal.maximumHeight,
            contentSizeCategory: size,
            scale: 1,
            insets: proposal.insets,
            locale: language.rawValue,
            timeZone: language.timeZone
        )
    }

    /// Every kind, mode, text size, device, appearance and language.
    static var all: [Item] {
        var items: [Item] = []
        for kind in WidgetKind.allCases {
            for language in SampleLanguage.allCases {
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
                for panel in panels { items += panel.sizes.compactMap { Self.panel(kind, panel, $0, language) } }
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
        var display = Self.display(name, family, proposal, size, language)
        (display.mode, display.scale, display.appearance) = (mode, device.scale, appearance)
        return Item(kind, display, language, isExpanded: isExpanded)
    }
}
