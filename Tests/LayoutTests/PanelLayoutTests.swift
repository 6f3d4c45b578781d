// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Testing
import WidgetSchema

@testable import LayoutEngine

/// Tests of the layouts of panels and of the cells of boards.
@Suite struct PanelLayoutTests {
    private static let memory = TextMemory()

    private func drawing(
        _ shown: ShownContent,
        _ kind: WidgetKind,
        _ display: Display,
        _ change: (inout WidgetMoment) -> Void = { _ in }
    ) -> Drawing {
        var moment = Sample.moment(kind)
        change(&moment)
        let renderer = LayoutRenderer(measurer: TextMeasurer(memory: Self.memory))
        return renderer.draw(DrawingOrder(shown: shown, moment: moment, display: display))
    }

    private func layout(
        _ content: Content,
        _ width: Double = 464,
        _ height: Double = 250,
        _ panel: Panel? = Panel(palette: .mono),
        locale: String = "en_GB",
        _ change: (inout WidgetMoment) -> Void = { _ in }
    ) throws -> Layout {
        let display = try Sample.panel(width, height) { ($0.panel, $0.locale) = (panel, locale) }
        let shown = ShownContent.content(content, try Sample.frame(content).reference.digest)
        return drawing(shown, content.kind, display, change).layout
    }

    private func texts(_ layout: Layout) -> [LayoutText] { layout.all.compactMap(\.text) }

    private func post(_ title: String, hoursAgo: Int64, author: String? = nil, link: String? = nil) -> FeedItem {
        let date = Sample.instant.advanced(byMilliseconds: -hoursAgo * 3_600_000)
        return FeedItem(id: title, title: title, author: author, published: date, link: link)
    }

    // MARK: Small areas

    @Test(arguments: ["en_US", "ja_JP", "hi_IN"]) func aNarrowForecastShowsTheWeather(locale: String) throws {
        let cell = Panel(palette: .mono, cell: BoardCell(place: try Sample.place()))
        let layout = try layout(Sample.forecast(), 151, 114, cell, locale: locale)
        let first = try #require(layout.views.first { $0.kind == .row })
        let views = first.views ?? []
        #expect(views.contains { $0.image != nil } || views.count { $0.text != nil } > 2)
    }

    @Test(arguments: ["zh_CN", "hi_IN", "en_GB"]) func aSentenceDoesNotEndInALineOfOneLetter(locale: String) throws {
        for width in stride(from: 90.0, to: 200, by: 3) {
            let display = try Sample.panel(width, 120) { ($0.panel, $0.locale) = (Panel(palette: .mono), locale) }
            let layout = drawing(.nothing, .documents, display) { $0.isPushed = true }.layout
            for text in texts(layout) where text.font.size > 13 {
                guard let last = text.lines.dropFirst().last else { continue }
                #expect(last.text.count { $0.isLetter || $0.isNumber } > 1, "\(width): \(text.lines.map(\.text))")
            }
        }
    }

    // MARK: Titles

    @Test func theBarHasTheNameOfTheCellOfTheWidgetOrOfTheFeed() throws {
        let feed = Content.feed(FeedContent(title: "The Harbour Times", items: Sample.items(2)))
        func name(_ panel: Panel, _ widget: String?) throws -> String? {
            try layout(feed, 464, 250, panel) { $0.definition.name = widget }.views.first { $0.kind == .bar }?.lines
                .first
        }
        let cell = Panel(palette: .mono, cell: BoardCell(place: try Sample.place(), name: "Port"))
        #expect(try name(cell, "News") == "Port")
        #expect(try name(Panel(palette: .mono), "News") == "News")
        #expect(try name(Panel(palette: .mono), nil) == "The Harbour Times")
        let quote = try layout(Sample.quotes)
        #expect(quote.views.first?.lines == ["Quote of the day"])
    }

    @Test func configuredMarginsAreThoseOfThePanel() throws {
        for inset in [0.0, 3, 40] {
            let display = try Sample.panel(800, 480) { $0.insets = EdgeInsets(top: inset, leading: inset) }
            let bar = try #require(try Sample.draw(Sample.feed(5), on: display).views.first { $0.kind == .bar })
            #expect(bar.frame.x == inset && bar.frame.y == inset && bar.frame.width == 800 - inset)
        }
    }

