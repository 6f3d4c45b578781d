// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import WidgetSchema

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
