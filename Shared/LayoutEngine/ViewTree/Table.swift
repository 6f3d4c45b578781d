// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// A view of complete rows: as many as the widget's limits and the display's height allow.
///
/// On hosts without compact and expanded mode, a footer may follow the rows. The extra large family shows as
/// many rows as fit, in columns if one column is not enough.
struct Table: View {
    /// A view above the rows, which is shown in every mode.
    var header: (any View)?
    let count: Int
    let heights: RowHeights
    let limits: RowLimits
    /// Returns the number of labels below the title of a row, and their additional height.
    ///
    /// The arguments are the row's index, and the factor by which the font size of all titles is multiplied. The
    /// property is nil if all rows have the same labels.
    var details: ((_ row: Int, _ titleScale: Double) -> RowPlan.Details)?
    /// A Boolean value that indicates whether two rows with fewer labels are preferred to one row with all labels.
    var prefersTwoRows = false
    private let titles: RowTitles?
    private let row: (Int, RowForm) -> TableRow

    /// The values with which the content of a row is created: its title lines, title scale and number of labels.
    struct RowForm: Hashable {
        /// The title of the row if it was measured before, so that it need not be created again.
        var title: RowTitles.Title?
        /// The number of lines of the row's title.
        var titleLines = 1
        /// The factor by which the font size of all titles is multiplied.
        var titleScale = 1.0
        /// The index of the row's height in ``RowHeights/levels``; at a higher index, a row has fewer labels.
        var level = 0
    }

    /// Creates a table.
    ///
    /// `titles` contains the titles of the rows; it is nil if each title always has one line. `row` creates the row of
    /// an item.
    init<Item>(
        _ items: [Item],
        heights: RowHeights,
        limits: RowLimits,
        header: (any View)? = nil,
        titles: RowTitles? = nil,
        _ row: @escaping (_ item: Item, _ form: RowForm) -> TableRow
    ) {
        self.init(count: items.count, heights: heights, limits: limits, header: header, titles: titles) {
            row(items[$0], $1)
        }
    }

    /// Creates a table; `row` creates a row by its index.
    ///
    /// `titles` contains the titles of the rows; it is nil if each title always has one line.
    init(
        count: Int,
        heights: RowHeights,
        limits: RowLimits,
        header: (any View)? = nil,
        titles: RowTitles? = nil,
        _ row: @escaping (_ index: Int, _ form: RowForm) -> TableRow
    ) {
        self.count = count
        self.heights = heights
        self.limits = limits
        self.header = header
        self.titles = titles
        self.row = row
    }

    var isFlexible: Bool { true }

    func solve(in room: Room, _ environment: LayoutEnvironment) -> SolvedView? {
        var result = SolvedView(size: Size(width: room.width, height: 0), views: [])
        if let header {
            guard let solved = header.solve(in: room, environment) else { return nil }
            result.append(solved, x: 0, y: 0)
            result.size.height = solved.size.height
        }
        var input = RowPlan.Input(
            items: count,
            heights: heights,
            limits: limits,
            isExpanded: environment.moment.interaction.expanded,
            height: room.height - result.size.height,
            mode: environment.area.mode,
            mayTighten: environment.display.family.isFixed,
            footerHeight: ListFooter.height(in: environment),
            prefersTwoRows: prefersTwoRows,
            omitsDetailsOfCutTitles: environment.display.family.isFixed || environment.isAccessibilitySize
        )
        let isInColumns = environment.columns > 1
        if isInColumns { input.limits = Self.limitsInColumns(limits) }
        if let details {
            let most = max(input.limits.collapsed, input.limits.expanded, 0)
            input.details = (0..<min(count, Self.mostIndividual, most)).map { details($0, 1) }
        }
        if isInColumns {
            addColumns(input, in: room, to: &result, environment)
            return result
        }
        let plans = plans([input], titles)
        let plan = plans.columns[0]
        guard countsEnoughRows(plans.columns, environment) else { return result }
        let column = Column(
            x: 0,
            width: room.width,
            margins: (environment.area.leadingTextMargin, environment.area.trailingTextMargin),
            padding: plan.padding,
            titleScale: plans.titleScale
        )
        add(plan.rows, in: column, to: &result, environment)
        if let footer = plan.footer {
            addDivider(in: column, below: &result, environment)
            let area = Room(width: room.width, height: input.footerHeight)
            if let view = ListFooter(footer).view(in: environment).solve(in: area, environment) {
                result.append(view, x: 0, y: result.size.height)
            }
            result.size.height += input.footerHeight
        }
        return result
    }

