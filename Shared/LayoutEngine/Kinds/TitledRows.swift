// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// A table of rows with a title in bold, which has more than one line if there is space, and details below it.
///
/// All rows have the same height. `fonts` are those of the title and of each detail; `title` and `row` return those of
/// an item.
struct TitledRows<Item> {
    static var titleStyle: LayoutFont.Style { .subheadline }
    static var titleWeight: LayoutFont.Weight { .semibold }

    let items: [Item]
    let details: [LayoutFont]
    let title: (Item) -> DisplayText

    func table(
        in environment: LayoutEnvironment,
        _ row: @escaping (Item) -> (id: String, action: LayoutAction?, details: [Label])
    ) -> Table {
        let font = environment.font(Self.titleStyle, Self.titleWeight)
        let (items, title) = (items, title)
        return Table(
            items,
            heights: RowHeights(lines: [font] + details, grid: environment.area.grid),
            limits: environment.moment.definition.rows,
            titles: RowTitles({ title(items[$0]) }, font: font, width: environment.columnWidth, in: environment)
        ) { item, titleLines in
            let (id, action, details) = row(item)
            let label = Label(
                title(item),
                Self.titleStyle,
                weight: Self.titleWeight,
                lines: titleLines,
                minimumLines: titleLines,
                priority: 1
            )
            let stack = VerticalStack {
                label
                for detail in details { detail }
            }
            return TableRow(id: id, action: action, alignment: .top, stack)
        }
    }
}
