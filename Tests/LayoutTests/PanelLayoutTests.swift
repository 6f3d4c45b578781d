// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Testing
import WidgetSchema

@testable import LayoutEngine

/// Rows and texts on panels and on the extra large family, which use their room.
@Suite struct PanelLayoutTests {
    private static let memory = TextMemory()

    private func layout(
        _ content: Content,
        _ width: Double,
        _ height: Double,
        family: Display.Family = .panel,
        at category: ContentSizeCategory = .large
    ) throws -> Layout {
        let display = try Sample.panel(width, height) { ($0.family, $0.contentSizeCategory) = (family, category) }
        return try Sample.drawing(content, on: display, TextMeasurer(memory: Self.memory)).layout
    }

    private func posts(_ count: Int, _ titles: [Int: String] = [:]) -> Content {
        let items = (0..<count).map { index in
            FeedItem(
                id: "\(index)",
                title: titles[index] ?? "Ferry timetable changes for the winter",
                author: "Harbour Office",
                published: Sample.instant
            )
        }
        return Sample.posts(items)
    }

    /// Returns the frames of all labels and images, in the coordinates of the layout.
    private func marks(_ views: [LayoutView], x: Double = 0, y: Double = 0) -> [Rectangle] {
        views.flatMap { view -> [Rectangle] in
            var place = view.frame
            (place.x, place.y) = (x + place.x, y + place.y)
            return (view.text != nil || view.image != nil ? [place] : [])
                + marks(view.views ?? [], x: place.x, y: place.y)
        }
    }

    private func captions(_ layout: Layout) -> [Double] {
        layout.all.compactMap(\.text).filter { $0.font.style == .caption1 || $0.font.style == .footnote }.map(
            \.font.size
        )
    }

    private func titles(_ layout: Layout) -> [LayoutText] {
        layout.all.compactMap(\.text).filter { $0.font.style == .subheadline }
    }

    @Test(arguments: [(250.0, 122.0, 8.0), (122, 250, 8), (296, 128, 8), (400, 300, 16), (800, 480, 16)])
    func textIsAsFarFromTheUpperEdgeOfAPanelAsFromTheLeadingEdge(width: Double, height: Double, margin: Double) throws {
        let quote = Quote(text: String(repeating: "Many words make a long quote. ", count: 40))
        for content in [posts(40), .quote(QuoteContent(quotes: [quote]))] {
            let layout = try layout(content, width, height)
            let marks = marks(layout.views)
            #expect(marks.map(\.x).min() == margin)
            let top = try #require(marks.map(\.y).min())
            let bottom = height - (try #require(marks.map { $0.y + $0.height }.max()))
            if content.kind == .feed { #expect(abs(top - margin) <= 1) }
            #expect(top >= margin - 1 && bottom >= margin - 1)
            for row in layout.rows { #expect(row.frame.y + row.frame.height <= height - margin + RowHeights.padding) }
        }
    }

    @Test func detailsOfPostsInColumnsGrowWithThePanel() throws {
        let layout = try layout(posts(7), 800, 480)
        #expect(layout.rows.count == 7)
        #expect(try #require(captions(layout).min()) >= 16)
    }

    @Test func aTitleWithALongWordHasTheSizeOfTheOthers() throws {
        let long = "Pneumonoultramicroscopicsilicovolcanoconiosis, explained for everyone"
        for size in [Size(width: 400, height: 300), Size(width: 800, height: 480), Size(width: 1280, height: 800)] {
            let titles = titles(try layout(posts(5, [2: long]), size.width, size.height))
            #expect(titles.count > 2)
            #expect(Set(titles.map(\.font.size)).count == 1, "\(size)")
        }
        let display = try Sample.today(.expanded)
        let phone = titles(try Sample.draw(posts(5, [2: long]), on: display, measurer: TextMeasurer()))
        #expect(phone.map(\.font.scale) == [1, 1, 1, 1, 1])
    }

    @Test func aShortFactIsLargeOnALargePanel() throws {
        let fact = Sample.fact("city", "Oslo")
        let layout = try layout(fact, 800, 480)
        #expect(try #require(layout.all.compactMap(\.text).first?.font.size) >= 80)
        #expect(layout.isWhole)
    }

    @Test func daysAreNotSmallerAtALargerTextSizeOnTheExtraLargeFamily() throws {
        let sizes = try ContentSizeCategory.allCases.map { category in
            let layout = try layout(try Sample.forecast(), 748, 356, family: .systemExtraLarge, at: category)
            #expect(layout.rows.count == 5)
            return try #require(layout.rows.last?.all.compactMap(\.text).map(\.font.size).max())
        }
        #expect(sizes == sizes.sorted())
    }

    @Test func theLastLineOfABrokenWordHasAtLeastFourLetters() throws {
        for letters in 17...120 {
            let word = String(repeating: "m", count: letters)
            let fact = Sample.fact("city", word)
            let lines = try layout(fact, 296, 128).lines
            #expect(lines.count < 2 || (lines.last?.count ?? 0) >= 4, "\(lines)")
        }
    }
}
