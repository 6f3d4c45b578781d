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

    /// The distance between two details on one line, as a multiple of their font size.
    private static var detailSpacing: Double { 0.75 }

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
        let titles = RowTitles(
            { index in items.withUnsafeBufferPointer { title($0[index]) } },
            fonts: (font, details),
            width: environment.columnWidth,
            in: environment
        )
        var table = Table(
            count: items.count,
            heights: RowHeights(lines: [font] + details, grid: environment.area.grid),
            limits: environment.moment.definition.rows,
            titles: titles
        ) { index, form in
            let item = items[index]
            let (id, action) = target(item)
            let label = Label(
                titles.text(of: index),
                Self.titleStyle,
                weight: Self.titleWeight,
                scale: form.titleScale,
                lines: form.titleLines,
                minimumLines: form.titleLines,
                keepsSize: true,
                priority: 1
            )
            let labels = labels(of: item, titleScale: form.titleScale, in: environment)
            var children: [any View] = [label]
            if form.level > 0, let line = oneLine(labels, in: environment) {
                children.append(line)
            } else {
                children.reserveCapacity(1 + labels.count)
                for detail in labels { children.append(detail) }
            }
            return TableRow(id: id, action: action, alignment: .top, VerticalStack(children))
        }
        table.details = { index, titleScale in
            // A subscript of the array copies the item.
            items.withUnsafeBufferPointer { items in
                var added = 0.0
                // Only at accessibility sizes can a detail have more than one line.
                if environment.isAccessibilitySize {
                    let labels = labels(of: items[index], titleScale: titleScale, in: environment)
                    added = addedHeight(of: labels, in: environment)
                }
                return RowPlan.Details(count: detailCount(items[index]), added: added)
            }
        }
        return table
    }

    /// Returns the labels of an item's details; they are as much smaller as the titles, if these are smaller.
    private func labels(of item: Item, titleScale: Double, in environment: LayoutEnvironment) -> [Label] {
        let labels = detailLabels(item)
        guard titleScale != 1 else { return labels }
        return labels.map { label in
            var label = label
            label.scale *= RowTitles.detailScale(titleScale, of: label.font(in: environment))
            return label
        }
    }

    /// Returns the details side by side; nil if there are fewer than two, or if they are too wide for one line.
    ///
    /// Labels without text are left out.
    private func oneLine(_ labels: [Label], in environment: LayoutEnvironment) -> HorizontalStack? {
        let labels = labels.filter { !$0.text.isEmpty }
        guard labels.count > 1 else { return nil }
        let fonts = labels.map { $0.font(in: environment) }
        let spacing = environment.area.grid.up(Self.detailSpacing * (fonts.first?.size ?? 0))
        let width = zip(labels, fonts).reduce(-spacing) { $0 + spacing + environment.width(of: $1.0.text, font: $1.1) }
        guard width <= environment.columnWidth else { return nil }
        return HorizontalStack(spacing: spacing) {
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
