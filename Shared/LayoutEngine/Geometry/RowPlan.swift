// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// The rows that a display shows, with their heights, and the footer with "Show more" or "Show less" if there is one.
struct RowPlan: Hashable, Sendable {
    /// The height in points of the footer with "Show more" or "Show less".
    static let footerHeight = 44.0

    /// A row that is shown.
    struct Row: Hashable, Sendable {
        var height: Double
        var titleLines = 1
    }

    enum Footer: Hashable, Sendable {
        case showMore
        case showLess
    }

    /// The rows that are shown.
    let rows: [Row]
    /// The padding above and below the content of each row, in points.
    let padding: Double
    /// The footer after the last row; nil if there is none.
    let footer: Footer?

    /// The values from which a plan is computed, such as the number of items and the available height.
    struct Input {
        var items: Int
        var heights: RowHeights
        var limits: RowLimits
        var isExpanded: Bool
        var height: Double
        var mode: DisplayArea.Mode
        /// A Boolean value that indicates whether the padding of rows may be reduced to show one more row.
        var mayTighten = false
        /// The number of labels below the title of each row, by the row's index; empty if every row has all labels.
        ///
        /// A row with fewer labels is lower than a row with all labels, except on hosts without compact and expanded
        /// mode.
        var details: [Int] = []
    }

    /// Creates the plan with as many rows as fit.
    ///
    /// If not even one row fits with all of its labels, rows have fewer labels, so that widgets are useful in compact
    /// mode too. If `titles` is nil, the title of each row has one line. Otherwise, rows with long titles may have more
    /// title lines and be higher; see ``RowTitles``.
    init(_ input: Input, titles: RowTitles? = nil) {
        let collapsed = min(input.items, max(input.limits.collapsed, 0))
        let expanded = min(input.items, max(input.limits.expanded, collapsed))
        let wanted: Int
        switch input.mode {
        case .compact: wanted = collapsed
        case .expanded, .fixed: wanted = min(input.items, max(input.limits.expanded, 0))
        case .classic: wanted = expanded
        }
        let fitter = Fitter(input: input, titles: titles, wanted: wanted)
        guard input.mode == .classic else {
            (rows, padding) = fitter.rows(wanted, in: input.height)
            footer = nil
            return
        }
        // The footer is shown only if pressing it shows more rows.
        let above = input.height - Self.footerHeight
        let (few, many) = (fitter.rows(collapsed, in: above), fitter.rows(expanded, in: above))
        if !few.rows.isEmpty, many.rows.count > few.rows.count {
            (rows, padding) = input.isExpanded ? many : few
            footer = input.isExpanded ? .showLess : .showMore
        } else {
            (rows, padding) = fitter.rows(expanded, in: input.height)
            footer = nil
        }
    }

    /// The computation that fits rows into a height.
    private struct Fitter {
        let input: Input
        let titles: RowTitles?
        /// The number of title lines that each row needs in addition to the first line, by the row's index.
        ///
        /// The array is empty if `titles` is nil, or if the property ``RowTitles/growRows`` of `titles` is false.
        private let added: [Int]

        init(input: Input, titles: RowTitles?, wanted: Int) {
            self.input = input
            self.titles = titles
            let growRows = titles?.growRows == true
            added = growRows ? (0..<min(wanted, Self.mostMeasured)).map { (titles?.wantedLines(of: $0) ?? 1) - 1 } : []
        }

        /// The maximum number of rows whose heights are computed individually; no display has space for more.
        private static let mostMeasured = 64

        func rows(_ wanted: Int, in height: Double) -> (rows: [Row], padding: Double) {
            var (rows, padding) = whole(wanted, in: height)
            if input.mode == .classic { return (rows, padding) }
            guard let titles else { return (rows, padding) }
            // Titles that would be cut get the remaining height.
            var rest = rows.reduce(height) { $0 - $1.height } + Room.tolerance
            for index in rows.indices where rest >= titles.leading {
                let lines = titles.wantedLines(of: index) - rows[index].titleLines
                let more = min(max(lines, 0), Int(rest / titles.leading))
                rows[index].titleLines += more
                rows[index].height += Double(more) * titles.leading
                rest -= Double(more) * titles.leading
            }
            return (rows, padding)
        }

        /// The minimum height of a row with missing labels, in points; a lower row would be difficult to tap.
        private static let lowest = 44.0

        /// Returns the height, in points, by which a row with missing labels is lower than a row with all labels.
        ///
        /// `count` is the number of labels that the row has below its title. `level` is an index in
        /// ``RowHeights/levels``, and determines how many labels a row can have. The result is limited, so that it
        /// never reduces a height below ``lowest``.
        private func missingHeight(_ count: Int, at level: Int) -> Double {
            let most = max(input.heights.levels[level].other - Self.lowest, 0)
            return min(input.heights.missing(count, at: level), most)
        }

        private func whole(_ wanted: Int, in height: Double) -> (rows: [Row], padding: Double) {
            let leading = titles?.leading ?? 0
            for (index, level) in input.heights.levels.enumerated() {
                let missing = input.mode == .classic ? [] : input.details.map { missingHeight($0, at: index) }
                let grown = input.heights.fitting(
                    level,
                    rows: wanted,
                    added: added.indices.map { row in
                        Double(added[row]) * leading - (row < missing.count ? missing[row] : 0)
                    },
                    in: height
                )
                if !added.isEmpty, !grown.isEmpty {
                    return (zip(grown, added).map { Row(height: $0, titleLines: $1 + 1) }, RowHeights.padding)
                }
                let lower = missing.map { -$0 }
                let plain = input.heights.fitting(level, rows: wanted, added: lower, in: height)
                guard !plain.isEmpty else { continue }
                guard input.mayTighten, plain.count < wanted else {
                    return (plain.map { Row(height: $0) }, RowHeights.padding)
                }
                let saved = 2 * (RowHeights.padding - RowHeights.tightPadding)
                let tight = RowHeights.Level(first: level.first - saved, other: level.other - saved)
                let tightRows = input.heights.fitting(tight, rows: wanted, added: lower, in: height)
                return tightRows.count > plain.count
                    ? (tightRows.map { Row(height: $0) }, RowHeights.tightPadding)
                    : (plain.map { Row(height: $0) }, RowHeights.padding)
            }
            return ([], RowHeights.padding)
        }
    }
}