    /// Counts the rows in the environment's findings; returns true if there are at least
    /// ``LayoutEnvironment/fewestRows``.
    private func countsEnoughRows(_ columns: [RowPlan], _ environment: LayoutEnvironment) -> Bool {
        let rows = columns.reduce(0) { $0 + $1.rows.count }
        environment.findings?.addTable(rows: rows)
        return rows >= environment.fewestRows
    }

    /// The plans of all columns, and the font scale that all titles share.
    private struct Plans {
        let columns: [RowPlan]
        var titleScale = 1.0
    }

    /// Returns the plans of all columns, with the largest titles that do not break an ordinary word.
    ///
    /// `inputs` has one element for each column. `titles` contains the titles of all rows; it is nil if each title
    /// always has one line. If titles of every size break an ordinary word, rows are omitted from the first such title
    /// on, but not if fewer rows were shown than with titles of the ordinary size. They then have their ordinary size.
    private func plans(_ inputs: [RowPlan.Input], _ titles: RowTitles?) -> Plans {
        guard let titles else { return Plans(columns: inputs.map { RowPlan($0) }) }
        // `broken` is the index of the first row whose title breaks a word.
        func plans(_ titles: RowTitles, items: Int = .max) -> (plans: Plans, broken: Int?) {
            var columns: [RowPlan] = []
            var broken: Int?
            var first = 0
            for var input in inputs {
                let own = inputs.count == 1 ? titles : titles.ofColumn(from: first)
                if titles.scale != 1 {
                    input.heights = titles.heights(input.heights)
                    if let details {
                        input.details = input.details.indices.map { details($0 + first, titles.scale) }
                    }
                }
                input.items = min(input.items, items)
                columns.append(RowPlan(input, titles: own))
                broken = broken ?? own.firstBroken(in: columns[columns.count - 1].rows).map { $0 + first }
                first += input.items
            }
            return (Plans(columns: columns, titleScale: titles.scale), broken)
        }
        let ordinary = plans(titles)
        guard ordinary.broken != nil else { return ordinary.plans }
        let fewest = max(ordinary.plans.columns[0].rows.count, 1)
        var fewer: (titles: RowTitles, rows: Int)?
        for titles in titles.smaller {
            let result = plans(titles)
            // The titles are smaller only if that keeps all words whole.
            guard let broken = result.broken else { return result.plans }
            if fewer == nil, inputs.count == 1, broken >= fewest { fewer = (titles, broken) }
        }
        // With fewer rows, titles have more lines, which can break a word again.
        let reduced = fewer.map { plans($0.titles, items: $0.rows) }
        return reduced.flatMap { $0.broken == nil ? $0.plans : nil } ?? ordinary.plans
    }

    /// Returns the row limits in columns: `limits`, or no limits if `limits.expanded` has its default value.
    private static func limitsInColumns(_ limits: RowLimits) -> RowLimits {
        limits.expanded == RowLimits.defaultExpanded ? RowLimits(collapsed: .max, expanded: .max) : limits
    }

    /// A column of rows, which covers a part of the table's width.
    private struct Column {
        let x: Double
        let width: Double
        let margins: (leading: Double, trailing: Double)
        /// The padding above and below the content of each row, in points.
        let padding: Double
        /// The factor by which the font size of all titles is multiplied.
        var titleScale = 1.0
        /// The index of the item in the first row of the column.
        var firstItem = 0
    }

    /// The number of rows at the start of the table whose heights depend on the number of their labels.
    ///
    /// All later rows have the height of a row with all labels. No display has space for so many rows.
    private static let mostIndividual = 64

    // MARK: Columns

