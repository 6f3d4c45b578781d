// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// The type of a panel: one ladder of sizes for all kinds, so that cells side by side look alike.
///
/// The sizes are those of Noto Sans that keep their strokes without antialiasing. Emphasis is a matter of weight, never of
/// grey, and there are no italics, whose strokes break below 20 pixels.
struct PanelType: Hashable, Sendable {
    /// A step of the ladder: a font size in pixels at about 125 pixels per inch.
    enum Step: Double, CaseIterable, Comparable, Sendable {
        /// Only on panels and cells that are narrower than ``PanelType/narrow``.
        case tiny = 13
        case small = 15
        case text = 16
        case title = 18
        case heading = 24
        case large = 30
        case extraLarge = 44
        case number = 60
        /// Only in areas that are otherwise half empty, for one number, one fact or one quote.
        case largeNumber = 90
        case largestNumber = 120

        static func < (left: Step, right: Step) -> Bool { left.rawValue < right.rawValue }

        /// The distance between two baselines, in pixels at about 125 pixels per inch.
        var leading: Double {
            switch self {
            case .tiny: 17
            case .small: 20
            case .text: 21
            case .title: 22
            case .heading: 30
            case .large: 38
            case .extraLarge: 54
            case .number: 66
            case .largeNumber: 100
            case .largestNumber: 132
            }
        }

        /// The text style whose ordinary size is nearest.
        fileprivate var style: LayoutFont.Style {
            switch self {
            case .tiny: .footnote
            case .small: .subheadline
            case .text: .callout
            case .title: .body
            case .heading: .title2
            case .large: .title1
            case .extraLarge, .number, .largeNumber, .largestNumber: .largeTitle
            }
        }
    }

    /// The width below which a panel or a cell may have type of 13 pixels, in pixels at about 125 pixels per inch.
    static let narrow = 300.0
    /// The valid factors; others are replaced by the nearest one, because smaller type than that of the ladder is illegible.
    static let factors = 1.0...8.0

    /// The factor by which type and distances are larger than at about 125 pixels per inch.
    let factor: Double
    /// The width of the panel or the cell, in pixels at about 125 pixels per inch.
    let width: Double

    /// Creates the type of a panel or a cell.
    ///
    /// A text size above the ordinary one makes all type larger in proportion; a smaller one has no effect.
    init(_ display: Display) {
        let density = display.panel?.typeFactor ?? 1
        let body = DynamicType.metrics(of: .body, in: display.contentSizeCategory).size
        let chosen = max(body / DynamicType.metrics(of: .body, in: .large).size, 1)
        let product = density.isFinite ? density * chosen : chosen
        factor = min(max(product, Self.factors.lowerBound), Self.factors.upperBound)
        width = DisplayArea.length(display.width) / factor
    }

    var isNarrow: Bool { width < Self.narrow }

    /// The smallest step of this panel.
    var smallest: Step { isNarrow ? .tiny : .small }

    /// All steps of this panel, from the largest to the smallest.
    var steps: [Step] { steps(from: .largestNumber) }

    /// Returns the steps of this panel that are at most `step`, from the largest to the smallest.
    func steps(from step: Step) -> [Step] { Step.allCases.reversed().filter { $0 <= step && $0 >= smallest } }

    /// Returns a length of so many pixels at about 125 pixels per inch, in whole pixels of this panel.
    func length(_ pixels: Double) -> Double { (pixels * factor).rounded() }

    /// The thickness of rules and dotted lines, at least one pixel.
    var line: Double { max(factor.rounded(.down), 1) }

    func font(_ step: Step, _ weight: LayoutFont.Weight = .regular) -> LayoutFont {
        let size = length(step.rawValue)
        return LayoutFont(
            style: step.style,
            weight: weight,
            scale: size / DynamicType.metrics(of: step.style, in: .large).size,
            size: size,
            leading: leading(step)
        )
    }

    /// Returns the distance between two baselines in whole pixels, at least 1.1 times the size of the type.
    func leading(_ step: Step) -> Double {
        max(length(step.leading), (Self.leastLeading * length(step.rawValue) / 10).rounded(.up))
    }

    /// The minimum distance between two baselines, in tenths of the size of the type.
    private static let leastLeading = 11.0
}
