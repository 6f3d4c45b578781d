// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

@testable import LayoutEngine

/// The rules for what panels show of each kind of content; they need the texts of the gallery, which are as long as real ones.
struct PanelContentRules {
    /// The part of the height of a panel that a forecast covers at least; on a high panel, its columns are narrow, and so is
    /// their type.
    private static let leastForecast = 0.5
    /// The sides below which an area has no space for the condition of a forecast, in pixels at about 125 pixels per inch.
    private static let leastWeather = Size(width: 140, height: 90)
    /// The maximum difference between places that count as one, in pixels.
    private static let tolerance = 0.5

    private let item: Gallery.Item
    private let layout: Layout
    private var kind: WidgetKind { item.sample.definition.kind }

    /// Returns the problems of the layout of a panel or a cell as texts; empty if there are none.
    static func problems(of item: Gallery.Item, _ layout: Layout) -> [String] {
        let rules = PanelContentRules(item: item, layout: layout)
        let problems = rules.blots + rules.cutNumbers
        switch item.sample.definition.kind {
        case .forecast: return problems + rules.missingWeather + rules.lowForecast + rules.loneLetters
        case .keyValue: return problems + rules.factsWithoutEdge + rules.loneLetters
        case .quote: return problems + rules.largeAuthors
        case .feed, .documents, .json: return problems
        }
    }

    // MARK: Views

    /// The views below the title.
    private var content: ArraySlice<LayoutView> {
        layout.views.drop { $0.kind != .bar && $0.kind != .rule }.dropFirst()
    }

    private static func labels(_ views: some Sequence<LayoutView>) -> [LayoutText] {
        views.flatMap { view in [view.text].compactMap(\.self) + labels(view.views ?? []) }
    }

    private static func words(_ text: LayoutText) -> String { text.lines.map(\.text).joined(separator: " ") }

    // MARK: Rules

    /// Ideographs and Indic letters are not bold if their strokes would touch.
    private var blots: [String] {
        guard item.display.isSharp else { return [] }
        return Self.labels(layout.views).filter { text in
            text.font.weight != .regular && text.font.size < PanelRoom.leastBold
                && Self.words(text).unicodeScalars.contains(where: PanelRoom.isDense)
        }.map { "'\(Self.words($0))' is bold in \($0.font.size) pixels" }
    }

    /// A detail with a number in it, such as a date, is not cut.
    private var cutNumbers: [String] {
        content.filter { $0.kind == .row }.flatMap { Self.labels([$0]).dropFirst() }.filter { text in
            Self.words(text).hasSuffix("…") && Self.words(text).contains(where: \.isNumber)
        }.map { "the number '\(Self.words($0))' is cut" }
    }

    /// A forecast shows the weather of its first day, in words or as a symbol.
    private var missingWeather: [String] {
        let type = PanelType(item.display)
        guard let first = content.first(where: { $0.kind == .row }),
            layout.size.width >= type.length(Self.leastWeather.width),
            layout.size.height >= type.length(Self.leastWeather.height)
        else { return [] }
        let views = first.views ?? []
        let hasWeather = views.contains { $0.image != nil } || views.count { $0.text != nil } > 2
        return hasWeather ? [] : ["shows no weather beside '\(Self.labels([first]).first.map(Self.words) ?? "")'"]
    }

    /// A forecast uses the height of a panel of its own.
    private var lowForecast: [String] {
        guard item.sample.content != nil, item.display.panel?.cell == nil,
            let top = content.first?.frame.y, let bottom = content.map({ $0.frame.y + $0.frame.height }).max()
        else { return [] }
        let room = layout.size.height - item.display.insets.bottom - top
        let part = (bottom - top) / room
        return part < Self.leastForecast ? ["covers \(Int(part * 100)) % of the height"] : []
    }

    /// No text ends in a line of one letter, which a smaller step avoids; in a narrow area, more facts are better.
    private var loneLetters: [String] {
        let type = PanelType(item.display)
        guard kind != .keyValue || !type.isNarrow else { return [] }
        return Self.labels(content).filter { text in
            guard text.font.size > type.font(type.smallest).size, let last = text.lines.dropFirst().last else {
                return false
            }
            return last.text.count { $0.isLetter || $0.isNumber } <= 1
        }.map { "'\(Self.words($0))' ends in a line of one letter" }
    }

    /// Keys and values begin at one edge of their row, or end at the other one.
    private var factsWithoutEdge: [String] {
        content.filter { $0.kind == .row }.flatMap { row in
            (row.views ?? []).filter { view in
                view.text != nil && view.frame.x > Self.tolerance
                    && view.frame.x + view.frame.width < row.frame.width - Self.tolerance
            }
        }.map { "'\($0.text.map(Self.words) ?? "")' is at neither edge" }
    }

    /// The author of a quote has no larger type than the quote.
    private var largeAuthors: [String] {
        let labels = Self.labels(content)
        guard let quote = labels.first?.font.size else { return [] }
        return labels.dropFirst().filter { $0.font.size > quote }.map {
            "'\(Self.words($0))' has \($0.font.size) pixels below a quote of \(quote)"
        }
    }
}
