// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

extension Gallery {
    /// Every kind on panels with each palette of few colours, upright and turned, light and inverted.
    static var panelsOfFewColors: [Item] {
        let palettes = PanelPalette.allCases.filter { $0.colors != nil }
        let sizes = [Panel(width: 800, height: 480), Panel(width: 250, height: 122)]
        let languages: [SampleLanguage] = [.english, .german, .japanese, .arabic, .hindi]
        return WidgetKind.allCases.flatMap { kind in
            languages.flatMap { language in
                sizes.flatMap { size in
                    palettes.enumerated().compactMap { index, palette in
                        let rotations = WidgetSchema.Panel.Rotation.allCases
                        let properties = WidgetSchema.Panel(
                            palette: palette,
                            rotation: rotations[index % rotations.count],
                            isInverted: index % 2 == 1,
                            fileBits: palette.isGray && language == .german ? 8 : nil
                        )
                        return item(kind, size, properties, language)
                    }
                }
            }
        }
    }

    private static func item(
        _ kind: WidgetKind,
        _ size: Panel,
        _ properties: WidgetSchema.Panel,
        _ language: SampleLanguage
    ) -> Item? {
        guard var item = panel(kind, size, .large, language),
            let name = DisplayName(rawValue: "\(size.name)-\(properties.palette.rawValue)")
        else { return nil }
        item.sample.display.name = name
        item.sample.display.panel = properties
        return item
    }
}
