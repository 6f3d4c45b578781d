// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Testing
import WidgetSchema

@testable import LayoutEngine

/// Home-screen widgets have a fixed size; the type follows the text there.
@Suite struct FixedScaleTests {
    private static let words = "It is a capital mistake to theorize before one has data. "

    private func layout(_ content: Content, on display: Display) throws -> Layout {
        try Sample.drawing(content, on: display, TextMeasurer(memory: nil)).layout
    }

    private func quote(_ repetitions: Int) -> Content {
        let text = String(repeating: Self.words, count: repetitions)
        return Sample.quote(text, author: "Arthur", source: "A Scandal in Bohemia")
    }

    private func size(of layout: Layout) -> Double? { layout.all.compactMap(\.text).first?.font.size }

    @Test func aShortQuoteHasLargerTypeOnALargeWidgetAndNoneOnASmallOne() throws {
        let large = try layout(quote(1), on: try Sample.home(.systemLarge, 338, 354))
        let small = try layout(quote(1), on: try Sample.home(.systemMedium, 338, 354))
        #expect(try #require(size(of: large)) > 20)
        #expect(size(of: small) == 17)
    }

    @Test func aFactWithALongWordIsLargeOnALargeWidget() throws {
        let town = "Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch"
        let fact = Sample.fact("city", town)
        let layout = try layout(fact, on: try Sample.home(.systemLarge, 338, 354))
        #expect(layout.isWhole)
        #expect(try #require(size(of: layout)) > 20)
    }

    @Test(arguments: [Display.Family.systemLarge, .systemExtraLarge])
    func aShortListIsLargerOnALargeWidgetAndALongOneIsNot(family: Display.Family) throws {
        let isLarge = family == .systemLarge
        let display = try Sample.home(family, isLarge ? 338 : 748, 354)
        for content in [Sample.feed(2), Sample.list(2)] {
            let layout = try layout(content, on: display)
            #expect(layout.rows.count == 2)
            #expect(try #require(size(of: layout)) >= 15 * 1.4)
        }
        let long = try layout(Sample.feed(12), on: display)
        #expect(size(of: long) == 15)
        #expect(long.rows.count == (isLarge ? 5 : 10))
    }

    @Test func daysUseTheRoomOfALargeWidget() throws {
        let layout = try layout(try Sample.forecast(), on: try Sample.home(.systemLarge, 338, 354))
        #expect(layout.rows.count == 5)
        #expect(layout.rows.reduce(0) { $0 + $1.frame.height } > 0.85 * (354 - 32))
    }

    @Test func aQuoteShrinksBeforeItIsCut() throws {
        let medium = try Sample.home(.systemMedium, 338, 158)
        let layout = try layout(quote(2), on: medium)
        #expect(layout.isWhole)
        #expect(try #require(size(of: layout)) < 17)
        #expect(layout.all.compactMap(\.text).allSatisfy { $0.font.size >= 11 })
    }

    @Test func aQuoteThatIsTooLongForAnySizeKeepsTheOrdinaryOne() throws {
        let layout = try layout(quote(12), on: try Sample.home(.systemSmall, 158, 158))
        #expect(!layout.isWhole)
        #expect(size(of: layout) == 17)
    }

    @Test func theExtraLargeFamilyShowsMoreRowsInTwoColumns() throws {
        let large = try layout(Sample.feed(12), on: try Sample.home(.systemLarge, 748, 356))
        let extraLarge = try layout(Sample.feed(12), on: try Sample.home(.systemExtraLarge, 748, 356))
        let rows = extraLarge.views.filter { $0.kind == .row }
        #expect(rows.count > large.views.count { $0.kind == .row })
        #expect(Set(rows.map(\.frame.x)).count == 2)
    }

    @Test func columnsOfTheExtraLargeFamilyStandSixteenPointsApart() throws {
        let posts = (1...12).map { FeedItem(id: "\($0)", title: Self.words, author: "Arthur") }
        let display = try Sample.home(.systemExtraLarge, 748, 356)
        let rows = try layout(Sample.posts(posts), on: display).views.filter { $0.kind == .row }
        let left = try #require(rows.map(\.frame.x).min())
        func edges(_ view: LayoutView, from x: Double) -> [Double] {
            let start = x + view.frame.x
            let own = view.text == nil ? [] : [start, start + view.frame.width]
            return own + (view.views ?? []).flatMap { edges($0, from: start) }
        }
        let first = rows.filter { $0.frame.x == left }.flatMap { edges($0, from: 0) }
        let second = rows.filter { $0.frame.x > left }.flatMap { edges($0, from: 0) }
        #expect(try #require(second.min()) - #require(first.max()) >= 16)
    }
}
