// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// A table whose rows have a bold title with details below it.
///
/// `title` returns the title of an item. `details` contains the fonts of the details, from top to bottom. An item may
/// have fewer details than fonts.
///
/// Rows in several columns all have the same height. In one column, a row with a long title may be higher, and a row
/// with fewer details is lower.
struct TitledRows<Item> {
    static var titleStyle: LayoutFont.Style { .subheadline }
    static var titleWeight: LayoutFont.Weight { .semibold }

    let items: [Item]
    let details: [LayoutFont]
    /// Returns the number of details that an item has.
    let detailCount: (Item) -> Int
    let title: (Item) -> DisplayText

    func table(
        in environment: LayoutEnvironment,
        _ row: @escaping (Item) -> (id: String, action: LayoutAction?, details: [Label])
    ) -> Table {
        let font = environment.font(Self.titleStyle, Self.titleWeight)
        let (items, title, detailCount) = (items, title, detailCount)
        var table = Table(
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
                breaksLongWords: true,
                priority: 1
            )
            let stack = VerticalStack {
                label
                for detail in details { detail }
            }
            return TableRow(id: id, action: action, alignment: .top, stack)
        }
        table.details = { detailCount(items[$0]) }
        return table
    }
}
