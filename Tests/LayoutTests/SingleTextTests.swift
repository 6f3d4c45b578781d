// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Testing
import WidgetSchema

@testable import LayoutEngine

/// The size of a single text: a quote with its author and source, or a fact.
@Suite struct SingleTextTests {
    private static let memory = TextMemory()
    private static let goethe = (text: "Es irrt der Mensch, solang er strebt.", author: "Johann Wolfgang von Goethe")

    private func layout(_ content: Content, on display: Display) throws -> Layout {
        try Sample.drawing(content, on: display, TextMeasurer(memory: Self.memory)).layout
    }

    private func today(_ mode: Display.Mode, at category: ContentSizeCategory) throws -> Display {
        try Sample.display("iphone-375", .today, mode, at: category)
    }

    private func quote(author: String? = "Arthur Conan Doyle", source: String? = "A Scandal in Bohemia") -> Content {
        let text =
            "It is a capital mistake to theorize before one has data. Insensibly one begins to twist facts to suit "
            + "theories, instead of theories to suit facts."
        return Sample.quote(text, author: author, source: source)
    }

    private func size(of layout: Layout) throws -> Double {
        try #require(layout.all.compactMap(\.text).first?.font.size)
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
            let content = Sample.quote(text)
            let layout = try layout(content, on: try today(.compact, at: .accessibilityExtraExtraExtraLarge))
            #expect(try size(of: layout) >= 20)
        }
    }

    // MARK: Ellipses

    @Test func aTextWithAnEllipsisOfItsOwnIsAsLargeAsOneWithoutIt() throws {
        let display = try Sample.home(.systemLarge, 338, 354)
        for (text, other) in [("To be, or not to be…", "To be, or not to be."), ("Und so weiter…", "Und so weiter.")] {
            let sizes = try [text, other].map { text in
                try size(of: layout(Sample.quote(text, author: "Ada", source: "Letters"), on: display))
            }
            // An ellipsis is wider than a full stop, so the size may be one step smaller.
            #expect(sizes[0] >= 0.8 * sizes[1] && sizes[0] > 17, "\(text) \(sizes)")
        }
    }

    @Test func aTextWithAnEllipsisOfItsOwnKeepsItsSizeInCompactMode() throws {
        let content = Sample.quote("To be continued…")
        #expect(try size(of: layout(content, on: try today(.compact, at: .large))) == 17)
    }

    // MARK: Authors

    @Test(arguments: ["Faust. Der Tragödie erster Teil", "Faust. Der Tragödie erster und zweiter Teil in einem Band"])
    func theNamesBecomeSmallerAndTheSecondIsWholeOrOmitted(source: String) throws {
        let content = Sample.quote(Self.goethe.text, author: Self.goethe.author, source: source)
        let display = try Sample.home(.systemSmall, 158, 158)
        let texts = try layout(content, on: display).all.compactMap(\.text)
        try #require(texts.count >= 2)
        #expect(texts[0].font.size >= 0.75 * 17)
        #expect(texts[0].lines.map(\.text).joined(separator: " ") == Self.goethe.text)
        #expect(texts[1].font.size < (17 * QuoteLayout.nameScale).rounded() && texts[1].font.size >= 11)
        let names = texts.dropFirst().map { $0.lines.map(\.text).joined(separator: " ") }
        #expect(names == [Self.goethe.author, source], "\(texts.map(\.font.size))")
    }

    @Test func namesAreNotTruncatedIfSmallerTypeShowsThemWhole() throws {
        for family in [Display.Family.systemMedium, .systemLarge] {
            let display = try Sample.home(family, 338, family == .systemLarge ? 354 : 158)
            let layout = try layout(quote(), on: display)
            #expect(layout.lines.suffix(2) == ["Arthur Conan Doyle", "A Scandal in Bohemia"])
        }
    }

    @Test func aShortQuoteKeepsItsAuthorAtAccessibilitySizes() throws {
        let source = "Faust. Der Tragödie erster Teil"
        let content = Sample.quote(Self.goethe.text, author: Self.goethe.author, source: source)
        let lines = try layout(content, on: try today(.compact, at: .accessibilityMedium)).lines
        #expect(lines.joined(separator: " ").contains("Johann Wolfgang von Goethe"))
    }
}
