// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Testing
import WidgetSchema

@testable import LayoutEngine
@testable import LayoutGallery

/// Widgets on the lock screen and on home screens, from the same contents.
@Suite struct AccessoryLayoutTests {
    private func display(_ family: Display.Family, _ category: ContentSizeCategory = .large) throws -> Display {
        try Sample.display(family == .systemExtraLarge ? "ipad-1024" : "iphone-393", family, at: category)
    }

    @Test func oneLineSaysTheWeather() throws {
        let layout = try Sample.draw(try Sample.forecast(), on: try display(.accessoryInline))
        #expect(layout.lines == ["32–50° Clear"])
        #expect(layout.size == Size(width: 234, height: 26))
        #expect(layout.views.first?.action == .open(url: "weatherwidget://?daysFromNow=0"))
    }

    @Test func aTitleOnTheLockScreenHasTheLinesThatDetailsLeave() throws {
        func lines(_ count: Int, _ category: ContentSizeCategory = .large) throws -> [String] {
            let row = ContentRow(
                id: "1",
                title: .text("Ferry timetable changes for the winter with fewer sailings"),
                subtitle: count > 0 ? .text("Harbour") : nil,
                date: count > 1 ? Instant(milliseconds: 1_763_683_200_000) : nil
            )
            let display = try display(.accessoryRectangular, category)
            return try Sample.draw(.json(RowsContent(rows: [row])), on: display, measurer: TextMeasurer()).lines
        }
        #expect(try lines(0).count == 3)
        #expect(try lines(0).first == "Ferry timetable")
        #expect(try lines(1).count == 3)
        #expect(try lines(1).last == "Harbour")
        #expect(try lines(2).count == 3)
        #expect(try lines(2)[1] == "Harbour")
        // No detail goes for the sake of the title's second line.
        #expect(try lines(1, .extraExtraLarge).last == "Harbour")
    }

    @Test func theCircleHasASymbolAboveAFewCharacters() throws {
        let layout = try Sample.draw(try Sample.forecast(), on: try display(.accessoryCircular))
        #expect(layout.lines == ["32–50°"])
        let views = layout.all.filter { $0.kind != .button }
        #expect(views.map(\.kind) == [.image, .label])
        #expect(abs(views[0].frame.x + views[0].frame.width / 2 - 36) <= 0.5)
    }

    @Test func theCircleHasWholeWordsWhereTheyFit() throws {
        let circle = try display(.accessoryCircular)
        func line(_ title: String) throws -> [String] {
            let rows = [ContentRow(id: "1", title: .text(title))]
            return try Sample.draw(.json(RowsContent(rows: rows)), on: circle, measurer: TextMeasurer()).lines
        }
        #expect(try line("Moon") == ["Moon"])
        for title in ["Ferry timetable changes", "main: build and test"] {
            let words = try line(title).joined(separator: " ").replacing("…", with: "").split(separator: " ")
            #expect(!words.isEmpty && title.split(separator: " ").starts(with: words))
        }
        #expect(try line("Pneumonoultramicroscopic")[0].hasSuffix("…"))
    }

    @Test func theCircleHasTheNumberOfNewPosts() throws {
        let day: Int64 = 86_400_000
        let items = [0, 1, 30, 31].map { hours in
            FeedItem(
                id: "\(hours)",
                title: "Post",
                published: Instant(year: 2026, month: 11, day: 21, millisecondsOfDay: day / 2)
                    .advanced(byMilliseconds: -Int64(hours) * 3_600_000)
            )
        }
        let circle = try display(.accessoryCircular)
        #expect(try Sample.draw(Sample.posts(items), on: circle).lines == ["2"])
    }

    @Test func theCircleHasTheValueOfAFactAndTheLineTheFact() throws {
        let facts = Sample.fact("City", "Oslo")
        for (family, line) in [(Display.Family.accessoryCircular, "Oslo"), (.accessoryInline, "City - Oslo")] {
            #expect(try Sample.draw(facts, on: try display(family), measurer: TextMeasurer()).lines == [line])
        }
    }