    /// Adds rows that fill the height: in one column if it has space for all rows, and otherwise in several
    /// columns.
    ///
    /// There are at most `environment.columns` columns.
    private func addColumns(
        _ input: RowPlan.Input,
        in room: Room,
        to result: inout SolvedView,
        _ environment: LayoutEnvironment
    ) {
        let area = environment.area
        let top = result.size.height
        let inputs = inputs(input, environment)
        guard !inputs.isEmpty else { return }
        let plans = plans(inputs, titles)
        guard countsEnoughRows(plans.columns, environment) else { return }
        let isFull = inputs.reduce(0) { $0 + $1.items } < min(count, input.limits.expanded)
        // All columns end at the same height, and the last row is within the available height.
        let height =
            plans.columns.map { plan in
                let free = max(input.height - plan.height, 0)
                return plan.height
                    + min(free, isFull ? free : Self.mostStretched * heightOfRow * Double(plan.rows.count))
            }.max() ?? 0
        let bottom = min(area.grid.nearest(height), area.grid.down(input.height))
        let margin = max(area.leadingTextMargin, area.trailingTextMargin)
        let edges = (0...inputs.count).map { area.grid.nearest(room.width * Double($0) / Double(inputs.count)) }
        var first = 0
        for (index, plan) in plans.columns.enumerated() {
            result.size.height = top
            let place = Column(
                x: edges[index],
                width: edges[index + 1] - edges[index],
                margins: (
                    index == 0 ? area.leadingTextMargin : environment.columnMargin,
                    index == inputs.count - 1 ? margin : environment.columnMargin
                ),
                padding: plan.padding,
                titleScale: plans.titleScale,
                firstItem: first
            )
            add(plan.stretched(to: bottom, on: area.grid), in: place, to: &result, environment)
            first += inputs[index].items
        }
        result.size.height = top + bottom
    }

    /// Returns the input for the plan of each column; empty if no row fits.
    ///
    /// The result has only one element if one column shows all rows. If there are
    /// several elements, each contains only the rows of its column.
    private func inputs(_ input: RowPlan.Input, _ environment: LayoutEnvironment) -> [RowPlan.Input] {
        var input = input
        // Only titles that make rows higher change the number of rows. In several columns, no title does.
        let titles = environment.columns == 1 && titles?.growRows == true ? titles : nil
        var fitting = RowPlan(input, titles: titles).rows.count
        // Two rows with fewer labels say more than one row.
        for level in heights.levels.indices.dropFirst()
        where fitting == 1 && count > 1 && !environment.isAccessibilitySize {
            var sparser = input
            sparser.firstLevel = level
            fitting = RowPlan(sparser, titles: nil).rows.count
            if fitting > 1 { input = sparser }
        }
        let wanted = min(count, input.limits.expanded)
        guard fitting > 0 else { return [] }
        guard fitting < wanted, environment.columns > 1 else { return [input] }
        let shown = min(wanted, environment.columns * fitting)
        let most = (shown + environment.columns - 1) / environment.columns
        return stride(from: 0, to: shown, by: most).map { first in
            var column = input
            column.items = min(most, shown - first)
            column.limits = RowLimits(collapsed: column.items, expanded: column.items)
            column.details = Array(input.details.dropFirst(first).prefix(column.items))
            return column
        }
    }

    /// The maximum height that is added to each row if all rows are shown, as a fraction of the row's height.
    private static let mostStretched = 0.6
    private var heightOfRow: Double { heights.levels.first?.other ?? 0 }

    // MARK: Rows

    private func add(
        _ rows: some Collection<RowPlan.Row>,
        in column: Column,
        to result: inout SolvedView,
        _ environment: LayoutEnvironment
    ) {
        result.views.reserveCapacity(result.views.count + 2 * rows.count + 1)
        result.rowIDs.reserveCapacity(result.rowIDs.count + rows.count)
        for (offset, plan) in rows.enumerated() {
            if offset > 0 || header != nil { addDivider(in: column, below: &result, environment) }
            let form = RowForm(
                title: plan.title,
                titleLines: plan.titleLines,
                titleScale: column.titleScale,
                level: plan.level
            )
            let row = row(column.firstItem + offset, form)
            let (view, completeness) = row.solve(
                in: Rectangle(x: column.x, y: result.size.height, width: column.width, height: plan.height),
                margins: column.margins,
                padding: column.padding,
                environment
            )
            result.views.append(view)
            result.rowIDs.append(row.id)
            result.completeness = max(result.completeness, completeness)
            result.size.height += plan.height
        }
    }

    /// Adds a divider of one pixel below the rows, from the text's leading edge to the rows' trailing edge.
    private func addDivider(in column: Column, below solved: inout SolvedView, _ environment: LayoutEnvironment) {
        let (y, pixel) = (solved.size.height, environment.area.grid.pixel)
        let margin = min(column.margins.leading, column.width)
        let width = max(column.width - margin, 0)
        guard y >= pixel else { return }
        let frame = Rectangle(x: column.x + margin, y: y - pixel, width: width, height: pixel)
        solved.views.append(LayoutView(kind: .divider, frame: frame))
    }
}
