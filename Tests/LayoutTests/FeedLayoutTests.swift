// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Testing
import WidgetSchema

@testable import LayoutEngine

@Suite struct FeedLayoutTests {
    @Test(arguments: [ContentSizeCategory.large, .accessibilityMedium, .accessibilityExtraExtraExtraLarge])
    func noDetailIsAsLargeAsItsTitle(category: ContentSizeCategory) throws {
        let items = [
            FeedItem(
                id: "1",
                title: "தொழில்நுட்பக் கண்டுபிடிப்பாளர்களுக்கான பன்னாட்டு மாநாடு தொடக்கம்",
                author: "முனைவர் பிரியா வெங்கடராமன்",
                published: Sample.instant
            )
        ]
        let display = try Sample.today(.expanded) {
            $0.contentSizeCategory = category
            $0.width = 304
        }
        let layout = try Sample.draw(Sample.posts(items), on: display, measurer: TextMeasurer())
        let sizes = layout.all.compactMap(\.text).map(\.font.size)
        // A title that is cut has no details.
        try #require(sizes.count >= 2 || layout.lines.last?.hasSuffix("…") == true)
        // The title is smaller than usual, so that its ordinary words are whole.
        if category == .accessibilityMedium {
            #expect(sizes[0] < DynamicType.metrics(of: .subheadline, in: category).size)
        }
        #expect(sizes.dropFirst().allSatisfy { $0 < sizes[0] }, "\(sizes)")
        // Rows are as high as their labels.
        for row in layout.rows {
            let labels = (row.views ?? []).filter { $0.text != nil }
            let bottom = try #require(labels.map { $0.frame.y + $0.frame.height }.max())
            #expect(row.frame.height - bottom <= RowHeights.padding + 1)
        }
    }

    @Test func classicShowsThreeRowsCollapsedAndSixExpandedAboveAFooterOf44Points() throws {
        let display = try Sample.classic()
        let collapsed = try Sample.draw(Sample.feed(10), on: display)
        let expanded = try Sample.draw(Sample.feed(10), on: display, expanded: true)
        #expect(collapsed.rows.count == 3)
        #expect(expanded.rows.count == 6)
        #expect(collapsed.footer?.frame.height == 44)
        #expect(collapsed.footer?.lines == ["Show more"])
        #expect(collapsed.footer?.action == .command(.setExpanded(true)))
        #expect(expanded.footer?.lines == ["Show less"])
        #expect(expanded.footer?.action == .command(.setExpanded(false)))
        #expect(collapsed.size.height == 3 * 64 + 44)
        #expect(expanded.size.height == 6 * 64 + 44)
        #expect(collapsed.footer?.frame.y == 192)
    }

    @Test(arguments: 0...8) func neverMoreRowsThanItemsAndAFooterOnlyWhereThereIsMore(items: Int) throws {
        for isExpanded in [false, true] {
            let layout = try Sample.draw(Sample.feed(items), on: try Sample.classic(), expanded: isExpanded)
            #expect(layout.rows.count == min(items, isExpanded ? 6 : 3))
            #expect((layout.footer != nil) == (items > 3))
        }
    }

    @Test func rowLimitsAreTheWidgets() throws {
        let limits = RowLimits(collapsed: 1, expanded: 2)
        let display = try Sample.classic()
        #expect(try Sample.draw(Sample.feed(9), on: display, rows: limits).rows.count == 1)
        #expect(try Sample.draw(Sample.feed(9), on: display, expanded: true, rows: limits).rows.count == 2)
        #expect(try Sample.draw(Sample.feed(9), on: try Sample.today(.expanded), rows: limits).rows.count == 2)
    }

    @Test func compactIsExactlyTheHostsHeightAndHoldsOneRowOfThreeLabels() throws {
        let layout = try Sample.draw(Sample.feed(10), on: try Sample.today(.compact))
        #expect(layout.size == Size(width: 359, height: 110))
        #expect(layout.rows.count == 1)
        #expect(layout.rows.first?.lines == ["Post 0", "Author 0", "Nov 21, 2026"])
        #expect(layout.footer == nil)
    }

    @Test func expandedIsAsHighAsItsRowsAndAtMostTheHostsMaximum() throws {
        let display = try Sample.today(.expanded)
        #expect(try Sample.draw(Sample.feed(10), on: display).size.height == 6 * 64)
        #expect(try Sample.draw(Sample.feed(10), on: display).footer == nil)
        #expect(try Sample.draw(Sample.feed(2), on: display).size.height == 2 * 64)
        let low = try Sample.draw(Sample.feed(10), on: try Sample.today(.expanded) { $0.maximumHeight = 200 })
        #expect(low.rows.count == 3)
        #expect(low.size.height == 3 * 64)
    }

