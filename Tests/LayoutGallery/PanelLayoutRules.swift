// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

@testable import LayoutEngine

/// The rules for the layouts of panels that can be checked on layouts, whatever they show.
///
/// The colours of the pixels are checked on the pictures.
struct PanelLayoutRules {
    /// The minimum distance between two texts side by side, in multiples of the size of the smaller one.
    private static let leastGap = 0.4

    private let layout: Layout
    private let display: Display
    private let type: PanelType

    /// Returns the problems of a layout of a panel as texts; empty if there are none.
    static func problems(of layout: Layout, on display: Display) -> [String] {
        let rules = PanelLayoutRules(layout: layout, display: display, type: PanelType(display))
        return rules.title + rules.typeProblems + rules.lines + rules.gaps + rules.actions + rules.margins
            + rules.cutTitles
    }

    // MARK: Marks

    private struct Mark {
        let view: LayoutView
        let place: Rectangle
        let isOnBar: Bool

        var words: String { (view.text?.lines ?? []).map(\.text).joined(separator: " ") }
        var isCut: Bool { words.hasSuffix("…") && words != "…" }
    }

    private var marks: [Mark] { Self.marks(layout.views, x: 0, y: 0, isOnBar: false) }

    private static func marks(_ views: [LayoutView], x: Double, y: Double, isOnBar: Bool) -> [Mark] {
        views.flatMap { view -> [Mark] in
            let place = Rectangle(
                x: x + view.frame.x,
                y: y + view.frame.y,
                width: view.frame.width,
                height: view.frame.height
            )
            let inner = view.kind == .bar || isOnBar && view.kind != .badge
            return [Mark(view: view, place: place, isOnBar: isOnBar)]
                + marks(view.views ?? [], x: place.x, y: place.y, isOnBar: inner)
        }
    }

    // MARK: Rules

    /// A panel or a cell has one bar, or a name above a line if it is low; nothing else is inverse.
    private var title: [String] {
        let bars = layout.views.filter { $0.kind == .bar }
        let frame = bars.first?.frame
        var problems: [String] = []
        if let frame, frame.height == type.length(24) {
            if bars.count > 1 { problems.append("has \(bars.count) bars") }
            let others = layout.views.dropFirst().map(\.frame.y)
            if others.contains(where: { $0 < frame.y + frame.height }) { problems.append("a view is beside the bar") }
        } else {
            // The outline of a state, and the line below the name.
            if bars.contains(where: { $0.views?.first?.kind != .badge }) { problems.append("has a bar in a low area") }
            if layout.size.height - 2 * margin >= type.length(PanelTitleBar.lowest) {
                problems.append("has no title bar")
            }
        }
        for mark in marks
        where (mark.view.text?.color == .inverse || mark.view.image?.color == .inverse) != mark.isOnBar
            && (mark.view.text != nil || mark.view.image != nil)
        {
            problems.append("'\(mark.words)' has the colour of its background")
        }
        return problems
    }

    /// Type has a step of the ladder, no grey and no italics.
    private var typeProblems: [String] {
        let sizes = Set(
            PanelType.Step.allCases.filter { $0 >= type.smallest }.map { type.font($0).size }
        )
        let texts = marks.compactMap(\.view.text) + (layout.header?.text.map { [$0] } ?? [])
        return texts.flatMap { text -> [String] in
            var problems: [String] = []
            let words = text.lines.first?.text ?? ""
            if !sizes.contains(text.font.size) && !(layout.header?.text == text) {
                problems.append("'\(words)' has \(text.font.size) pixels, which is no step of the ladder")
            }
            if text.font.italic { problems.append("'\(words)' is italic") }
            if text.color != .label && text.color != .inverse { problems.append("'\(words)' is grey or coloured") }
            return problems
        }
            + marks.compactMap { mark in
                mark.view.image?.color == .secondaryLabel ? "a symbol is grey" : nil
            }
    }

    /// Lines are whole pixels thick; there are rules between rows and dots between columns.
    private var lines: [String] {
        var problems: [String] = []
        for mark in marks {
            switch mark.view.kind {
            case .rule, .dots:
                let thickness = min(mark.place.width, mark.place.height)
                if thickness != type.line { problems.append("a line is \(thickness) pixels thick") }
            case .divider: problems.append("has a divider")
            case .row, .label, .image, .button, .bar, .badge: break
            }
        }
        return problems
    }

    /// Texts and symbols side by side do not touch.
    private var gaps: [String] {
        let labels = marks.filter { $0.view.text != nil }
        return labels.indices.flatMap { index -> [String] in
            labels[(index + 1)...].compactMap { other -> String? in
                let (mark, size) = (labels[index], labels[index].view.text?.font.size ?? 0)
                let overlap =
                    min(mark.place.y + mark.place.height, other.place.y + other.place.height)
                    - max(mark.place.y, other.place.y)
                guard overlap > size / 2 else { return nil }
                let gap = Self.gap(Self.ink(mark), Self.ink(other))
                // The source of a quote continues the line of its author.
                guard gap < Self.leastGap * min(size, other.view.text?.font.size ?? size), !other.words.hasPrefix(", ")
                else { return nil }
                return "'\(mark.words)' and '\(other.words)' are \(gap) pixels apart"
            }
        }
    }

    /// Returns the left and the right end of the letters of a label.
    private static func ink(_ mark: Mark) -> (left: Double, right: Double) {
        let lines = mark.view.text?.lines ?? []
        return (
            mark.place.x + (lines.map(\.x).min() ?? 0), mark.place.x + (lines.map { $0.x + $0.width }.max() ?? 0)
        )
    }

    private static func gap(_ one: (left: Double, right: Double), _ other: (left: Double, right: Double)) -> Double {
        max(other.left - one.right, one.left - other.right)
    }

    /// Nothing on a passive panel can be tapped.
    private var actions: [String] {
        guard display.isPassive else { return [] }
        var problems = layout.link == nil ? [] : ["has a link although nobody can tap it"]
        if marks.contains(where: { $0.view.action != nil || $0.view.kind == .button }) {
            problems.append("has a button or an action although nobody can tap it")
        }
        return problems
    }

    /// The margin of a panel, which is the same on all sides in the gallery; the cells of boards have none.
    private var margin: Double { display.insets.top }

    /// Nothing is in the margins of a panel, or outside of a cell.
    private var margins: [String] {
        marks.filter { mark in
            mark.place.x < margin || mark.place.y < margin
                || mark.place.x + mark.place.width > layout.size.width - margin
                || mark.place.y + mark.place.height > layout.size.height - margin
        }.map { "'\($0.words)' (\($0.view.kind.rawValue)) at \($0.place) is in the margin" }
    }

    /// A title is cut only without a date beside it.
    private var cutTitles: [String] {
        layout.views.filter { $0.kind == .row }.compactMap { row in
            let labels = Self.marks([row], x: 0, y: 0, isOnBar: false).filter { $0.view.text != nil }
            guard let title = labels.first, title.view.text?.font.weight == .bold, title.isCut,
                let second = labels.dropFirst().first, second.place.y < title.place.y + title.place.height / 2
            else { return nil }
            return "'\(title.words)' is cut beside '\(second.words)'"
        }
    }
}
