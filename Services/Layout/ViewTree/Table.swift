// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// Whole rows, as many as the widget's limits and the display's height allow, with its own footer where there is none
/// of the host's.
struct Table: View {
    /// Something above the rows that has its place in every mode.
    var header: (any View)?
    let count: Int
    let heights: RowHeights
    let limits: RowLimits
    private let row: (Int) -> TableRow

    init<Item>(
        _ items: [Item],
        heights: RowHeights,
        limits: RowLimits,
        header: (any View)? = nil,
        _ row: @escaping (Item) -> TableRow
    ) {
        count = items.count
        self.heights = heights
        self.limits = limits
        self.header = header
        self.row = { row(items[$0]) }
    }

    var isFlexible: Bool { true }

    func solve(in room: Room, _ environment: LayoutEnvironment) -> SolvedView? {
        var result = SolvedView(size: Size(width: room.width, height: 0), views: [])
        if let header {
            guard let solved = header.solve(in: room, environment) else { return nil }
            result.append(solved, x: 0, y: 0)
            result.size.height = solved.size.height
        }
        let plan = RowPlan(
            items: count,
            heights: heights,
            limits: limits,
            isExpanded: environment.moment.interaction.expanded,
            height: room.height - result.size.height,
            mode: environment.area.mode
        )
        result.views.reserveCapacity(result.views.count + 2 * plan.rows.count + 1)
        result.rowIDs.reserveCapacity(plan.rows.count)
        for (index, height) in plan.rows.enumerated() {
            addDivider(below: &result, environment)
            let row = row(index)
            var view = row.view(in: Room(width: room.width, height: height), environment)
            view.frame.y = result.size.height
            result.views.append(view)
            result.rowIDs.append(row.id)
            result.size.height += height
        }
        if let footer = plan.footer {
            addDivider(below: &result, environment)
            let area = Room(width: room.width, height: RowPlan.footerHeight)
            if let view = ListFooter(footer).view(in: environment).solve(in: area, environment) {
                result.append(view, x: 0, y: result.size.height)
            }
            result.size.height += RowPlan.footerHeight
        }
        return result
    }

    /// A line of one pixel at the bottom of what is there, from the text's leading to the rows' trailing edge.
    private func addDivider(below solved: inout SolvedView, _ environment: LayoutEnvironment) {
        let area = environment.area
        let (width, y) = (solved.size.width, solved.size.height)
        let x = min(area.leadingTextMargin, width)
        let pixel = area.grid.pixel
        guard y >= pixel else { return }
        let frame = Rectangle(x: x, y: y - pixel, width: width - x, height: pixel)
        solved.views.append(LayoutView(kind: .divider, frame: frame))
    }
}
