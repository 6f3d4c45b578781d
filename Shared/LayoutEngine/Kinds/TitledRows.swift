// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// A table whose rows have a bold title with details below it.
///
/// A detail is a label, such as a date. `details` contains the font of each detail that a row can have, from top to
/// bottom. A row with a long title may be higher than the other rows. A row that lacks a detail may be lower. If there
/// is too little height for all details one below the other, they share one line if it is wide enough.
///
/// The closures take the index of a row, so that they can read only the properties that they need: a copy of a whole
/// item would retain all of its texts.
struct TitledRows {
    static var titleStyle: LayoutFont.Style { .subheadline }
    static var titleWeight: LayoutFont.Weight { .semibold }

    /// The distance between two details on one line, as a multiple of their font size.
    private static var detailSpacing: Double { 0.75 }

    let count: Int
    let details: [LayoutFont]
    /// Returns the number of details that a row has.
    let detailCount: (_ row: Int) -> Int
    let title: (_ row: Int) -> DisplayText
    /// Returns a label for each detail that a row can have; the label of a missing detail has no text.
    let detailLabels: (_ row: Int) -> [Label]
    let target: (_ row: Int) -> (id: String, action: LayoutAction?)

    func table(in environment: LayoutEnvironment) -> Table {
        let font = environment.font(Self.titleStyle, Self.titleWeight)
        let titles = RowTitles(
            title,
            fonts: (font, details),
            width: environment.columnWidth,
            in: environment
        )
        var table = Table(
            count: count,
            heights: RowHeights(lines: [font] + details, grid: environment.area.grid),
            limits: environment.moment.definition.rows,
            titles: titles
        ) { index, form in
            let (id, action) = target(index)
            var label = Label(
                form.title?.text ?? titles.text(of: index),
                Self.titleStyle,
                weight: Self.titleWeight,
                scale: form.titleScale,
                lines: form.titleLines,
                minimumLines: form.titleLines,
                keepsSize: true,
                priority: 1
            )
            label.measuredText = form.title?.measured
            var labels = labels(of: index, titleScale: form.titleScale, in: environment)
            let shown = details.count - form.level
            if form.level > 0, shown > 0, let line = oneLine(labels, in: environment) {
                let content = VerticalStack {
                    label
                    line
                }
                return TableRow(id: id, action: action, alignment: .top, content)
            }
            labels = [label] + labels.prefix(max(shown, 0))
            return TableRow(id: id, action: action, alignment: .top, VerticalStack(labels: labels))
        }
        table.details = { index, titleScale in
            var added = 0.0
            // Only at accessibility sizes can a detail have more than one line.
            if environment.isAccessibilitySize {
                let labels = labels(of: index, titleScale: titleScale, in: environment)
                added = addedHeight(of: labels, in: environment)
            }
            return RowPlan.Details(count: detailCount(index), added: added)
        }
        return table
    }

    /// Returns the labels of a row's details; they are as much smaller as the titles, if these are smaller.
    private func labels(of row: Int, titleScale: Double, in environment: LayoutEnvironment) -> [Label] {
        let labels = detailLabels(row)
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
