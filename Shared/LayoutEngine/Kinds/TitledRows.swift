// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// A table whose rows have a bold title with details below it.
///
/// A detail is a label, such as a date. `details` contains the font of each detail that a row can have, from top to
/// bottom. A row with a long title may be higher than the other rows. A row that lacks a detail may be lower. If there
/// is too little height for all details one below the other, they share one line if it is wide enough.
struct TitledRows<Item> {
    static var titleStyle: LayoutFont.Style { .subheadline }
    static var titleWeight: LayoutFont.Weight { .semibold }

    /// The distance between two details on one line, in points.
    private static var detailSpacing: Double { 8 }

    let items: [Item]
    let details: [LayoutFont]
    /// Returns the number of details that an item has.
    let detailCount: (Item) -> Int
    let title: (Item) -> DisplayText
    /// Returns a label for each detail that an item can have; the label of a missing detail has no text.
    let detailLabels: (Item) -> [Label]
    let target: (Item) -> (id: String, action: LayoutAction?)

    func table(in environment: LayoutEnvironment) -> Table {
        let font = environment.font(Self.titleStyle, Self.titleWeight)
        var table = Table(
            items,
            heights: RowHeights(lines: [font] + details, grid: environment.area.grid),
            limits: environment.moment.definition.rows,
            titles: RowTitles({ title(items[$0]) }, font: font, width: environment.columnWidth, in: environment)
        ) { item, form in
            let (id, action) = target(item)
            let label = Label(
                title(item),
                Self.titleStyle,
                weight: Self.titleWeight,
                scale: form.titleScale,
                lines: form.titleLines,
                minimumLines: form.titleLines,
                keepsSize: true,
                priority: 1
            )
            let labels = detailLabels(item)
            let stack = VerticalStack {
                label
                if form.level > 0, let line = oneLine(labels, in: environment) {
                    line
                } else {
                    for detail in labels { detail }
                }
            }
            return TableRow(id: id, action: action, alignment: .top, stack)
        }
        table.details = { index in
            let item = items[index]
            // Only at accessibility sizes can a detail have more than one line.
            let added = environment.isAccessibilitySize ? addedHeight(of: detailLabels(item), in: environment) : 0
            return RowPlan.Details(count: detailCount(item), added: added)
        }
        return table
    }

    /// Returns the details side by side; nil if there are fewer than two, or if they are too wide for one line.
    ///
    /// Labels without text are left out.
    private func oneLine(_ labels: [Label], in environment: LayoutEnvironment) -> HorizontalStack? {
        let labels = labels.filter { !$0.text.isEmpty }
        guard labels.count > 1 else { return nil }
        let width = labels.reduce(-Self.detailSpacing) {
            $0 + Self.detailSpacing + environment.width(of: $1.text, font: $1.font(in: environment))
        }
        guard width <= environment.columnWidth else { return nil }
        return HorizontalStack(spacing: Self.detailSpacing) {
            for label in labels { label.hugging }
        }
    }

    /// Returns the height in points that a row needs for the second and later lines of its details.
    private func addedHeight(of labels: [Label], in environment: LayoutEnvironment) -> Double {
        labels.reduce(0) { height, label in
            guard label.maximumLines > 1, !label.text.isEmpty else { return height }
            let font = label.font(in: environment)
            let lines = environment.measure(
                label.text,
                font: font,
                width: environment.columnWidth,
                maximumLines: label.maximumLines
            )
            return height + environment.area.grid.up(font.leading) * Double(max(lines.count - 1, 0))
        }
    }
}
