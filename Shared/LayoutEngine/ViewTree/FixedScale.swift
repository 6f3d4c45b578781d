// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// The choice of the text scale on home-screen widgets, which have a fixed size and cannot be expanded.
///
/// A single text has the scale that ``SingleTextScale`` chooses; scales above 1 are allowed on `systemLarge` and
/// `systemExtraLarge`. Rows have the ordinary scale on other families. On these two, they have the last of the larger sizes
/// of which each shows as much as the one before. On `systemExtraLarge`, they are in two columns if more rows fit in this way.
struct FixedScale {
    /// The maximum size of a single text, as a multiple of the ordinary size.
    private static let largestText = 2.4
    /// The sizes of the style body that are tried for rows, in points and ascending order, if they are larger than the
    /// ordinary size.
    ///
    /// They contain the ordinary sizes, so the rows of all text sizes take the same steps: the size at which they stop is never
    /// smaller at a larger text size. Smaller steps are not useful, because rows that nearly fill the widget keep their size.
    private static let sizesOfRows = [15.0, 16, 17, 19, 21, 23, 25, 28]
    private static let columnsOfExtraLarge = 2
    /// The maximum font size for the days of a forecast, in points.
    ///
    /// The other sizes are smaller in steps of 1 point, down to the ordinary size. Multiples of the ordinary size are
    /// not used, because then a larger text size of the user could result in a smaller font.
    private static let largestBodyOfDays = 30.0

    /// Returns the layout of a view on a display with a fixed size, as a ``Canvas/Sketch``.
    static func sketch(
        in environment: LayoutEnvironment,
        mainText: () -> MainText?,
        _ view: (LayoutEnvironment) -> any View
    ) -> Canvas.Sketch {
        let family = environment.display.family
        let isLarge = family == .systemLarge || family == .systemExtraLarge
        let (plain, findings) =
            isLarge
            ? environment.draw(view, scaledBy: 1, columns: 1)
            : (Canvas.draw(view(environment), in: environment), ScaleFindings())
        if !plain.rowIDs.isEmpty {
            if isLarge, environment.moment.definition.kind == .forecast {
                return days(plain, in: environment, view)
            }
            return isLarge ? rows(plain, findings, in: environment, view) : plain
        }
        guard environment.moment.definition.kind.showsOneText else { return plain }
        // On large families, larger type is tried before a layout with a broken word is accepted.
        let scale = SingleTextScale(
            environment: environment,
            largest: isLarge ? largestText * environment.font(.body).size : nil,
            text: mainText()
        )
        return scale.sketch(view)
    }

    /// Returns the days of a forecast in the largest size that shows as much as `plain`.
    private static func days(
        _ plain: Canvas.Sketch,
        in environment: LayoutEnvironment,
        _ view: (LayoutEnvironment) -> any View
    ) -> Canvas.Sketch {
        let all = plain.layout.amount
        let ordinary = environment.font(.body).size
        let larger = stride(from: largestBodyOfDays, to: ordinary, by: -1).reversed().sketchOfLargest { size in
            let sketch = environment.draw(view, scaledBy: size / ordinary, columns: 1).sketch
            return sketch.isWhole && sketch.layout.amount.covers(all) ? sketch : nil
        }
        return larger ?? plain
    }

    /// Returns rows in the last of ``sizesOfRows`` that is reached without showing less at any step.
    ///
    /// `plain` is the layout with the ordinary type in one column, and `findings` belong to it.
    private static func rows(
        _ plain: Canvas.Sketch,
        _ findings: ScaleFindings,
        in environment: LayoutEnvironment,
        _ view: (LayoutEnvironment) -> any View
    ) -> Canvas.Sketch {
        let body = environment.font(.body).size
        let hasColumns = environment.display.family == .systemExtraLarge
        func draw(_ size: Double, columns: Int, fewestRows: Int) -> Drawn {
            environment.draw(view, scaledBy: size / body, columns: columns, fewestRows: fewestRows)
        }
        var best = (sketch: plain, findings: findings)
        var columns = 1
        if hasColumns {
            let inColumns = draw(body, columns: columnsOfExtraLarge, fewestRows: 0)
            if inColumns.sketch.rowIDs.count > plain.rowIDs.count { (best, columns) = (inColumns, columnsOfExtraLarge) }
        }
        for size in sizesOfRows where size > body {
            let fewest = best.findings.rowsOfOnlyTable
            var next = draw(size, columns: columns, fewestRows: fewest)
            if hasColumns, columns == 1, next.sketch.rowIDs.count < best.sketch.rowIDs.count {
                // Larger type shows no more rows in one column, so that is not tried again.
                columns = columnsOfExtraLarge
                next = draw(size, columns: columns, fewestRows: fewest)
            }
            guard showsAsMuch(next, as: best) else { break }
            best = next
        }
        return best.sketch
    }

    private typealias Drawn = (sketch: Canvas.Sketch, findings: ScaleFindings)

    private static func showsAsMuch(_ drawn: Drawn, as other: Drawn) -> Bool {
        let (layout, least) = (drawn.sketch.layout, other.sketch.layout)
        return layout.amount.covers(least.amount) && layout.characters >= least.characters
            && drawn.findings.broken <= other.findings.broken
            && drawn.sketch.completeness <= other.sketch.completeness
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
    /// Returns whether the largest or the smallest font is larger than that of another layout.
    func hasLargerType(than other: Layout) -> Bool {
        let (own, others) = (typeRange, other.typeRange)
        return own.largest > others.largest || own.smallest > others.smallest
    }

    /// The smallest font size in the layout, in points; infinity if there is no text.
    var smallestType: Double { typeRange.smallest }

    private var typeRange: (smallest: Double, largest: Double) {
        func range(_ views: [LayoutView]) -> (smallest: Double, largest: Double) {
            views.reduce((Double.infinity, 0)) { result, view in
                let inner = range(view.views ?? [])
                let size = view.text?.font.size
                return (
                    min(result.0, inner.smallest, size ?? .infinity), max(result.1, inner.largest, size ?? 0)
                )
            }
        }
        return range(views)
    }
}
