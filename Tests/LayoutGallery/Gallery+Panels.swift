// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import LayoutEngine
import WidgetSchema

extension Gallery {
    /// A screen that shows one widget in all of it; points are pixels.
    struct Panel: Sendable {
        let width: Double
        let height: Double
        /// The factor of its type, for its density.
        var factor = 1.0

        var name: String { "panel-\(Int(width))x\(Int(height))" }

        /// The panel upright, or lying if it stands.
        var turned: Panel { Panel(width: height, height: width, factor: factor) }
    }

    /// Electronic paper of 7.5, 4.2, 2.13, 2.9, 2.13, 9.7 and 10.3 inches.
    static let lyingPanels = [
        Panel(width: 800, height: 480), Panel(width: 400, height: 300), Panel(width: 250, height: 122),
        Panel(width: 296, height: 128), Panel(width: 212, height: 104), Panel(width: 1200, height: 825, factor: 1.2),
        Panel(width: 1872, height: 1404, factor: 1.8),
    ]
    static let panels = lyingPanels + lyingPanels.map(\.turned)

    /// Every kind on every panel in every language: passive ones, and panels that can be tapped.
    static var allPanels: [Item] {
        WidgetKind.allCases.flatMap { kind in
            panels.flatMap { panel in
                SampleLanguage.allCases.flatMap { language in
                    [PanelPalette.mono, .color].compactMap { Self.panel(kind, panel, .large, language, $0) }
                }
            }
        }
    }

    static func panel(
        _ kind: WidgetKind,
        _ panel: Panel,
        _ size: ContentSizeCategory = .large,
        _ language: SampleLanguage = .english,
        _ palette: PanelPalette = .mono
    ) -> Item? {
        guard let name = DisplayName(rawValue: "\(panel.name)-\(palette.rawValue)") else { return nil }
        let display = display(
            name,
            Size(width: panel.width, height: panel.height),
            WidgetSchema.Panel(palette: palette, typeFactor: panel.factor),
            language,
            size
        )
        return Item(kind, display, language)
    }

    static func display(
        _ name: DisplayName,
        _ size: Size,
        _ panel: WidgetSchema.Panel,
        _ language: SampleLanguage,
        _ category: ContentSizeCategory = .large
    ) -> Display {
        Display(
            name: name,
            family: .panel,
            mode: nil,
            width: size.width,
            compactHeight: nil,
            maximumHeight: size.height,
            contentSizeCategory: category,
            scale: 1,
            insets: .panel(width: size.width),
            locale: language.rawValue,
            timeZone: language.timeZone,
            panel: panel
        )
    }
}
