// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// The table of Dynamic Type: font sizes and leadings of each text style.
///
/// Source: Apple's Human Interface Guidelines, "Typography", iOS and iPadOS, captured in June 2026. Irregular values
/// are not errors: in Apple's table too, the subheadline's leading at `extraExtraExtraLarge` is 28.
enum DynamicType {
    /// The font size and the leading of a text style, in points; the leading is the distance between baselines.
    struct Metrics: Hashable, Sendable {
        let size: Double
        let leading: Double
    }

    /// The minimum font size in points (Human Interface Guidelines, "Widgets").
    static let smallestSize = 11.0

    static func metrics(of style: LayoutFont.Style, in category: ContentSizeCategory) -> Metrics {
        let (size, leading) = table(of: style)[category.rank]
        return Metrics(size: size, leading: leading)
    }

    /// Returns the metrics of a style that belong to a size of the style body, in points.
    ///
    /// They are those of the text size at which the body has this size, or between those of two text sizes. Outside of the
    /// table, they have the proportions of the nearest text size.
    static func metrics(of style: LayoutFont.Style, besideBody size: Double) -> Metrics {
        let table = table(of: style)
        let exact: Double
        if let upper = body.firstIndex(where: { $0.0 >= size }) {
            let (lower, higher) = (max(upper - 1, 0), upper)
            if upper == 0 {
                exact = max(table[0].0 * size / body[0].0, smallestSize)
            } else {
                let part = (size - body[lower].0) / (body[higher].0 - body[lower].0)
                exact = table[lower].0 + (table[higher].0 - table[lower].0) * part
            }
        } else {
            let last = body.count - 1
            exact = table[last].0 * size / body[last].0
        }
        return Metrics(size: exact.rounded(), leading: leading(of: style, size: exact.rounded()))
    }

    /// Returns the distance between baselines for a font size, in points.
    ///
    /// The distance is that of the style at the text size that has this font size, or between those of its neighbours, so
    /// type of one size has the same leading at all text sizes. Type outside of the table has the proportions of the
    /// nearest size; smaller type has those of the text size `large`.
    static func leading(of style: LayoutFont.Style, size: Double) -> Double {
        let table = table(of: style)
        let large = metrics(of: style, in: .large)
        guard let upper = table.firstIndex(where: { $0.0 >= size }), let last = table.last else {
            return (table.last.map { $0.1 / $0.0 } ?? 1) * size
        }
        if table[upper].0 == size { return table[upper].1 }
        guard upper > 0, size < last.0 else { return min(large.leading / large.size * size, table[upper].1) }
        let (lower, higher) = (table[upper - 1], table[upper])
        return lower.1 + (higher.1 - lower.1) * (size - lower.0) / (higher.0 - lower.0)
    }

    private static func table(of style: LayoutFont.Style) -> [(Double, Double)] {
        switch style {
        case .largeTitle: largeTitle
        case .title1: title1
        case .title2: title2
        case .title3: title3
        case .headline, .body: body
        case .callout: callout
        case .subheadline: subheadline
        case .footnote: footnote
        case .caption1: caption1
        case .caption2: caption2
        }
    }

    private static let largeTitle: [(Double, Double)] = [
        (31, 38), (32, 39), (33, 40), (34, 41), (36, 43), (38, 46),
        (40, 48), (44, 52), (48, 57), (52, 61), (56, 66), (60, 70),
    ]
    private static let title1: [(Double, Double)] = [
        (25, 31), (26, 32), (27, 33), (28, 34), (30, 37), (32, 39),
        (34, 41), (38, 46), (43, 51), (48, 57), (53, 62), (58, 68),
    ]
    private static let title2: [(Double, Double)] = [
        (19, 24), (20, 25), (21, 26), (22, 28), (24, 30), (26, 32),
        (28, 34), (34, 41), (39, 47), (44, 52), (50, 59), (56, 66),
    ]
    private static let title3: [(Double, Double)] = [
        (17, 22), (18, 23), (19, 24), (20, 25), (22, 28), (24, 30),
        (26, 32), (31, 38), (37, 44), (43, 51), (49, 58), (55, 65),
    ]
    /// The pairs of font size and leading of the style body in points, from the smallest text size to the largest.
    ///
    /// The style headline has the same sizes; only its weight is different.
    private static let body: [(Double, Double)] = [
        (14, 19), (15, 20), (16, 21), (17, 22), (19, 24), (21, 26),
        (23, 29), (28, 34), (33, 40), (40, 48), (47, 56), (53, 62),
    ]
    private static let callout: [(Double, Double)] = [
        (13, 18), (14, 19), (15, 20), (16, 21), (18, 23), (20, 25),
        (22, 28), (26, 32), (32, 39), (38, 46), (44, 52), (51, 60),
    ]
    private static let subheadline: [(Double, Double)] = [
        (12, 16), (13, 18), (14, 19), (15, 20), (17, 22), (19, 24),
        (21, 28), (25, 31), (30, 37), (36, 43), (42, 50), (49, 58),
    ]
    private static let footnote: [(Double, Double)] = [
        (12, 16), (12, 16), (12, 16), (13, 18), (15, 20), (17, 22),
        (19, 24), (23, 29), (27, 33), (33, 40), (38, 46), (44, 52),
    ]
    private static let caption1: [(Double, Double)] = [
        (11, 13), (11, 13), (11, 13), (12, 16), (14, 19), (16, 21),
        (18, 23), (22, 28), (26, 32), (32, 39), (37, 44), (43, 51),
    ]
    private static let caption2: [(Double, Double)] = [
        (11, 13), (11, 13), (11, 13), (11, 13), (13, 18), (15, 20),
        (17, 22), (20, 25), (24, 30), (29, 35), (34, 41), (40, 48),
    ]
}

extension LayoutFont {
    /// Creates the font of a text style at a text size.
    ///
    /// The size of a scaled style is rounded to whole points. `typeScale` multiplies the size of the style body; the size of
    /// another style is then the one that belongs to this body, and `scale` multiplies that.
    init(
        _ style: Style,
        _ weight: Weight,
        italic: Bool = false,
        scale: Double = 1,
        typeScale: Double = 1,
        lineSpacing: Double = 1,
        in category: ContentSizeCategory
    ) {
        let metrics =
            typeScale == 1
            ? DynamicType.metrics(of: style, in: category)
            : DynamicType.metrics(
                of: style,
                besideBody: DynamicType.metrics(of: .body, in: category).size * typeScale
            )
        let size = scale == 1 ? metrics.size : (metrics.size * scale).rounded()
        self.init(
            style: style,
            weight: weight,
            italic: italic,
            scale: typeScale == 1 ? scale : size / DynamicType.metrics(of: style, in: category).size,
            size: size,
            leading: metrics.leading * scale * lineSpacing
        )
    }
}