    @Test(arguments: [Display.Family.accessoryCircular, .accessoryInline])
    func aQuoteBeginsWithItsFirstWordsAndNotWithItsAuthor(family: Display.Family) throws {
        let text = "Begin each day as if it were on purpose"
        let quote = Sample.quote(text, author: "Arthur", source: "Letters")
        let lines = try Sample.draw(quote, on: try display(family), measurer: TextMeasurer()).lines
        #expect(family == .accessoryCircular ? lines.count <= 3 : lines.count == 1)
        let words = lines.joined(separator: " ").replacing("…", with: "").split(separator: " ")
        #expect(!words.isEmpty)
        #expect(text.split(separator: " ").starts(with: words))
    }

    @Test func theLineAboveTheClockHasTheTitleOfTheNewestPost() throws {
        #expect(try Sample.draw(Sample.feed(3), on: try display(.accessoryInline)).lines == ["Post 0"])
    }

    @Test func aCapsuleIsAsWideAsItsShapeIsThere() {
        let circle = Capsule(size: Size(width: 10, height: 10))
        #expect([0, 3, -3, 5, 6].map(circle.width(at:)) == [10, 8, 8, 0, 0])
        let wide = Capsule(size: Size(width: 20, height: 10))
        #expect([0, 3, 5].map(wide.width(at:)) == [20, 18, 0])
        let high = Capsule(size: Size(width: 10, height: 20))
        #expect([0, 5, 8, 10].map(high.width(at:)) == [10, 10, 8, 0])
        #expect(circle.contains(Rectangle(x: 1, y: 2, width: 8, height: 6), tolerance: 0))
        #expect(!circle.contains(Rectangle(x: 0, y: 2, width: 8, height: 6), tolerance: 0.5))
    }

    @Test func aCircleSaysWhetherSomethingIsOnItsWay() throws {
        let environment = Sample.environment(try display(.accessoryCircular), Sample.moment(.quote))
        func lines(_ shown: ShownContent) throws -> [String] { try Sample.sketch(shown, environment).layout.lines }
        #expect(try lines(.none(isRefreshing: true, attemptFailed: false)) == ["…"])
        #expect(try lines(.none(isRefreshing: false, attemptFailed: true)) == ["–"])
    }

    @Test func theRectangleHasThreeLines() throws {
        let layout = try Sample.draw(Sample.feed(3), on: try display(.accessoryRectangular))
        #expect(layout.lines == ["Post 0", "Author 0", "Nov 21, 2026"])
        #expect(layout.size == Size(width: 160, height: 72))
    }

    @Test(arguments: Display.Family.allCases.filter { $0.isFixed && $0 != .panel }, WidgetKind.allCases)
    func everyKindShowsSomethingOnEveryFamily(family: Display.Family, kind: WidgetKind) throws {
        let contents: [WidgetKind: Content] = [
            .feed: Sample.feed(9), .keyValue: Sample.facts, .forecast: try Sample.forecast(), .quote: Sample.quotes,
            .documents: Sample.documents(9), .json: Sample.list(9),
        ]
        let content = try #require(contents[kind])
        for category in [ContentSizeCategory.extraSmall, .large, .accessibilityExtraExtraExtraLarge] {
            let display = try display(family, category)
            let layout = try Sample.draw(content, on: display) { $0.definition.actions = Sample.actions }
            #expect(!layout.lines.isEmpty, "\(family) \(kind) \(category)")
            #expect(layout.size.height == display.maximumHeight)
            let check = LayoutCheck(display: display, definition: WidgetDefinition(kind: kind))
            #expect(check.problems(of: layout) == [])
        }
    }

    @Test func largerTextThanWidgetKitsIsThatOfWidgetKit() throws {
        let large = try Sample.draw(Sample.feed(3), on: try display(.systemMedium, .extraExtraLarge))
        let larger = try Sample.draw(Sample.feed(3), on: try display(.systemMedium, .accessibilityLarge))
        #expect(large == larger)
    }
}