    @Test func anAreaBelow128PixelsHasALineInsteadOfABar() throws {
        let panel = Panel(palette: .mono, cell: BoardCell(place: try Sample.place()))
        let low = try layout(Sample.feed(2), 280, 127, panel)
        #expect(
            !low.views.contains { $0.kind == .bar } && low.views.contains { $0.kind == .rule && $0.frame.width == 280 }
        )
        #expect(try layout(Sample.feed(2), 280, 128, panel).views.first?.kind == .bar)
        #expect(try layout(Sample.feed(2), 280, 128, panel).views.first?.frame.height == 24)
    }

    @Test func aStaleMarkIsABadgeWithTheTimeOfTheLastSuccess() throws {
        let since = Sample.instant.advanced(byMilliseconds: -20 * 3_600_000)
        let bar = try #require(layout(Sample.documents(2)) { $0.staleSince = since }.views.first)
        let badge = try #require(bar.views?.first { $0.kind == .badge })
        #expect(badge.lines == ["since Fri 17:49"])
        #expect(badge.all.compactMap(\.text?.color) == [.label])
        let cell = Panel(palette: .mono, cell: BoardCell(place: try Sample.place()))
        // In little space, the state is more important than the end of the name.
        let narrow = try layout(Sample.documents(2), 130, 158, cell) {
            ($0.staleSince, $0.definition.name) = (since, "Documents of the harbour committee")
        }
        #expect(narrow.lines.contains { $0.hasPrefix("since") })
    }

    @Test func aWidgetsOwnSymbolIsInItsBar() throws {
        func symbol(_ name: String?) throws -> String? {
            try layout(Sample.facts) { $0.definition.symbol = name }.views.first?.all.compactMap(\.image?.symbol).first
        }
        #expect(try symbol("house") == "house")
        #expect(try symbol("no.such.symbol") == symbol(nil) && symbol(nil) != nil)
    }

    // MARK: Dates

    @Test func datesAreTimesTodayWeekdaysThisWeekAndDatesBefore() throws {
        let hours: [Int64] = [5, 24, 6 * 24, 7 * 24, 400 * 24]
        let feed = Sample.posts(hours.map { post("Title \($0)", hoursAgo: $0) })
        let lines = try layout(feed, 464, 400).lines.filter { !$0.hasPrefix("Title") }.dropFirst(2)
        #expect(Array(lines) == ["08:49", "Fri", "Sun", "14 Nov", "Oct 2025"])
        #expect(try layout(feed, 464, 400).lines.contains("1 today"))
    }

    @Test func feedsDocumentsAndRowsChangeAtMidnightOnPanelsOnly() throws {
        let panel = try Sample.panel(800, 480)
        for kind in [WidgetKind.feed, .documents, .json] {
            #expect(kind.dependsOnDay(on: panel))
            #expect(!kind.dependsOnDay(on: try Sample.today(.compact)))
        }
        #expect(!WidgetKind.keyValue.dependsOnDay(on: panel))
    }

    // MARK: Rows

    @Test func theDateIsOnTheFirstBaselineOfItsTitleAtTheTrailingEdge() throws {
        let title = "Ferry timetable changes for the winter, with fewer sailings on Sundays"
        let row = try #require(layout(Sample.posts([post(title, hoursAgo: 6), post("X", hoursAgo: 30)])).rows.first)
        let labels = try #require(row.views)
        #expect(labels[0].text?.lines.count == 2 && labels[0].text?.font.weight == .bold)
        func baseline(_ view: LayoutView) -> Double? { view.text?.lines.first.map { view.frame.y + $0.baseline } }
        #expect(baseline(labels[0]) == baseline(labels[1]))
        #expect(labels[1].frame.x + labels[1].frame.width == row.frame.width)
    }

    @Test func authorsAreShownOnlyIfTheyTakeNoSpaceFromAPost() throws {
        func feed(_ count: Int) -> Content {
            Sample.posts((0..<count).map { post("Title \($0)", hoursAgo: Int64($0), author: "Ada") })
        }
        #expect(try layout(feed(3)).lines.contains("Ada"))
        let full = try layout(feed(30))
        let anonymous = try layout(Sample.posts((0..<30).map { post("Title \($0)", hoursAgo: Int64($0)) }))
        #expect(!full.lines.contains("Ada") && full.rows.count == anonymous.rows.count)
        // Rows of one line are 36 pixels high, and the first one 29, in 208 pixels.
        #expect(full.rows.count == 5)
    }

    @Test func aTitleIsCutOnlyWithoutItsDate() throws {
        let long = String(repeating: "Many words make a long title. ", count: 8)
        let rows = try layout(Sample.posts([post(long, hoursAgo: 6), post("Short", hoursAgo: 6)])).rows
        #expect(rows[0].views?.count == 1 && rows[0].lines.last?.hasSuffix("…") == true)
        #expect(rows[1].lines == ["Short", "07:49"])
    }

    @Test func fewPostsHaveLargerTypeAndMoreSpace() throws {
        func titles(_ count: Int) throws -> [LayoutText] {
            try layout(Sample.posts((0..<count).map { post("Title \($0)", hoursAgo: 1) })).rows
                .compactMap { $0.all.compactMap(\.text).first }
        }
        let (few, many) = (try titles(2), try titles(40))
        #expect(Set(many.map(\.font.size)) == [18])
        #expect(Set(few.map(\.font.size)) == [30])
    }

    @Test func nothingOnAPassivePanelCanBeTapped() throws {
        let items = [post("A", hoursAgo: 1, link: "https://example.org/a")]
        for content in [Sample.posts(items), Sample.documents(3), Sample.list(3), try Sample.forecast(), Sample.facts] {
            let change: (inout WidgetMoment) -> Void = {
                ($0.definition.actions, $0.definition.link) = (Sample.actions, "https://example.org")
            }
            let passive = try layout(content, 464, 250, Panel(palette: .mono), change)
            #expect(passive.link == nil && !passive.all.contains { $0.action != nil || $0.kind == .button })
            let touch = try layout(content, 464, 250, Panel(palette: .mono, isInteractive: true), change)
            #expect(touch.link != nil && touch.all.contains { $0.action != nil })
        }
    }

    @Test func anotherLinkDoesNotChangeTheDigestOfAPassivePanel() throws {
        func digest(_ link: String, _ isInteractive: Bool) throws -> ContentDigest {
            let content = Sample.posts([post("A", hoursAgo: 1, link: link)])
            let display = try Sample.panel(464, 250) { $0.panel = Panel(palette: .mono, isInteractive: isInteractive) }
            return drawing(.content(content, try Sample.frame(content).reference.digest), .feed, display).digest
        }
        let (one, other) = ("https://example.org/a", "https://example.org/a?utm=1")
        #expect(try digest(one, false) == digest(other, false))
        #expect(try digest(one, true) != digest(other, true))
    }

    // MARK: Without content

    @Test func aFailureIsASentenceWithItsCauseAtTheTop() throws {
        let display = try Sample.panel(464, 250) { $0.panel = Panel(palette: .mono) }
        let failed = ShownContent.none(isRefreshing: false, attemptFailed: true)
        func sentence(_ cause: FailureCause?, locale: String = "en_GB") -> String {
            var display = display
            display.locale = locale
            let layout = drawing(failed, .feed, display) { $0.failure = cause }.layout
            let text = layout.views.last
            #expect(text?.frame.y ?? 0 < 60 && text?.text?.font.size ?? 0 == 18 && text?.text?.color == .label)
            return text?.lines.joined(separator: " ") ?? ""
        }
        #expect(
            sentence(FailureCause(class: .permanent, status: 404)) == "The server says this page does not exist (404)"
        )
        #expect(sentence(FailureCause(class: .transient)) == "The server cannot be reached")
        #expect(sentence(FailureCause(class: .transient, status: 503)) == "The server reports an error (503)")
        #expect(sentence(FailureCause(class: .rateLimited, status: 429)).contains("wait"))
        #expect(sentence(nil) == "An error occurred while retrieving data")
        #expect(sentence(FailureCause(class: .transient), locale: "de_DE") == "Der Server ist nicht erreichbar")
        let pushed = drawing(.nothing, .documents, display) { $0.isPushed = true }.layout
        #expect(pushed.lines.last == "Waiting for its first content")
    }

    @Test func everyLanguageHasEveryWordOfPanels() {
        for language in WidgetLanguage.allCases {
            #expect(PanelWord.table[language]?.count == PanelWord.allCases.count, "\(language)")
        }
    }

    @Test func aHiddenWidgetShowsItsNameAlone() throws {
        let layout = try layout(Sample.feed(3)) { ($0.pushedHasContent, $0.definition.name) = (false, "News") }
        #expect(layout.lines == ["News"])
    }

    @Test func aTinyCellShowsItsNameOrASymbol() throws {
        for content in [Sample.feed(3), Sample.quotes, Sample.documents(2), Sample.list(2), Sample.facts] {
            for size in [Size(width: 60, height: 55), Size(width: 30, height: 20), Size(width: 1, height: 1)] {
                let panel = Panel(palette: .mono, cell: BoardCell(place: try Sample.place(), name: "News"))
                let layout = try layout(content, size.width, size.height, panel)
                #expect(layout.lines.contains("News") || layout.all.contains { $0.image != nil }, "\(size)")
            }
        }
    }

    // MARK: Headers and digests

    @Test func theHeaderHasTheDateInTheOrderOfTheLocale() throws {
        func header(_ locale: String, width: Double) throws -> LayoutView? {
            let size = Size(width: width, height: 32)
            let cell = BoardCell(place: try Sample.place(), header: .date, headerSize: size)
            return try layout(Sample.feed(1), 464, 250, Panel(palette: .mono, cell: cell), locale: locale).header
        }
        let wide = try #require(try header("en_GB", width: 768))
        #expect(wide.lines == ["Saturday 21 November"] && wide.text?.font.size == 24)
        #expect(try header("en_US", width: 768)?.lines == ["Saturday, November 21"])
        #expect(try header("de_DE", width: 768)?.lines == ["Samstag, 21. November"])
        let narrow = try #require(try header("en_GB", width: 234))
        #expect(narrow.frame.width <= 117)
        #expect(try layout(Sample.feed(1)).header == nil)
    }

    @Test func theDigestChangesWithTheHeaderThePaletteAndThePlace() throws {
        let content = Sample.facts
        func digest(_ panel: Panel, on day: Int64 = 21) throws -> ContentDigest {
            let display = try Sample.panel(464, 250) { $0.panel = panel }
            let shown = ShownContent.content(content, try Sample.frame(content).reference.digest)
            return drawing(shown, .keyValue, display) {
                $0.instant = Instant(year: 2026, month: 11, day: day, millisecondsOfDay: 1000)
            }.digest
        }
        let place = try Sample.place()
        let plain = Panel(palette: .mono, cell: BoardCell(place: place))
        let header = Panel(palette: .mono, cell: BoardCell(place: place, header: .date))
        #expect(try digest(plain) == digest(plain, on: 22))
        #expect(try digest(header) != digest(header, on: 22))
        var others = [plain, header, Panel(palette: .mono)]
        others.append(Panel(palette: .bwr, cell: BoardCell(place: place)))
        others.append(Panel(palette: .mono, rotation: .half, cell: BoardCell(place: place)))
        others.append(Panel(palette: .mono, isInverted: true, cell: BoardCell(place: place)))
        others.append(Panel(palette: .mono, cell: BoardCell(place: try Sample.place("fedcba9876543210"))))
        #expect(try Set(others.map { try digest($0) }).count == others.count)
    }

    @Test func rightToLeftPanelsAreMirrored() throws {
        let panel = Panel(palette: .mono)
        let (left, right) = (
            try layout(Sample.documents(3), 464, 250, panel),
            try layout(Sample.documents(3), 464, 250, panel, locale: "he_IL")
        )
        let (symbol, mirrored) = try (
            #require(left.rows.first?.views?.first { $0.image != nil }),
            #require(right.rows.first?.views?.first { $0.image != nil })
        )
        #expect(symbol.frame.x == 0)
        #expect(mirrored.frame.x + mirrored.frame.width == right.rows.first?.frame.width)
    }

    // MARK: Type

    @Test func typeGrowsWithTheDensityAndIsNeverSmallerThanTheLadder() throws {
        let feed = Sample.feed(40)
        func sizes(_ factor: Double) throws -> Set<Double> {
            Set(texts(try layout(feed, 800, 480, Panel(palette: .mono, typeFactor: factor))).map(\.font.size))
        }
        #expect(try sizes(1) == [15, 18])
        #expect(try sizes(1.8) == [27, 32])
        #expect(try sizes(0.2) == [15, 18] && sizes(.nan) == [15, 18])
    }

    @Test(arguments: ["Well begun is half done.", String(repeating: "Many words make a long quote. ", count: 5)])
    func aQuoteHasTheLargestStepThatHoldsItWithItsAuthor(text: String) throws {
        let layout = try layout(Sample.quote(text, author: "Aristotle", source: "Politics"), 280, 158)
        let quote = try #require(texts(layout).dropFirst().first)
        #expect(layout.isWhole && layout.lines.contains("Aristotle"))
        #expect(quote.font.size == (text.count < 30 ? 30 : 13))
    }

    @Test func theAuthorOfALongQuoteHasNoLargerType() throws {
        let text = "It is a capital mistake to theorize before one has data. Insensibly one begins to twist facts."
        let cell = Panel(palette: .mono, cell: BoardCell(place: try Sample.place()))
        for height in stride(from: 128.0, through: 200, by: 4) {
            let sizes = try texts(layout(Sample.quote(text, author: "Arthur Conan Doyle"), 234, height, cell))
                .dropFirst().map(\.font.size)
            #expect(sizes.dropFirst().allSatisfy { $0 <= sizes.first ?? 0 }, "\(height): \(sizes)")
        }
    }

    @Test func aQuoteAndAForecastAloneOnAPanelHaveLargeType() throws {
        let quote = try layout(Sample.quote("Well begun is half done.", author: "Aristotle"), 800, 480)
        #expect(texts(quote).map(\.font.size).max() ?? 0 >= 90)
        let forecast = try layout(try Sample.forecast(), 800, 480)
        #expect(texts(forecast).map(\.font.size).max() == 120)
        #expect(forecast.all.compactMap { $0.image == nil ? nil : $0.frame.width }.contains(128))
    }

    @Test func allFactsAreShownIfOneOfThemNeedsTwoLines() throws {
        var pairs = (0..<4).map { KeyValuePair(key: "Room \($0)", value: "21.5 °C") }
        pairs.append(KeyValuePair(key: "Time zone", value: "Europe/Berlin (Central Time)"))
        let rows = try layout(.keyValue(KeyValueContent(pairs: pairs)), 234, 250) { $0.definition.show = .all }.rows
        #expect(rows.count == 5)
        #expect(rows.first?.all.compactMap(\.text?.font.size) == [16, 18])
        let value = try #require(rows.last?.views?.last)
        #expect(value.text?.lines.count == 2 && value.frame.x == 0)
    }

    @Test func aLowForecastShowsTheWeatherOfItsFirstDay() throws {
        for width in [212.0, 250, 296] {
            let first = try #require(layout(try Sample.forecast(), width, width / 2.05).rows.first)
            #expect(first.all.contains { $0.image != nil } || first.lines.count > 2, "\(width): \(first.lines)")
        }
    }

    @Test(arguments: [
        (palette: PanelPalette.mono, weight: LayoutFont.Weight.regular), (.bwr, .regular), (.gray4, .bold),
        (.color, .bold),
    ])
    func smallIdeographsAreBoldOnlyWithAntialiasing(
        _ sample: (palette: PanelPalette, weight: LayoutFont.Weight)
    ) throws {
        let pairs = [KeyValuePair(key: "地域", value: "東京都千代田区丸の内一丁目")]
        let panel = Panel(palette: sample.palette, cell: BoardCell(place: try Sample.place(), name: "Tokyo"))
        let layout = try layout(.keyValue(KeyValueContent(pairs: pairs)), 180, 90, panel)
        let value = try #require(texts(layout).last)
        #expect(value.font.size == 13 && value.font.weight == sample.weight)
    }

    @Test func aMissingTemperatureIsADashAndALoneNumberIsTheHighOne() throws {
        let day = try Sample.day("2026-11-21")
        let days =
            [ForecastDay(date: day, condition: .rain, low: 8, high: nil)]
            + (1..<6).map { ForecastDay(date: day.advanced(byDays: $0), condition: .snow, low: -11, high: nil) }
        let layout = try layout(.forecast(ForecastContent(days: days)), 288, 250)
        #expect(layout.rows.count == 6)
        for row in layout.rows { #expect(row.lines.contains("–")) }
        let one = [ForecastDay(date: day, condition: .heavySnow, low: 8, high: 14)]
        let cell = Panel(palette: .mono, cell: BoardCell(place: try Sample.place(), name: "Oslo"))
        let small = try self.layout(.forecast(ForecastContent(days: one)), 70, 90, cell)
        #expect(small.lines.contains("14°") && small.lines.contains("High"), "\(small.lines)")
    }
}
