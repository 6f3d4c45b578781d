// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import WidgetSchema

/// The choice of the text scale on a panel, so that the content fills the panel.
///
/// The result is the largest scale at which everything is shown completely, but not less than the panel's ordinary
/// scale. Few scales are tried: if something does not fit at a scale, no larger one is chosen. If not everything fits at
/// the ordinary scale, rows are shown in one column at that scale, unless several columns at a smaller scale show more
/// rows.
///
/// In that case, rows are shown in one column at the smaller scale if one column shows as many rows as several.
/// Otherwise, they are shown in several columns, whose scale is raised as far as possible without showing less.
///
/// For a single text, see ``SingleTextScale``.
struct PanelScale {
    /// The area of a panel on which text is as large as on a phone, in square points.
    private static let ordinaryArea = 112_500.0
    /// The exponent with which the text scale grows: `(area / ordinaryArea)` to the power of `growth`.
    ///
    /// The exponent is less than 0.5, so a larger panel has larger text and also more rows.
    private static let growth = 0.4
    private static let largest = 9.0
    /// The maximum factor by which the ordinary scale is multiplied.
    private static let largestFactor = 3.4
    /// The smallest factor by which the ordinary scale is multiplied for rows in several columns.
    ///
    /// Several columns are used only if they show more rows at this factor than one column at the ordinary scale. If
    /// so, the larger ``factorsOfColumns`` are tried, too.
    private static let columnFactor = 0.75
    /// The minimum width of a column at scale 1, in points.
    private static let narrowestColumn = 240.0
    private static let mostColumns = 4

    /// Returns the layout of a view on a panel at the best scale, as a ``Canvas/Sketch``.
    static func sketch(
        in environment: LayoutEnvironment,
        mainText: () -> MainText?,
        _ view: (LayoutEnvironment) -> any View
    ) -> Canvas.Sketch {
        func draw(
            _ scale: Double,
            columns: Int = 1,
            fewestRows: Int = 0
        ) -> (sketch: Canvas.Sketch, findings: ScaleFindings) {
            environment.draw(view, scaledBy: scale, columns: columns, fewestRows: fewestRows)
        }
        let ordinary = ordinaryScale(environment)
        let body = environment.font(.body).size
        let most = min(largestFactor * ordinary * body, largest * DynamicType.metrics(of: .body, in: .large).size)
        let smallest = draw(smallestScale)
        if environment.moment.definition.kind.showsOneText, smallest.sketch.rowIDs.isEmpty {
            let scale = SingleTextScale(
                environment: environment,
                ordinary: ordinary * body,
                largest: max(most, ordinary * body),
                text: mainText()
            )
            return scale.sketch(view)
        }
        let all = smallest.sketch.layout.amount
        func showsAll(_ drawn: (sketch: Canvas.Sketch, findings: ScaleFindings)) -> Bool {
            drawn.findings.broken == drawn.findings.brokenLongWords && drawn.sketch.isWhole
                && drawn.sketch.layout.amount.covers(all)
        }
        let plain = ordinary == smallestScale ? smallest : draw(ordinary)
        if showsAll(plain) {
            let sizes = TypeLadder.descending(below: most, atLeast: ordinary * body + 1).reversed().map { $0 / body }
            let best = sizes.sketchOfLargest { scale in
                let drawn = draw(scale, fewestRows: smallest.findings.rowsOfOnlyTable)
                return showsAll(drawn) ? drawn.sketch : nil
            }
            return best ?? plain.sketch
        }
        let sketch = plain.sketch
        let scale = max(ordinary * columnFactor, 1)
        let columns = min(Int(environment.area.textWidth / (narrowestColumn * scale)), mostColumns)
        guard columns > 1, !environment.isAccessibilitySize, !sketch.rowIDs.isEmpty else { return sketch }
        let inColumns = draw(scale, columns: columns).sketch
        guard inColumns.rowIDs.count > sketch.rowIDs.count else { return sketch }
        // If one column holds as many rows, it is used, because its titles have the full width.
        let inOne = draw(scale).sketch
        if inOne.rowIDs.count >= inColumns.rowIDs.count { return inOne }
        let least = inColumns.layout
        for factor in factorsOfColumns where ordinary * factor > scale {
            let sketch = draw(ordinary * factor, columns: columns).sketch
            let layout = sketch.layout
            if layout.amount.covers(least.amount), layout.characters >= least.characters { return sketch }
        }
        return inColumns
    }

    /// The factors for the scale of several columns, in the order in which they are tried.
    ///
    /// Each factor is multiplied by the ordinary scale. A factor is used only if the panel shows at least as many rows,
    /// symbols, labels and characters as with ``columnFactor``.
    private static let factorsOfColumns = [1.4, 1.2, 1, 0.9, 0.85]

    /// The minimum text scale of rows on a panel.
    ///
    /// A panel shows the most rows, symbols and labels at this scale. A larger scale counts as showing everything if it
    /// shows as many rows, symbols and labels.
    private static let smallestScale = 1.0

    /// Returns the scale at which the style body has its ordinary size on the panel: the size for the panel's area, or the
    /// text size that the user has chosen if that is larger.
    private static func ordinaryScale(_ environment: LayoutEnvironment) -> Double {
        let area = environment.area
        let factor = min(pow(area.width * area.maximumHeight / ordinaryArea, growth), largest)
        let size = TypeLadder.down(max(factor, 1) * DynamicType.metrics(of: .body, in: .large).size)
        let chosen = environment.font(.body).size
        return max(size, chosen) / chosen
    }
}

extension LayoutEnvironment {
    /// Draws a view with a scale and a number of columns, and counts the labels that break a word and the rows of tables.
    ///
    /// If a table has space for fewer than `fewestRows` rows, it shows none.
    func draw(
        _ view: (LayoutEnvironment) -> any View,
        scaledBy scale: Double,
        columns: Int,
        fewestRows: Int = 0
    ) -> (sketch: Canvas.Sketch, findings: ScaleFindings) {
        let findings = ScaleFindings()
        let scaled = scaled(by: scale, columns: columns, findings: findings, fewestRows: fewestRows)
        return (Canvas.draw(view(scaled), in: scaled), findings)
    }
}

/// A counter of the labels that break a word at the scale that is tried, and of the tables with their rows.
final class ScaleFindings {
    /// The number of labels that break a word at their full font size, even if they break none in a smaller font.
    ///
    /// The captions of all quick actions of a widget count as one label. This label is counted if a caption is cut,
    /// breaks a word of ordinary length, or needs a font scale below 0.8.
    var broken = 0
    /// The number of labels in ``broken`` with a word of more than ``WordBreaks/longestOrdinaryWord`` letters and
    /// digits.
    ///
    /// Captions of quick actions are never counted.
    var brokenLongWords = 0
    /// A Boolean value that indicates whether there are names below a quote, even if none fits.
    var hasNames = false
    /// The number of tables that were counted; a table in columns is not counted if no row fits.
    private var tables = 0
    private var rows = 0

    /// The number of rows for which the table has space; 0 if there is not exactly one table.
    var rowsOfOnlyTable: Int { tables == 1 ? rows : 0 }

    func addTable(rows: Int) {
        tables += 1
        self.rows = rows
    }

    /// Adds the broken labels of another counter, but not its tables: the names below a quote contain none.
    func add(_ other: ScaleFindings) {
        broken += other.broken
        brokenLongWords += other.brokenLongWords
    }
}
