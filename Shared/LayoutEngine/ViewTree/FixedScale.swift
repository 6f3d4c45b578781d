// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// The choice of the text scale on home-screen widgets, which have a fixed size and cannot be expanded.
///
/// For a single text, see ``SingleTextScale``; the text may be larger than usual on `systemLarge` and
/// `systemExtraLarge`. On `systemExtraLarge`, rows are in two columns if more rows fit in this way, and a forecast has
/// the largest scale at which all of its days fit.
struct FixedScale {
    /// The scales above 1 that are tried if there is space, in descending order.
    private static let larger = [1.8, 1.6, 1.4, 1.2]
    private static let columnsOfExtraLarge = 2
    /// The largest font size that is tried for the days of a forecast, in points.
    ///
    /// Smaller sizes are then tried in steps of 1 point, down to the ordinary size. The steps are not factors of the
    /// ordinary size: with factors, days could have a smaller font if the user chooses a larger text size.
    private static let largestBodyOfDays = 30.0

    /// Returns the layout of a view on a display with a fixed size, as a ``Canvas/Sketch``.
    static func sketch(
        in environment: LayoutEnvironment,
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
        let text = SingleTextScale(environment: environment, larger: isLarge ? larger : [], plain: plain)
        return text.sketch(view) ?? plain
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
    var isWhole: Bool {
        func isWhole(_ view: LayoutView) -> Bool {
            view.text?.lines.last?.text.hasSuffix("…") != true && (view.views ?? []).allSatisfy(isWhole)
        }
        return views.allSatisfy(isWhole)
    }

    /// The smallest font size of the layout in points; infinity if there is no text.
    var smallestType: Double {
        func smallest(_ view: LayoutView) -> Double {
            (view.views ?? []).reduce(view.text?.font.size ?? .infinity) { min($0, smallest($1)) }
        }
        return views.reduce(.infinity) { min($0, smallest($1)) }
    }
}
