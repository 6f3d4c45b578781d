// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// The part of a widget that fits a lock screen or a single line of text.
struct AccessoryLayout: Hashable, Sendable {
    var symbol: SymbolName
    /// The most important text.
    var title: String
    /// The text for round displays, a few characters long; nil if round displays show the title.
    var short: String?
    /// The text for the line above the clock of a lock screen; nil if the line shows the title.
    var inline: String?
    /// The less important lines; each element contains the text of one line, followed by shorter forms of this text.
    var details: [[String]] = []
    /// The action of a tap anywhere on the widget.
    var action: LayoutAction?

    /// The text that summarises the widget on one line.
    var line: String { title }

    func view(in environment: LayoutEnvironment) -> any View {
        let view: any View =
            switch environment.display.family {
            case .accessoryInline: inlineView
            case .accessoryCircular: circular(in: environment)
            default: rectangular(in: environment)
            }
        return action.map { Button($0, view) } ?? view
    }

    private var inlineView: any View {
        HorizontalStack(spacing: 4) {
            Symbol(symbol.rawValue, .subheadline)
            Label(DisplayText(inline ?? title), .subheadline, priority: 1)
        }
    }

    /// Returns the view for a round display.
    ///
    /// The width of the text is limited to the width of the circle at the lower end of the letters.
    private func circular(in environment: LayoutEnvironment) -> any View {
        let area = environment.area
        let symbol = Symbol(symbol.rawValue, .title2)
        let text = short ?? title
        let label = Label(
            DisplayText(text),
            .caption1,
            weight: .semibold,
            scale: min(Self.largestInACircle / environment.font(.caption1).size, 1),
            alignment: .center,
            priority: 1
        ) { _ in Self.beginnings(of: text).map { DisplayText($0) } }
        let font = label.font(in: environment)
        let line = area.grid.up(font.leading)
        let both = symbol.side(in: environment) + line
        let height = both <= area.roomHeight ? both : line
        // The distance of the lowest letters from the centre; the empty part of the line below them may leave the
        // circle.
        let lowest = height / 2 - (font.leading - font.size) / 2
        let circle = Capsule(size: Size(width: area.right - area.left, height: area.roomHeight))
        let width = area.grid.down(circle.width(at: lowest))
        if text.contains(" "), environment.width(of: DisplayText(text), font: font) > width,
            let lines = Self.lines(of: text, font, in: circle, environment)
        {
            return Frame(width: .room, height: .room, horizontal: .center, lines)
        }
        return Frame(
            width: .room,
            height: .room,
            horizontal: .center,
            VerticalStack(alignment: .center) {
                symbol
                Frame(width: .points(width), label)
            }
        )
    }

    /// Returns the text of a round display without a symbol, in several lines if necessary; nil if a line would break a word.
    ///
    /// Few words below one another say more than the first word below a symbol.
    private static func lines(
        of text: String,
        _ font: LayoutFont,
        in circle: Capsule,
        _ environment: LayoutEnvironment
    ) -> Frame? {
        for count in 2...maximumLines {
            let height = Double(count) * environment.area.grid.up(font.leading)
            let width = environment.area.grid.down(circle.width(at: height / 2 - (font.leading - font.size) / 2))
            let lines = environment.measure(DisplayText(text), font: font, width: width, maximumLines: count)
            let isCut = Label.isCut(lines)
            guard height <= environment.area.roomHeight, count == maximumLines || !isCut else { continue }
            let words = lines.map { $0.text.replacing("…", with: "") }
            guard !WordBreaks.isBroken(lines: words, of: text) else { return nil }
            let label = Label(
                DisplayText(text),
                .caption1,
                weight: .semibold,
                scale: font.scale,
                lines: count,
                alignment: .center,
                keepsSize: true
            )
            return Frame(width: .points(width), label)
        }
        return nil
    }

    /// The maximum number of lines of a text on a round display.
    private static let maximumLines = 3

    /// Returns shorter forms of a text: its first four words, its first three and its first two.
    ///
    /// In little space, whole words say more than a cut word.
    private static func beginnings(of text: String) -> [String] {
        let words = text.split(separator: " ", maxSplits: maximumWords).prefix(maximumWords)
        return words.indices.dropFirst().reversed().map { last in
            let beginning = words[...last].joined(separator: " ")
            let end = beginning.lastIndex { $0.isLetter || $0.isNumber || $0.isSymbol }
            return end.map { String(beginning[...$0]) } ?? beginning
        }
    }

    private static let maximumWords = 4
    /// The maximum font size on a round display, in points.
    ///
    /// The font is limited because a round display has the same size at all text sizes.
    private static let largestInACircle = 12.0

    /// Returns the view for a rectangular display.
    ///
    /// The title may have as many lines as fit above the details, but at least one.
    private func rectangular(in environment: LayoutEnvironment) -> any View {
        let area = environment.area
        let below = Double(details.count) * area.grid.up(environment.font(.subheadline).leading)
        let free = (area.roomHeight - below + Room.tolerance) / environment.font(.headline).leading
        return Frame(
            width: .room,
            height: .room,
            VerticalStack {
                HorizontalStack(spacing: 4, alignment: .top, priority: 1) {
                    Symbol(symbol.rawValue, .headline)
                    Label(
                        DisplayText(title),
                        .headline,
                        weight: .semibold,
                        lines: max(Int(free), 1),
                        priority: 1
                    )
                }
                for forms in details {
                    Label(DisplayText(forms.first ?? ""), .subheadline, color: .secondaryLabel) { _ in
                        forms.dropFirst().map { DisplayText($0) }
                    }
                }
            }
        )
    }
}

extension AccessoryLayout {
    /// Creates the parts of a private widget: the number of its items, such as `Documents: 3`, without their texts.
    ///
    /// There is no action either, because the link of an item can reveal its text.
    init(countOf content: Content, in environment: LayoutEnvironment) {
        let number = environment.text(.number(RowNumber(Double(content.count)))) ?? "\(content.count)"
        symbol = SymbolName(content.kind)
        title = environment.words(.count(content.kind, number))
        short = number
    }
}
