// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// A view of complete rows: as many as the widget's limits and the display's height allow.
///
/// On hosts without compact and expanded mode, a footer may follow the rows. Panels and the extra large family show as
/// many rows as fit, in columns if one column is not enough.
struct Table: View {
    /// A view above the rows, which is shown in every mode.
    var header: (any View)?
    let count: Int
    let heights: RowHeights
    let limits: RowLimits
    /// The maximum width of the text in a row, in points; infinity if there is no maximum.
    ///
    /// If a row has space for wider text, the text area has this width and is in the centre of the row. The dividers
    /// between rows are then as wide as the text area.
    var widestText = Double.infinity
    /// The function that returns the number of labels below a row's title; nil if all rows have the same number.
    ///
    /// The argument is the index of the row.
    var details: ((Int) -> Int)?
    private let titles: RowTitles?
    private let row: (Int, Int) -> TableRow

    /// Creates a table.
    ///
    /// `titles` are the titles of the rows; nil if titles always have one line. `row` creates the row of an item;
    /// `titleLines` is the number of lines of the row's title.
    init<Item>(
        _ items: [Item],
        heights: RowHeights,
        limits: RowLimits,
        header: (any View)? = nil,
        titles: RowTitles? = nil,
        _ row: @escaping (_ item: Item, _ titleLines: Int) -> TableRow
    ) {
        count = items.count
        self.heights = heights
        self.limits = limits
        self.header = header
        self.titles = titles
        self.row = { row(items[$0], $1) }
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
            mayTighten: environment.display.family.isFixed
        )
        // In several columns, all rows have the same height, so that they are aligned.
        if environment.panelColumns == 1, let details {
            input.details = (0..<min(count, Self.mostIndividual)).map(details)
        }
        if environment.area.isPanel || environment.panelColumns > 1 {
            input.limits = Self.panelLimits(limits)
            addColumns(input, in: room, to: &result, environment)
            return result
        }
        let plan = RowPlan(input, titles: titles)
        let column = Column(
            x: 0,
            width: room.width,
            margins: (environment.area.leadingTextMargin, environment.area.trailingTextMargin),
            padding: plan.padding
        )
        add(plan.rows, in: column, to: &result, environment)
        if let footer = plan.footer {
            addDivider(in: column, below: &result, environment)
            let area = Room(width: room.width, height: RowPlan.footerHeight)
            if let view = ListFooter(footer).view(in: environment).solve(in: area, environment) {
                result.append(view, x: 0, y: result.size.height)
            }
            result.size.height += RowPlan.footerHeight
        }
        return result
    }

    /// Returns the row limits on a panel: no limit if `limits.expanded` has its default value, and otherwise `limits`.
    static func panelLimits(_ limits: RowLimits) -> RowLimits {
        limits.expanded == RowLimits.defaultExpanded ? RowLimits(collapsed: .max, expanded: .max) : limits
    }

    /// A column of rows, which covers a part of the table's width.
    private struct Column {
        let x: Double
        let width: Double
        var margins: (leading: Double, trailing: Double)
        /// The distance from the trailing end of the dividers between rows to the column's trailing edge, in points.
        var dividerMargin = 0.0
        /// The padding above and below the content of each row, in points.
        let padding: Double
        /// The index of the item in the first row of the column.
        var firstItem = 0
    }

    /// The number of rows at the start of the table whose heights depend on the number of their labels.
    ///
    /// All later rows have the height of a row with all labels. No display has space for so many rows.
    private static let mostIndividual = 64

    // MARK: Panels

    /// Adds rows that fill the panel's height: in one column if it has space for all rows, and otherwise in several
    /// columns.
    ///
    /// The number of the columns is `environment.panelColumns`.
    private func addColumns(
        _ input: RowPlan.Input,
        in room: Room,
        to result: inout SolvedView,
        _ environment: LayoutEnvironment
    ) {
        let area = environment.area
        let top = result.size.height
        // In several columns, all rows have the same height, so that they are aligned.
        var plan = RowPlan(input, titles: environment.panelColumns == 1 ? titles : nil)
        // Two rows with fewer labels say more than one row.
        for index in heights.levels.indices.dropFirst()
        where plan.rows.count == 1 && count > 1 && !environment.isAccessibilitySize {
            var sparser = input
            sparser.heights = heights.from(level: index)
            let other = RowPlan(sparser, titles: nil)
            if other.rows.count > 1 { plan = other }
        }
        let columns = plan.rows.count < min(count, input.limits.expanded) ? environment.panelColumns : 1
        if columns == 1, environment.panelColumns > 1, plan.rows.count > 1 { plan = RowPlan(input, titles: titles) }
        guard !plan.rows.isEmpty else { return }
        let shown = min(count, input.limits.expanded, columns * plan.rows.count)
        let perColumn = (shown + columns - 1) / columns
        let rows = plan.rows.prefix(perColumn)
        let free = max(input.height - rows.reduce(0) { $0 + $1.height }, 0)
        let isFull = shown < min(count, input.limits.expanded)
        let share = isFull ? free / Double(perColumn) : min(free / Double(perColumn), Self.mostStretched * heightOfRow)
        // The edges of rows are on the pixel grid, and the last one is within the available height.
        var bottoms: [Double] = []
        for row in rows {
            let bottom = (bottoms.last ?? 0) + row.height + share
            bottoms.append(min(area.grid.nearest(bottom), area.grid.down(input.height)))
        }
        let margin = max(area.leadingTextMargin, area.trailingTextMargin)
        let edges = (0...columns).map { area.grid.nearest(room.width * Double($0) / Double(columns)) }
        for column in 0..<columns {
            let first = column * perColumn
            guard first < shown else { break }
            result.size.height = top
            // In several columns, titles get the height by which rows are stretched.
            let added = columns == 1 ? 0 : titles.map { min(Int(share / $0.leading), RowTitles.maximumLines - 1) } ?? 0
            let placed = rows.indices.prefix(shown - first).map { index in
                RowPlan.Row(
                    height: bottoms[index] - (index == 0 ? 0 : bottoms[index - 1]),
                    titleLines: rows[index].titleLines + added
                )
            }
            let place = Column(
                x: edges[column],
                width: edges[column + 1] - edges[column],
                margins: (
                    column == 0 ? area.leadingTextMargin : environment.columnMargin,
                    column == columns - 1 ? margin : environment.columnMargin
                ),
                padding: plan.padding,
                firstItem: first
            )
            add(placed, in: place, to: &result, environment)
        }
        result.size.height = top + (bottoms.last ?? 0)
    }

    /// The maximum height that is added to each row to fill a panel, as a fraction of the row's height.
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
        let column = limited(column, environment)
        for (offset, plan) in rows.enumerated() {
            if offset > 0 || header != nil { addDivider(in: column, below: &result, environment) }
            let row = row(column.firstItem + offset, plan.titleLines)
            var view = row.view(
                in: Room(width: column.width, height: plan.height),
                margins: column.margins,
                padding: column.padding,
                environment
            )
            view.frame.x = column.x
            view.frame.y = result.size.height
            result.views.append(view)
            result.rowIDs.append(row.id)
            result.size.height += plan.height
        }
    }

    /// Returns the column, with larger margins if its text could otherwise be wider than ``widestText``.
    private func limited(_ column: Column, _ environment: LayoutEnvironment) -> Column {
        let added = (column.width - column.margins.leading - column.margins.trailing - widestText) / 2
        guard added > 0 else { return column }
        var limited = column
        let margin = environment.area.grid.nearest(added)
        limited.margins = (column.margins.leading + margin, column.margins.trailing + margin)
        limited.dividerMargin = limited.margins.trailing
        return limited
    }

    /// Adds a divider of one pixel below the rows, from the text's leading edge to the rows' trailing edge.
    ///
    /// If the text is narrower than the rows because of ``widestText``, the divider ends where the text ends.
    private func addDivider(in column: Column, below solved: inout SolvedView, _ environment: LayoutEnvironment) {
        let (y, pixel) = (solved.size.height, environment.area.grid.pixel)
        let margin = min(column.margins.leading, column.width)
        let width = max(column.width - margin - column.dividerMargin, 0)
        guard y >= pixel else { return }
        let frame = Rectangle(x: column.x + margin, y: y - pixel, width: width, height: pixel)
        solved.views.append(LayoutView(kind: .divider, frame: frame))
    }
}
