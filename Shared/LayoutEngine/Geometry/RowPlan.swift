// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// The rows that a display shows, with their heights, and the footer with "Show more" or "Show less" if there is one.
struct RowPlan: Hashable, Sendable {
    /// A row that is shown.
    struct Row: Hashable, Sendable {
        var height: Double
        var titleLines = 1
        /// The title, if it was measured to find out how many lines it needs.
        var title: RowTitles.Title?
        /// The index of the row's height in ``RowHeights/levels``; at a higher index, a row has fewer labels.
        var level = 0

        /// Makes the row higher for further lines of its title, and returns the added height in points.
        ///
        /// The title has at most `most` lines then. `height` is the height in points that is available.
        mutating func addLines(_ most: Int, in height: Double, _ leading: Double) -> Double {
            let lines = min(max(most - titleLines, 0), max(Int(height / leading), 0))
            titleLines += lines
            self.height += Double(lines) * leading
            return Double(lines) * leading
        }
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
        /// The ``Details`` of each row, by the row's index; empty if all rows have the same labels.
        ///
        /// On hosts without compact and expanded mode (`mode` is `classic`), these values are ignored.
        var details: [Details] = []
        /// The index of the first element of ``RowHeights/levels`` that is tried; earlier elements are not used.
        var firstLevel = 0
        /// The height of the footer with "Show more" or "Show less", in points.
        var footerHeight = 44.0
        /// A Boolean value that indicates whether two rows with fewer labels are preferred to one row with all labels.
        var prefersTwoRows = false
        /// A Boolean value that indicates whether a title is cut only if the labels below it are omitted, even if this gives it
        /// no further line.
        var omitsDetailsOfCutTitles = false
    }

    /// The number of labels below the title of a row, and the additional height for long labels.
    struct Details: Hashable {
        /// The number of labels that the row has below its title.
        ///
        /// A row with fewer labels may be lower than the other rows.
        var count: Int
        /// The additional height of the row in points, for the second and later lines of its labels.
        var added = 0.0
    }

