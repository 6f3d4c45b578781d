// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// The choice of the text scale on home-screen widgets, which have a fixed size and cannot be expanded.
///
/// A single text has the scale that ``SingleTextScale`` chooses; scales above 1 are allowed on `systemLarge` and
/// `systemExtraLarge`. Rows have the ordinary scale, with two exceptions on `systemExtraLarge`. A forecast has the
/// largest scale that shows as much as the ordinary scale. Other rows are in two columns if more rows fit in this way.
struct FixedScale {
    /// The scales above 1 that are tried if there is space, in descending order.
    private static let larger = [1.8, 1.6, 1.4, 1.2]
    private static let columnsOfExtraLarge = 2
    /// The largest font size that is tried for the days of a forecast, in points.
    ///
    /// Smaller sizes are then tried in steps of 1 point, down to the ordinary size. Multiples of the ordinary size are
    /// not used, because then a larger text size of the user could result in a smaller font.
    private static let largestBodyOfDays = 30.0

    /// Returns the layout of a view on a display with a fixed size, as a ``Canvas/Sketch``.
    static func sketch(
        in environment: LayoutEnvironment,
        mainText: () -> MainText?,
        _ view: (LayoutEnvironment) -> any View
    ) -> Canvas.Sketch {
        func draw(_ scale: Double, columns: Int = 1) -> (sketch: Canvas.Sketch, words: WordFindings) {
            environment.draw(view, scaledBy: scale, columns: columns)
        }
        let plain = Canvas.draw(view(environment), in: environment)
        let family = environment.display.family
        if !plain.rowIDs.isEmpty {
            guard family == .systemExtraLarge else { return plain }
            if environment.moment.definition.kind == .forecast {
                let all = plain.layout.amount
                for size in stride(from: largestBodyOfDays, to: environment.font(.body).size, by: -1) {
                    let scale = size / environment.font(.body).size
                    let sketch = draw(scale).sketch
                    if sketch.layout.isWhole, sketch.layout.amount.covers(all) { return sketch }
                }
                return plain
            }
            let inColumns = draw(1, columns: columnsOfExtraLarge).sketch
            return inColumns.rowIDs.count > plain.rowIDs.count ? inColumns : plain
        }
        guard environment.moment.definition.kind.showsOneText else { return plain }
        let isLarge = family == .systemLarge || family == .systemExtraLarge
        let scale = SingleTextScale(
            environment: environment,
            larger: isLarge ? larger : [],
            plain: plain,
            text: mainText()
        )
        return scale.sketch(view) ?? plain
    }
}

extension WidgetKind {
    /// A Boolean value that indicates whether a widget of this kind shows a single text.
    var showsOneText: Bool {
        switch self {
        case .quote, .keyValue: true
        case .feed, .forecast, .documents, .json: false
        }
    }
}

extension Layout {
    /// A Boolean value that indicates whether no text is cut.
    ///
    /// A text counts as cut if its last line ends with an ellipsis, even if the ellipsis belongs to the text itself.
    var isWhole: Bool {
        func isWhole(_ view: LayoutView) -> Bool {
            view.text?.lines.last?.text.hasSuffix("…") != true && (view.views ?? []).allSatisfy(isWhole)
        }
        return views.allSatisfy(isWhole)
    }

    /// The smallest font size in the layout, in points; infinity if there is no text.
    var smallestType: Double {
        func smallest(_ view: LayoutView) -> Double {
            (view.views ?? []).reduce(view.text?.font.size ?? .infinity) { min($0, smallest($1)) }
        }
        return views.reduce(.infinity) { min($0, smallest($1)) }
    }
}
