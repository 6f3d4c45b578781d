// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Testing
import WidgetSchema

@testable import LayoutEngine

@Suite struct QuoteLayoutTests {
    private let longQuote = Sample.quote(
        String(repeating: "Many words make a long quote. ", count: 12),
        author: "Ada",
        source: "Letters"
    )

    @Test func authorAndSourceAreAtScale085WithLineSpacing13() throws {
        let layout = try Sample.draw(Sample.quotes, on: try Sample.today(.expanded))
        let fonts = layout.all.compactMap(\.text).map(\.font)
        try #require(fonts.count == 3)
        #expect(fonts[0].style == .body && fonts[0].weight == .regular && fonts[0].size == 17)
        #expect(fonts[1].weight == .bold && fonts[1].scale == 0.85 && fonts[1].size == 14 && !fonts[1].italic)
        #expect(fonts[2].italic && fonts[2].scale == 0.85 && fonts[2].size == 14 && fonts[2].weight == .regular)
        #expect(abs(fonts[0].leading - 22 * 1.3) < 1e-9)
        #expect(abs(fonts[1].leading - 22 * 0.85 * 1.3) < 1e-9)
        #expect(abs(fonts[2].leading - 22 * 0.85 * 1.3) < 1e-9)
    }

    @Test(arguments: ContentSizeCategory.allCases)
    func scaledSizesAreRoundedToPoints(category: ContentSizeCategory) throws {
        let font = LayoutFont(.body, .bold, scale: 0.85, lineSpacing: 1.3, in: category)
        let body = DynamicType.metrics(of: .body, in: category)
        #expect(font.size == (body.size * 0.85).rounded())
        #expect(font.size == font.size.rounded())
    }

    @Test func theDayOfTheYearChoosesTheQuote() throws {
        func text(_ day: Int64) throws -> String? {
            try Sample.draw(Sample.quotes, on: try Sample.today(.compact)) {
                $0.instant = Instant(year: 2026, month: 1, day: day, millisecondsOfDay: 0)
            }.lines.first
        }
        #expect(try text(1) == "The first quote of the year.")
        #expect(try text(2) == "The second one.")
        #expect(try text(3) == "The third one.")
        #expect(try text(4) == "The first quote of the year.")
    }

    @Test func theHeightIsThatOfTheText() throws {
        let expanded = try Sample.today(.expanded)
        let short = try Sample.draw(Sample.quotes, on: expanded)
        let long = try Sample.draw(longQuote, on: expanded)
        #expect(long.size.height > short.size.height)
        #expect(!long.lines.contains { $0.hasSuffix("…") })
        #expect(long.lines.suffix(2) == ["Ada", "Letters"])
        let low = try Sample.today(.expanded) { $0.maximumHeight = 150 }
        #expect(try Sample.draw(longQuote, on: low).size.height <= 150)
    }

    @Test func inCompactTheAuthorGivesWayAndTheTextIsCutAtAWholeLine() throws {
        let layout = try Sample.draw(longQuote, on: try Sample.today(.compact))
        #expect(layout.size.height == 110)
        #expect(layout.lines.count == 3)
        #expect(layout.lines[2].hasSuffix("…"))
        #expect(!layout.lines.contains("Ada"))
    }

    @Test func withoutDataItSaysWhichAppToOpen() throws {
        var moment = Sample.moment(.quote)
        func text(_ shown: ShownContent = .nothing) throws -> String {
            let environment = Sample.environment(try Sample.today(.expanded), moment, measurer: TextMeasurer())
            return try Sample.sketch(shown, environment).layout.lines.joined(separator: " ")
        }
        #expect(try text() == "Open the app at least once before using this widget")
        moment.definition.name = "Quotes"
        #expect(try text() == "Open Quotes at least once before using this widget")
        #expect(try text(.none(isRefreshing: false, attemptFailed: true)) == "An error occurred while retrieving data")
        let empty = Content.quote(QuoteContent(quotes: []))
        #expect(try Sample.draw(empty, on: try Sample.today(.compact)).lines == ["No quotes"])
    }
}
