// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Testing
import WidgetSchema

@testable import LayoutEngine

/// The size of a single text: a quote with its author and source, or a fact.
@Suite struct SingleTextTests {
    private static let memory = TextMemory()

    private func layout(_ content: Content, on display: Display) throws -> Layout {
        try Sample.drawing(content, on: display, TextMeasurer(memory: Self.memory)).layout
    }

    private func panel(_ width: Double, _ height: Double) throws -> Display { try Sample.panel(width, height) }

    private func today(_ mode: Display.Mode, at category: ContentSizeCategory) throws -> Display {
        let device = try #require(DeviceProfile.named("iphone-375"))
        let proposal = try #require(device.proposal(for: .today, at: category))
        return try Sample.today(mode) {
            $0.width = proposal.width
            $0.compactHeight = proposal.compactHeight
            $0.maximumHeight = proposal.maximumHeight
            $0.contentSizeCategory = category
        }
    }

    private func quote(author: String? = "Arthur Conan Doyle", source: String? = "A Scandal in Bohemia") -> Content {
        let text =
            "It is a capital mistake to theorize before one has data. Insensibly one begins to twist facts to suit "
            + "theories, instead of theories to suit facts."
        return .quote(QuoteContent(quotes: [Quote(text: text, author: author, source: source)]))
    }

    private func fact(_ key: String, _ value: String) -> Content {
        .keyValue(KeyValueContent(pairs: [KeyValuePair(key: key, value: value)]))
    }

    private func size(of layout: Layout) throws -> Double {
        try #require(layout.all.compactMap(\.text).first?.font.size)
    }

    /// Returns the display of a home-screen widget on a phone of 393 points.
    private func home(_ family: Display.Family, width: Double, height: Double) throws -> Display {
        try Sample.classic {
            $0.family = family
            $0.width = width
            $0.maximumHeight = height
            $0.insets = EdgeInsets(top: 16, leading: 16, bottom: 16, trailing: 16)
            $0.scale = 3
        }
    }

    // MARK: Long words

    @Test(arguments: [(250.0, 122.0), (296, 128), (400, 300), (800, 480), (1280, 800)])
    func aLongWordIsBrokenOnAPanelBeforeItsTypeIsSmallerThanThatOfAShortFact(width: Double, height: Double) throws {
        let town = "Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch"
        let layout = try layout(fact("city", town), on: try panel(width, height))
        #expect(layout.isWhole)
        #expect(try size(of: layout) >= 17)
    }

    @Test func anOrdinaryWordIsNotBrokenOnAPanel() throws {
        let narrow = try layout(fact("country", "Netherlands"), on: try panel(122, 250))
        #expect(Set(["country -", "Netherlands"]).isSubset(of: narrow.lines))
    }

    // MARK: Today

    @Test(arguments: [ContentSizeCategory.large, .extraExtraExtraLarge, .accessibilityExtraExtraExtraLarge])
    func aQuoteIsSmallerInCompactModeBeforeItIsCut(category: ContentSizeCategory) throws {
        let compact = try layout(quote(), on: try today(.compact, at: category))
        let expanded = try layout(quote(), on: try today(.expanded, at: category))
        #expect(compact.isWhole && expanded.isWhole)
        #expect(expanded.lines.contains("Arthur Conan Doyle"))
        #expect(try size(of: compact) < size(of: expanded))
        // In expanded mode, it is larger.
        #expect(compact.largestMode == nil && expanded.largestMode == nil)
    }

    @Test func aQuoteThatFitsHasItsOrdinarySize() throws {
        let layout = try layout(quote(), on: try today(.expanded, at: .large))
        #expect(try size(of: layout) == 17)
        #expect(layout.lines.suffix(2) == ["Arthur Conan Doyle", "A Scandal in Bohemia"])
    }

    @Test func aQuoteAtAccessibilitySizesIsNotSmallerThanAtTheLargestOrdinarySize() throws {
        for repetitions in 1...12 {
            let text = String(repeating: "Many words make a long quote. ", count: repetitions)
            let content = Content.quote(QuoteContent(quotes: [Quote(text: text)]))
            let layout = try layout(content, on: try today(.compact, at: .accessibilityExtraExtraExtraLarge))
            #expect(try size(of: layout) >= 20)
        }
    }