    @Test func insetsMoveTheRowsAndCountInTheHeight() throws {
        let display = try Sample.classic { $0.insets = EdgeInsets(top: 5, leading: 47, bottom: 39, trailing: 8) }
        let layout = try Sample.draw(Sample.feed(2), on: display)
        #expect(layout.rows.first?.frame == Rectangle(x: 47, y: 5, width: 359 - 47 - 8, height: 64))
        #expect(layout.size.height == 5 + 2 * 64 + 39)
    }

    @Test func textStaysSixteenPointsFromTheDisplaysEdges() throws {
        let layout = try Sample.draw(Sample.feed(1), on: try Sample.today(.compact))
        let label = try #require(layout.rows.first?.views?.first)
        #expect(label.frame.x == 16)
        #expect(label.frame.width == 359 - 32)
        let classic = try Sample.draw(Sample.feed(1), on: try Sample.classic())
        #expect(classic.rows.first?.views?.first?.frame.x == 0)
    }

    @Test func leadingIsRightWhereTextRunsFromRightToLeft() throws {
        let display = try Sample.classic { $0.locale = "he_IL" }
        let row = try #require(try Sample.draw(Sample.feed(1), on: display).rows.first)
        #expect(row.frame == Rectangle(x: 0, y: 0, width: 312, height: 64))
        let label = try #require(row.views?.first)
        let line = try #require(label.text?.lines.first)
        #expect(line.x + line.width == label.frame.width)
    }

    @Test(arguments: ContentSizeCategory.allCases)
    func everyFontIsTheTablesAndOneRowFitsTheCompactHeightOfItsTextSize(category: ContentSizeCategory) throws {
        let heights: [Double] = [95, 100, 105, 110, 120, 130, 140, 177, 214, 251, 288, 325]
        let index = try #require(ContentSizeCategory.allCases.firstIndex(of: category))
        let compact = try Sample.today(.compact) {
            $0.contentSizeCategory = category
            $0.compactHeight = heights[index]
        }
        let layout = try Sample.draw(Sample.feed(10), on: compact)
        #expect(layout.rows.count == 1)
        #expect(layout.rows.first?.views?.count == 3)
        let high = try Sample.classic { ($0.contentSizeCategory, $0.maximumHeight) = (category, 2000) }
        let classic = try Sample.draw(Sample.feed(10), on: high)
        #expect(classic.rows.count == 3)
        let leading = DynamicType.metrics(of: .subheadline, in: category).leading
        #expect(classic.footer?.frame.height == max(44, leading + 12))
        for text in (layout.views + classic.views).flatMap(\.all).compactMap(\.text) {
            let metrics = DynamicType.metrics(of: text.font.style, in: category)
            let scale = text.font.scale
            #expect(text.font.size == (scale == 1 ? metrics.size : (metrics.size * scale).rounded()))
            #expect(text.font.leading == metrics.leading * scale)
        }
    }

    @Test func whereNoRowOfThreeLabelsFitsRowsHaveFewer() throws {
        func rows(_ height: Double, width: Double = 359) throws -> [LayoutView] {
            let display = try Sample.today(.compact) {
                $0.compactHeight = height
                $0.width = width
            }
            return try Sample.draw(Sample.feed(5), on: display).rows
        }
        #expect(try rows(64)[0].views?.count == 3)
        #expect(try rows(63, width: 120)[0].views?.count == 2)
        #expect(try rows(40)[0].views?.count == 1)
        #expect(try rows(20) == [])
    }

    @Test func authorAndDateAreOnOneLineWhereNoRowOfThreeLinesFits() throws {
        let display = try Sample.today(.compact) { $0.compactHeight = 63 }
        let row = try #require(try Sample.draw(Sample.feed(5), on: display).rows.first)
        #expect(row.lines == ["Post 0", "Author 0", "Nov 21, 2026"])
        let labels = row.views ?? []
        #expect(labels[1].frame.y == labels[2].frame.y)
        #expect(labels[2].frame.x == labels[1].frame.x + labels[1].frame.width + 9)
    }

