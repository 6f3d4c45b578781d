// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import WidgetSchema

@testable import LayoutEngine

/// The rules of what people read: whole words, no cut line beside empty room, panels that use their room.
struct ReadingRules {
    /// The part of the height that is free at most while a line is cut.
    static let mostFree = 1.0 / 3
    /// The part of a panel that is covered at least if there are more rows than it shows.
    static let leastCovered = 0.6
    /// The fewest letters of a broken word on its last line.
    static let shortestEnd = 4
    /// The maximum difference between the boxes of a line in PNG and in SVG, in points; a word at another place in its
    /// line differs by more.
    static let lineTolerance = 1.0

    let item: Gallery.Item
    let layout: Layout
    let renderer: SampleRenderer

    /// The problems of the layout as texts; empty if there are none.
    var problems: [String] { brokenWords + cutLines + lowExpanded + emptyPanel + differentLines }

    // MARK: Words

    private var sources: [String] {
        let actions = (item.sample.definition.actions ?? []).map(\.title)
        switch item.sample.content {
        case .feed(let feed): return feed.items.flatMap { [$0.title, $0.author ?? ""] }
        case .keyValue(let facts): return facts.pairs.flatMap { ["\($0.key) - \($0.value)", $0.key, $0.value] }
        case .forecast, nil: return []
        case .quote(let quotes): return quotes.quotes.flatMap { [$0.text, $0.author ?? "", $0.source ?? ""] }
        case .documents(let recent): return recent.documents.map(\.title) + actions
        case .json(let list):
            return list.rows.compactMap { row in
                guard case .text(let text) = row.title else { return nil }
                return text
            }
        }
    }

    private var brokenWords: [String] {
        labels.compactMap { label in
            let lines = label.lines
            guard lines.count > 1, let source = source(of: label),
                WordBreaks.isBroken(lines: lines.map { $0.replacing("…", with: "") }, of: source)
            else { return nil }
            // The ladder of panels ends before every word fits.
            if item.display.family == .panel, label.size == smallestOfPanel { return nil }
            if !WordBreaks.hasLongWord(source.replacing("\u{AD}", with: "")) {
                return "a word of '\(source.prefix(40))' is broken: \(lines)"
            }
            guard let last = lines.last, last.count < Self.shortestEnd, !label.isCut, source.hasSuffix(last),
                source.dropLast(last.count).last?.isLetter == true
            else { return nil }
            return "the last line '\(last)' of a broken word is too short"
        }
    }

    private var smallestOfPanel: Double {
        let type = PanelType(item.display)
        return type.font(type.smallest).size
    }

    /// Returns the source text whose beginning a label shows; nil if there is none.
    private func source(of label: Label) -> String? {
        let text = Self.letters(label.lines.joined().replacing("…", with: ""))
        return sources.first { Self.letters($0).hasPrefix(text) }
    }

    private static func letters(_ text: String) -> String {
        let hyphens: [Unicode.Scalar] = ["\u{AD}", "\u{2010}"]
        let letters = text.unicodeScalars.filter { $0 != " " && !$0.properties.isBidiControl && !hyphens.contains($0) }
        return String(String.UnicodeScalarView(letters))
    }

    // MARK: Room

    /// The size between the margins of the host, or of a panel: no widget draws there.
    private var room: Size {
        let insets = item.display.insets
        return Size(
            width: layout.size.width - insets.leading - insets.trailing,
            height: layout.size.height - insets.top - insets.bottom
        )
    }

    private var cutLines: [String] {
        guard !item.display.family.isAccessory, let box = boundingBox(withDividers: false) else { return [] }
        let room = self.room.height
        let free = room - box.height
        guard free > room * Self.mostFree else { return [] }
        // The name in a title bar has one line, whatever is free below it.
        let labels = Self.labels(of: layout.views.filter { $0.kind != .bar })
        return labels.filter { label in label.isCut && !(source(of: label).map(WordBreaks.hasLongWord) ?? false) }.map {
            "'\($0.lines.last ?? "")' is cut while \(Int(free)) of \(Int(room)) points are free"
        }
    }

    private var lowExpanded: [String] {
        guard item.display.mode == .expanded else { return [] }
        var sample = item.sample
        sample.display.mode = .compact
        let compact = renderer.layout(of: sample)
        let expands = layout.largestMode == nil
        var problems: [String] = []
        if layout.size.height < compact.size.height {
            problems.append("is \(layout.size.height) high expanded, and \(compact.size.height) compact")
        }
        if (compact.largestMode == nil) != expands { problems.append("its modes disagree on the largest one") }
        return problems
    }

    private var emptyPanel: [String] {
        guard item.display.family == .panel, let content = item.sample.content else { return [] }
        let rows = layout.views.count { $0.kind == .row }
        let all: Int
        switch content {
        case .feed, .json, .documents: all = content.count
        case .forecast, .keyValue, .quote: return []
        }
        guard all > rows, rows > 0, let box = boundingBox(withDividers: true) else { return [] }
        let covered = box.width * box.height / (room.width * room.height)
        return covered < Self.leastCovered ? ["\(rows) of \(all) rows cover \(Int(covered * 100)) % of it"] : []
    }

    // MARK: Formats

    private var differentLines: [String] {
        let boxes = renderer.lineBoxes(of: layout, on: item.display)
        guard boxes.png.count == boxes.svg.count else {
            return ["has \(boxes.png.count) lines in its PNG and \(boxes.svg.count) in its SVG"]
        }
        return zip(boxes.png, boxes.svg).filter { png, svg in
            zip(png, svg).contains { abs($0 - $1) > Self.lineTolerance }
        }.map { "a line is at \($0) in its PNG and at \($1) in its SVG" }
    }

    // MARK: Marks

    private struct Label {
        let lines: [String]
        let size: Double
        var isCut: Bool { lines.last.map { $0.hasSuffix("…") && $0 != "…" && !$0.hasSuffix(" …") } ?? false }
    }

    private var labels: [Label] { Self.labels(of: layout.views) }

    private static func labels(of views: [LayoutView]) -> [Label] {
        views.flatMap { view in
            (view.text.map { [Label(lines: $0.lines.map(\.text), size: $0.font.size)] } ?? [])
                + labels(of: view.views ?? [])
        }
    }

    /// Returns the box of all texts and images, and of dividers and rows if requested; nil if there are none.
    private func boundingBox(withDividers: Bool) -> Rectangle? {
        var box: (left: Double, top: Double, right: Double, bottom: Double)?
        func add(_ view: LayoutView, x: Double, y: Double) {
            let (left, top) = (x + view.frame.x, y + view.frame.y)
            if view.text != nil || view.image != nil || withDividers && (view.kind == .divider || view.kind == .row) {
                let (right, bottom) = (left + view.frame.width, top + view.frame.height)
                box =
                    box.map { (min($0.left, left), min($0.top, top), max($0.right, right), max($0.bottom, bottom)) }
                    ?? (left, top, right, bottom)
            }
            for child in view.views ?? [] { add(child, x: left, y: top) }
        }
        for view in layout.views { add(view, x: 0, y: 0) }
        return box.map { Rectangle(x: $0.left, y: $0.top, width: $0.right - $0.left, height: $0.bottom - $0.top) }
    }
}