    /// Creates the plan with as many rows as fit and the limits allow.
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
        let above = input.height - input.footerHeight
        let (few, many) = (fitter.rows(collapsed, in: above), fitter.rows(expanded, in: above))
        if !few.rows.isEmpty, many.rows.count > few.rows.count {
            (rows, padding) = input.isExpanded ? many : few
            footer = input.isExpanded ? .showLess : .showMore
        } else {
            (rows, padding) = fitter.rows(expanded, in: input.height)
            footer = nil
        }
    }

    /// The sum of the heights of all rows in points; the footer is not included.
    var height: Double { rows.reduce(0) { $0 + $1.height } }

    /// Returns the rows with the same height added to each row, so that their total height is `height` points.
    ///
    /// The edges between rows are rounded to the pixel grid.
    func stretched(to height: Double, on grid: PixelGrid) -> [Row] {
        let share = (height - self.height) / Double(max(rows.count, 1))
        var (bottom, last) = (0.0, 0.0)
        return rows.enumerated().map { index, row in
            bottom += row.height + share
            let edge = index == rows.count - 1 ? height : grid.nearest(bottom)
            var stretched = row
            stretched.height = edge - last
            last = edge
            return stretched
        }
    }

    /// The computation that fits rows into a height.
    private struct Fitter {
        let input: Input
        let titles: RowTitles?
        /// The titles in all lines that they need, by the row's index.
        ///
        /// The array is empty if ``titles`` is nil, or if ``RowTitles/growRows`` of the titles is false.
        private let measuredTitles: [RowTitles.Title]

        init(input: Input, titles: RowTitles?, wanted: Int) {
            self.input = input
            self.titles = titles
            if let titles, titles.growRows {
                measuredTitles = (0..<min(wanted, Self.mostMeasured)).map { titles.measured($0) }
            } else {
                measuredTitles = []
            }
        }

        /// The maximum number of rows whose titles are measured; no display has space for more rows.
        private static let mostMeasured = 64

        func rows(_ wanted: Int, in height: Double) -> (rows: [Row], padding: Double) {
            var (rows, padding) = whole(wanted, in: height)
            for index in rows.indices where index < measuredTitles.count { rows[index].title = measuredTitles[index] }
            guard input.mode != .classic, let titles else { return (rows, padding) }
            // Titles that would be cut get the remaining height: first a few lines each, then as many as there are.
            var rest = rows.reduce(height) { $0 - $1.height } + Room.tolerance
            for most in [RowTitles.maximumLines, RowTitles.maximumFreeLines] {
                for index in rows.indices where rest >= titles.leading {
                    let title = rows[index].title ?? titles.measured(index)
                    rows[index].title = title
                    rest -= rows[index].addLines(min(title.measured.lines.count, most), in: rest, titles.leading)
                }
            }
            completeFirstTitle(of: &rows, titles, rest: &rest)
            for index in rows.indices { omitDetails(of: &rows[index], at: index, titles, rest: &rest) }
            return (rows, padding)
        }

        /// Shows all lines of the first title if there is height for them without the details of all rows and with one title
        /// line in each other row.
        ///
        /// The last rows give their height first. Whether a first title is whole thus depends only on the space and on the type:
        /// what is whole in larger type, in the same number of rows, is whole in smaller type. `rest` is the height in points
        /// that no row has.
        private func completeFirstTitle(of rows: inout [Row], _ titles: RowTitles, rest: inout Double) {
            guard let first = rows.first else { return }
            let title = first.title ?? titles.measured(0)
            let lines = title.measured.lines.count
            guard lines > first.titleLines, !Label.isCut(title.measured.lines) else { return }
            let needed = Double(lines - first.titleLines) * titles.leading - Room.tolerance
            var (others, free) = (rows, rest)
            others[0].title = title
            while free < needed, others[0].level < input.heights.levels.count - 1 {
                free += omitDetail(of: &others[0], at: 0)
            }
            for index in rows.indices.dropFirst().reversed() {
                while free < needed, let height = shorten(&others[index], at: index, titles.leading) { free += height }
            }
            guard free >= needed else { return }
            rest = free - others[0].addLines(lines, in: free + 2 * Room.tolerance, titles.leading)
            rows = others
        }

        /// Removes the lowest detail of a row, or the last line of its title if it has none, and returns the height that
        /// this gains in points; nil if the row cannot be lower.
        private func shorten(_ row: inout Row, at index: Int, _ leading: Double) -> Double? {
            var other = row
            while other.height == row.height, other.level < input.heights.levels.count - 1 {
                _ = omitDetail(of: &other, at: index)
            }
            if other.height == row.height, row.titleLines > 1 {
                other.titleLines -= 1
                other.height -= leading
            }
            other.height = max(other.height, min(lowest, row.height))
            guard other.height < row.height else { return nil }
            let height = row.height - other.height
            row = other
            return height
        }

        /// Omits the lowest detail of a row, and returns its height in points.
        private func omitDetail(of row: inout Row, at index: Int) -> Double {
            let details = index < input.details.count ? input.details[index] : nil
            let added = row.level == 0 ? details?.added ?? 0 : 0
            let height = input.heights.detail(at: row.level, of: details?.count ?? .max) + added
            row.level += 1
            row.height -= height
            return height
        }

        /// Omits the labels below a title that would be cut, from the last one on, and gives their height to the title.
        ///
        /// `rest` is the height in points that no row has.
        private func omitDetails(of row: inout Row, at index: Int, _ titles: RowTitles, rest: inout Double) {
            let title = row.title ?? titles.measured(index)
            guard title.measured.lines.count > row.titleLines else { return }
            var (other, free) = (row, rest)
            other.title = title
            while other.level < input.heights.levels.count - 1, title.measured.lines.count > other.titleLines {
                free += omitDetail(of: &other, at: index)
                free -= other.addLines(title.measured.lines.count, in: free, titles.leading)
            }
            let lowest = min(self.lowest, row.height)
            if other.height < lowest {
                free -= lowest - other.height
                other.height = lowest
            }
            guard free >= -Room.tolerance, input.omitsDetailsOfCutTitles || other.titleLines > row.titleLines else {
                return
            }
            (row, rest) = (other, free)
        }

        /// The minimum height of a row with missing labels, in points; a lower row would be difficult to tap.
        ///
        /// On home-screen widgets, rows are as low as their content.
        private var lowest: Double {
            input.mode.isExpanded || input.mode.isCompact ? 44 : 0
        }

        /// Returns the height in points to add to each row; a negative height makes the row lower.
        ///
        /// `level` is an index in ``RowHeights/levels``. The heights of a level are those of rows with all labels of
        /// the level, each label on one line. A row with longer labels is higher, but only if `level` is 0. A row with
        /// missing labels is lower. With the ordinary padding, it is not lower than ``lowest``. The result is empty in
        /// the mode `classic`.
        private func addedHeights(at level: Int) -> [Double] {
            guard input.mode != .classic else { return [] }
            let most = max(input.heights.levels[level].other - lowest, 0)
            return input.details.map { details in
                let missing = input.heights.missing(details.count, at: level)
                return (level == 0 ? details.added : 0) - min(missing, most)
            }
        }

        private func whole(_ wanted: Int, in height: Double) -> (rows: [Row], padding: Double) {
            // Labels below the title are omitted before a title is cut.
            for level in input.heights.levels.indices.dropFirst(input.firstLevel) where !measuredTitles.isEmpty {
                let addedLines = measuredTitles.map { max(min($0.measured.lines.count, RowTitles.maximumLines) - 1, 0) }
                let rows = rows(wanted, Form(level: level, addedLines: addedLines), in: height)
                if !rows.isEmpty { return (rows, RowHeights.padding) }
            }
            for level in input.heights.levels.indices.dropFirst(input.firstLevel) {
                let plain = rows(wanted, Form(level: level), in: height)
                guard !plain.isEmpty else { continue }
                if input.prefersTwoRows, plain.count == 1, wanted > 1, input.heights.levels.count > level + 1,
                    rows(wanted, Form(level: level + 1), in: height).count > 1
                {
                    continue
                }
                guard input.mayTighten, plain.count < wanted else { return (plain, RowHeights.padding) }
                let tight = rows(wanted, Form(level: level, padding: RowHeights.tightPadding), in: height)
                return tight.count > plain.count ? (tight, RowHeights.tightPadding) : (plain, RowHeights.padding)
            }
            return ([], RowHeights.padding)
        }

        /// The values with which rows are fitted: an index in ``RowHeights/levels``, a padding and title lines.
        private struct Form {
            let level: Int
            var padding = RowHeights.padding
            /// The number of title lines of each row in addition to the first line; empty if each title has one line.
            var addedLines: [Int] = []
        }

        /// Returns the first rows, at most `wanted`, that fit into a height in points.
        private func rows(_ wanted: Int, _ form: Form, in height: Double) -> [Row] {
            let heights = input.heights.lowered(by: 2 * (RowHeights.padding - form.padding))
            let leading = titles?.leading ?? 0
            var added = addedHeights(at: form.level)
            for (index, lines) in form.addedLines.enumerated() {
                if index == added.count { added.append(0) }
                added[index] += Double(lines) * leading
            }
            let fitting = heights.fitting(heights.levels[form.level], rows: wanted, added: added, in: height)
            return fitting.enumerated().map { index, height in
                let lines = index < form.addedLines.count ? form.addedLines[index] : 0
                return Row(height: height, titleLines: lines + 1, level: form.level)
            }
        }
    }
}
