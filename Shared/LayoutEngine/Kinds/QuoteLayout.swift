// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// The layout of the quote of the day: the text, the author in bold, and the work it is taken from in italics.
struct QuoteLayout: WidgetLayout {
    /// The font size of the author and of the source, as a multiple of the font size of the quote's text.
    static let nameScale = 0.85
    static let lineSpacing = 1.3
    static let padding = 8.0
    static let maximumLines = 60
    /// The maximum number of lines for the name of the author, and for the name of the work.
    ///
    /// At the largest text size, a name of three words needs three lines.
    static let maximumNameLines = 3

    var missing: Placeholder { .openFirst }
    var empty: Placeholder { .empty(.noQuotes) }

    func view(of content: Content, in environment: LayoutEnvironment) -> (any View)? {
        guard let quote = Self.quote(of: content, environment) else { return nil }
        let author = Label(DisplayText(quote.author ?? ""), .body, weight: .bold)
        let source = Label(DisplayText(quote.source ?? ""), .body, italic: true, color: .secondaryLabel)
        let names = [author, source].filter { !$0.text.isEmpty }
        return Frame(
            width: .room,
            padding: EdgeInsets(top: Self.padding(in: environment), bottom: Self.padding(in: environment)),
            TextWithNames(text: Self.label(of: quote), names: names).inTextMargins(of: environment)
        )
    }

    func mainText(of content: Content, in environment: LayoutEnvironment) -> MainText? {
        guard let quote = Self.quote(of: content, environment) else { return nil }
        let height = environment.area.roomHeight - 2 * Self.padding(in: environment)
        let room = Room(width: environment.area.textWidth, height: max(height, 0))
        return MainText(Self.label(of: quote), in: room, environment)
    }

    private static func label(of quote: Quote) -> Label {
        Label(DisplayText(quote.text), .body, lineSpacing: lineSpacing, lines: maximumLines)
    }

    /// Returns the space above and below all texts, in points.
    private static func padding(in environment: LayoutEnvironment) -> Double {
        // Hosts with fixed widget sizes already have margins.
        environment.area.top > 0 && environment.display.family.isFixed ? 0 : padding
    }

    func labelCount(of content: Content, in environment: LayoutEnvironment) -> Int {
        let quote = Self.quote(of: content, environment)
        return 1 + [quote?.author, quote?.source].count { !DisplayText.isEmpty($0 ?? "") }
    }

    func accessoryLayout(of content: Content, in environment: LayoutEnvironment) -> AccessoryLayout? {
        Self.quote(of: content, environment).map { quote in
            AccessoryLayout(
                symbol: .quote,
                title: quote.text,
                // Only one of the two, because the quote itself needs the space.
                details: [quote.author ?? quote.source].compactMap { $0.map { [$0] } }
            )
        }
    }

    private static func quote(of content: Content, _ environment: LayoutEnvironment) -> Quote? {
        guard case .quote(let quotes) = content else { return nil }
        return quotes.quote(on: environment.today)
    }
}
