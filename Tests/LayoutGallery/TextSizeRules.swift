// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// The rules for the same content at all text sizes: type never becomes smaller, and texts are cut last.
struct TextSizeRules {
    /// The part of a display's height that may be free while a title is cut.
    static let mostFree = 1.0 / 3
    /// The smallest font size, in points.
    static let smallestType = 11.0

    let series: TextSizeSeries
    /// The layouts of the series' items.
    let layouts: [Layout]

    init(_ series: TextSizeSeries, renderer: SampleRenderer) {
        self.series = series
        layouts = series.items.map { renderer.layout(of: $0.sample) }
    }

    /// The problems of the series as texts; empty if there are none.
    var problems: [String] {
        (fallingSizes + lateCuts + zip(series.items, layouts).flatMap { earlyCuts($0, $1) })
            .map { "\(series.name): \($0)" }
    }

    private var sizes: [String] { series.items.map(\.display.contentSizeCategory.rawValue) }

    // MARK: Sizes

    private var fallingSizes: [String] {
        let labels = layouts.map { Dictionary(Self.labels(of: $0).map { ($0.role, $0) }) { first, _ in first } }
        return zip(zip(labels, labels.dropFirst()), zip(sizes, sizes.dropFirst())).flatMap { labels, sizes in
            labels.0.compactMap { role, label -> String? in
                guard let next = labels.1[role], next.size < label.size,
                    !isExempt(label, labels.0.count, labels.1.count)
                else { return nil }
                return "\(role) has \(label.size) points at \(sizes.0), and \(next.size) at \(sizes.1)"
            }.sorted()
        }
    }

    /// Returns whether type may become smaller from one layout to the next.
    ///
    /// In compact mode, the host gives more height at larger text sizes, and a quote may show one more name. Names
    /// have the height that the quote leaves there.
    private func isExempt(_ label: Label, _ labels: Int, _ next: Int) -> Bool {
        guard let item = series.items.first else { return true }
        return item.display.mode == .compact && !label.isFirst
    }

    // MARK: Cuts

    /// The texts that are cut at one text size, and whole at a larger one.
    ///
    /// In compact mode, the host gives more height at larger text sizes. There, a text that fills its space may be cut.
    private var lateCuts: [String] {
        let labels = layouts.map(Self.labels)
        return labels.indices.flatMap { index in
            labels[index].filter { $0.isCut && isCompared($0) }.compactMap { label in
                let whole = labels.indices.dropFirst(index + 1).first { larger in
                    labels[larger].contains { $0.place == label.place && !$0.isCut && $0.shows(label) }
                }
                guard let whole, !showsMoreRows(index, than: whole), !isFull(index, of: label, whole: whole) else {
                    return nil
                }
                return "\(label.row ?? "") \(label.role) is cut at \(sizes[index]), and whole at \(sizes[whole])"
            }
        }
    }

    /// Returns whether a text must be whole if it is whole at a larger text size.
    ///
    /// The first title has priority over the others. The rows of hosts without modes have one height, unless the text is
    /// very large.
    private func isCompared(_ label: Label) -> Bool {
        guard let family = series.items.first?.display.family, label.row != nil else { return true }
        return label.row == "0" && label.isFirst && family != .todayClassic
    }

    /// Returns whether a layout has more rows than another one; its titles may then have fewer lines.
    private func showsMoreRows(_ index: Int, than other: Int) -> Bool {
        func rows(_ index: Int) -> Int { layouts[index].views.count { $0.kind == .row } }
        return rows(index) > rows(other)
    }

    /// Returns whether a layout in compact mode, whose host gives more height at the larger text size, has no space for one
    /// more line of a label: a single text has the smallest type, and a title is alone with rows of one line.
    private func isFull(_ index: Int, of label: Label, whole: Int) -> Bool {
        let (display, larger) = (series.items[index].display, series.items[whole].display)
        guard display.mode == .compact, let height = display.compactHeight, larger.compactHeight ?? 0 > height else {
            return false
        }
        guard label.row != nil else {
            return label.size == Self.smallestType && display.contentSizeCategory < .accessibilityMedium
        }
        let rows = layouts[index].views.filter { $0.kind == .row }
        let isAlone = rows.allSatisfy { row in
            let texts = Self.texts(of: [row])
            return texts.count == 1 && (row.id == label.row || texts[0].lines.count == 1)
        }
        return isAlone && height - rows.reduce(0) { $0 + $1.frame.height } < label.leading
    }

    /// Returns the problems of titles that are cut above an author or a date, or while the display has free height.
    private func earlyCuts(_ item: Gallery.Item, _ layout: Layout) -> [String] {
        let family = item.display.family
        let size = item.display.contentSizeCategory
        guard !family.isAccessory, family != .todayClassic else { return [] }
        let labels = Self.labels(of: layout)
        let isStrict = family.isFixed || size >= .accessibilityMedium
        var problems: [String] = []
        for label in labels where label.isCut && label.isFirst && label.row != nil {
            if isStrict, labels.contains(where: { $0.row == label.row && !$0.isFirst }) {
                problems.append("'\(label.text)' is cut above a detail at \(size.rawValue)")
            }
            let free = item.display.maximumHeight - layout.size.height
            if item.display.mode == .expanded, free > item.display.maximumHeight * Self.mostFree {
                problems.append("'\(label.text)' is cut while the display has \(free) points at \(size.rawValue)")
            }
        }
        return problems
    }

    // MARK: Labels

    /// A label with its place in the widget.
    private struct Label {
        /// The id of its row; nil if it is in none.
        let row: String?
        /// The number of labels before it in its row, or in the widget.
        let index: Int
        let text: String
        let isCut: Bool
        let size: Double
        let leading: Double
        let look: String

        var isFirst: Bool { index == 0 }
        /// The row of the label and the look of its text; labels with the same role can be compared.
        var role: String { "\(row.map { _ in "row" } ?? "text") \(look)" }
        var place: String { "\(row ?? "") \(look)" }

        func shows(_ other: Label) -> Bool { text.replacing(" ", with: "").hasPrefix(other.beginning) }

        /// The text without its ellipsis and without spaces, which can be line breaks.
        private var beginning: String { text.replacing("…", with: "").replacing(" ", with: "") }
    }

    private static func labels(of layout: Layout) -> [Label] {
        var labels: [Label] = []
        for view in layout.views {
            let row = view.kind == .row ? view.id : nil
            let first = row == nil ? labels.count { $0.row == nil } : 0
            labels += texts(of: [view]).enumerated().map { index, text in
                let line = text.lines.map(\.text).joined(separator: " ")
                return Label(
                    row: row,
                    index: first + index,
                    text: line,
                    isCut: line.hasSuffix("…") && line != "…",
                    size: text.font.size,
                    leading: text.font.leading,
                    look: "\(text.font.weight.rawValue)\(text.font.italic ? " italic" : "") \(text.color.rawValue)"
                )
            }
        }
        return labels
    }

    private static func texts(of views: [LayoutView]) -> [LayoutText] {
        views.flatMap { view in (view.text.map { [$0] } ?? []) + texts(of: view.views ?? []) }
    }
}

extension WidgetKind {
    /// A Boolean value that indicates whether a widget of this kind shows a single text.
    fileprivate var isText: Bool { self == .quote || self == .keyValue }
}