    @Test func rowsAreAsHighAsTheLabelsOfTheirPostsAndATapTarget() throws {
        var items = Sample.items(3)
        items[1].author = nil
        items[2].published = nil
        items[2].author = " \n "
        let layout = try Sample.draw(Sample.posts(items), on: try Sample.today(.expanded))
        #expect(layout.rows.map(\.frame.height) == [64, 48, 44])
        #expect(layout.rows.map { $0.views?.count } == [3, 2, 1])
        #expect(layout.rows[1].lines == ["Post 1", "Nov 20, 2026"])
    }

    @Test func theDateIsThatOfPublicationElseOfTheLastChange() throws {
        var item = Sample.items(1)[0]
        item.updated = Instant(year: 2026, month: 12, day: 1, millisecondsOfDay: 0)
        let display = try Sample.today(.compact)
        #expect(try Sample.draw(Sample.posts([item]), on: display).lines.last == "Nov 21, 2026")
        item.published = nil
        #expect(try Sample.draw(Sample.posts([item]), on: display).lines.last == "Dec 1, 2026")
    }

    @Test func datesAreInTheDisplaysLocaleAndTheWidgetsTimeZoneWins() throws {
        var item = Sample.items(1)[0]
        item.published = Instant(year: 2026, month: 11, day: 21, millisecondsOfDay: 1000)
        let feed = Sample.posts([item])
        let display = try Sample.today(.compact) {
            $0.locale = "de_DE"
            $0.timeZone = "America/New_York"
        }
        #expect(try Sample.draw(feed, on: display).lines.last == "20. Nov. 2026")
        #expect(try Sample.draw(feed, on: display, timeZone: "Europe/Berlin").lines.last == "21. Nov. 2026")
    }

    @Test func onlyLinksOfTheWebCanBeTapped() throws {
        func action(_ link: String?) throws -> LayoutAction? {
            let item = FeedItem(id: "1", title: "A post", link: link)
            return try Sample.draw(Sample.posts([item]), on: try Sample.classic()).rows.first?.action
        }
        #expect(try action("https://example.org/1") == .open(url: "https://example.org/1"))
        #expect(try action("HTTP://example.org") == .open(url: "HTTP://example.org"))
        for link in [
            nil, "", "javascript:alert(1)", "file:///etc/passwd", "/relative", "https://", "ftp://example.org",
        ] {
            #expect(try action(link) == nil)
        }
        #expect(try action("https://example.org/" + String(repeating: "a", count: 3000)) == nil)
    }

    @Test func aPostWithoutATitleShowsItsSummaryElseThatItHasNone() throws {
        let items = [FeedItem(id: "1", title: " ", summary: "What happened"), FeedItem(id: "2", title: "\u{0}")]
        let layout = try Sample.draw(Sample.posts(items), on: try Sample.classic())
        #expect(layout.lines == ["What happened", "Untitled"])
    }

    @Test func anEmptyFeedSaysSo() throws {
        let layout = try Sample.draw(Sample.feed(0), on: try Sample.today(.compact))
        #expect(layout.lines == ["No posts"])
        #expect(layout.size.height == 110)
        #expect(layout.rows.isEmpty)
    }

    @Test func aPlaceholderHasRoomForTwoLinesAtEveryTextSize() throws {
        for category in ContentSizeCategory.allCases {
            let display = try Sample.classic { $0.contentSizeCategory = category }
            let layout = try Sample.sketch(.nothing, Sample.environment(display)).layout
            #expect(!layout.lines.isEmpty)
            let leading = DynamicType.metrics(of: .subheadline, in: category).leading
            #expect(layout.size.height >= 2 * leading + 24)
            // It does not change when an attempt fails.
            let failed = ShownContent.none(isRefreshing: false, attemptFailed: true)
            let other = try Sample.sketch(failed, Sample.environment(display)).layout
            #expect(other.size == layout.size)
        }
    }

    @Test func aRowWithoutAnAuthorIsLowerByItsLineExceptOnHostsWithoutModes() throws {
        func heights(_ items: [FeedItem], _ display: Display) throws -> [Double] {
            try Sample.draw(Sample.posts(items), on: display).rows.map(\.frame.height)
        }
        var items = Sample.items(3)
        items[1].author = nil
        #expect(try heights(items, Sample.today(.expanded)) == [64, 48, 64])
        #expect(try heights(items, Sample.classic()) == [64, 64, 64])
        for index in items.indices { items[index].author = "" }
        #expect(try heights(items, Sample.today(.compact)) == [48, 48])
    }
}