    // MARK: Ellipses

    @Test(arguments: [Display.Family.systemLarge, .panel])
    func aTextWithAnEllipsisOfItsOwnIsAsLargeAsOneWithoutIt(family: Display.Family) throws {
        let display =
            family == .panel ? try panel(800, 480) : try home(family, width: 338, height: 354)
        for (text, other) in [("To be, or not to be…", "To be, or not to be."), ("Und so weiter…", "Und so weiter.")] {
            let sizes = try [text, other].map { text in
                let quote = Quote(text: text, author: "Ada", source: "Letters")
                return try size(of: layout(.quote(QuoteContent(quotes: [quote])), on: display))
            }
            // An ellipsis is wider than a full stop, so the size may be one step smaller.
            #expect(sizes[0] >= 0.8 * sizes[1] && sizes[0] > 17, "\(text) \(sizes)")
        }
    }

    @Test func aTextWithAnEllipsisOfItsOwnKeepsItsSizeInCompactMode() throws {
        let content = Content.quote(QuoteContent(quotes: [Quote(text: "To be continued…")]))
        #expect(try size(of: layout(content, on: try today(.compact, at: .large))) == 17)
    }

    // MARK: Authors

    @Test(arguments: ["Faust. Der Tragödie erster Teil", "Faust. Der Tragödie erster und zweiter Teil in einem Band"])
    func theNamesBecomeSmallerAndTheSecondIsWholeOrOmitted(source: String) throws {
        let quote = Quote(
            text: "Es irrt der Mensch, solang er strebt.",
            author: "Johann Wolfgang von Goethe",
            source: source
        )
        let content = Content.quote(QuoteContent(quotes: [quote]))
        let display = try home(.systemSmall, width: 158, height: 158)
        let texts = try layout(content, on: display).all.compactMap(\.text)
        try #require(texts.count >= 2)
        #expect(texts[0].font.size >= 0.75 * 17)
        #expect(texts[0].lines.map(\.text).joined(separator: " ") == quote.text)
        #expect(texts[1].font.size < (17 * QuoteLayout.nameScale).rounded() && texts[1].font.size >= 11)
        let names = texts.dropFirst().map { $0.lines.map(\.text).joined(separator: " ") }
        #expect(names == [quote.author, source], "\(texts.map(\.font.size))")
    }

    @Test func namesAreNotTruncatedIfSmallerTypeShowsThemWhole() throws {
        for family in [Display.Family.systemMedium, .systemLarge] {
            let display = try home(family, width: 338, height: family == .systemLarge ? 354 : 158)
            let layout = try layout(quote(), on: display)
            #expect(layout.lines.suffix(2) == ["Arthur Conan Doyle", "A Scandal in Bohemia"])
        }
    }

    @Test(arguments: [(250.0, 122.0), (296, 128), (400, 300)])
    func aPanelShowsTheAuthorOfAQuoteOfTwoSentences(width: Double, height: Double) throws {
        for category in [ContentSizeCategory.large, .accessibilityMedium] where category == .large || height >= 300 {
            var display = try panel(width, height)
            display.contentSizeCategory = category
            let layout = try layout(quote(), on: display)
            #expect(layout.isWhole && layout.lines.contains("Arthur Conan Doyle"))
            #expect(layout.smallestType >= 11)
        }
    }

    @Test func aShortQuoteKeepsItsAuthorAtAccessibilitySizes() throws {
        let quote = Quote(
            text: "Es irrt der Mensch, solang er strebt.",
            author: "Johann Wolfgang von Goethe",
            source: "Faust. Der Tragödie erster Teil"
        )
        let content = Content.quote(QuoteContent(quotes: [quote]))
        let lines = try layout(content, on: try today(.compact, at: .accessibilityMedium)).lines
        #expect(lines.joined(separator: " ").contains("Johann Wolfgang von Goethe"))
    }
}
