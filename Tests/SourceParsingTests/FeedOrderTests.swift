// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import SourceParsing
import Testing
import WidgetSchema

@Suite struct FeedOrderTests {
    private static let now = Instant(year: 2026, month: 11, day: 21, millisecondsOfDay: 12 * 3_600_000)

    /// Returns the titles of a feed in the order that widgets show.
    ///
    /// Each item is a title, or a title with the number of hours by which its date lies before `now`.
    private static func titles(
        _ items: [(title: String, age: Int?)],
        options: [String: String] = [:],
        received: Instant? = now
    ) throws -> [String] {
        let elements = items.map { item in
            let date = item.age.map { "<pubDate>\(now.advanced(byMilliseconds: Int64($0) * -3_600_000))</pubDate>" }
            return "<item><title>\(item.title)</title>\(date ?? "")</item>"
        }
        let content = try SourceParser.parse(
            FeedSamples.body(FeedSamples.rss(elements.joined()), received: received),
            parsing: Parsing(kind: .feed, options: options),
            work: ParsingWork(processorTime: .seconds(60))
        )
        guard case .feed(let feed) = content else { return [] }
        return feed.items.map(\.title)
    }

    @Test func theNewestPostComesFirst() throws {
        #expect(try Self.titles([("old", 9), ("new", 1), ("older", 20)]) == ["new", "old", "older"])
    }

    @Test func anUndatedPostKeepsItsIndexAndEqualDatesTheirOrder() throws {
        let items: [(title: String, age: Int?)] = [
            ("pinned", nil), ("a", 5), ("b", 5), ("undated", nil), ("c", 1), ("d", 5),
        ]
        #expect(try Self.titles(items) == ["pinned", "c", "a", "undated", "b", "d"])
    }

    @Test func aDateMoreThanADayAheadCountsAsNone() throws {
        #expect(try Self.titles([("a", 2), ("far", -25), ("b", 1)]) == ["b", "far", "a"])
        #expect(try Self.titles([("a", 2), ("near", -23), ("b", 1)]) == ["near", "b", "a"])
    }

    @Test func theDocumentsOrderStaysOnDemandAndWithoutATime() throws {
        let items: [(title: String, age: Int?)] = [("old", 9), ("new", 1)]
        #expect(try Self.titles(items, options: ["order": "document"]) == ["old", "new"])
        #expect(try Self.titles(items, received: nil) == ["old", "new"])
        #expect(throws: ParsingError.self) { try Self.titles(items, options: ["order": "random"]) }
    }

    @Test(arguments: [60, 150, 1_500])
    func theNewestOfManyStay(count: Int) throws {
        // The oldest first, as in some logs of changes.
        let oldestFirst: [(title: String, age: Int?)] = (0..<count).map { ("post \($0)", count - $0) }
        let titles = try Self.titles(oldestFirst)
        #expect(titles == oldestFirst.reversed().prefix(FeedContent.maximumItems).map(\.title))
        #expect(try Self.titles(oldestFirst, options: ["order": "document"]).first == "post 0")
    }

    @Test func manyPostsWithEqualDatesAndAPinnedOneKeepTheirPlaces() throws {
        var items: [(title: String, age: Int?)] = [("pinned", nil)]
        items += (0..<300).map { ("old \($0)", 100) }
        items += (0..<60).map { ("new \($0)", 5) }
        let expected = ["pinned"] + (0..<49).map { "new \($0)" }
        #expect(try Self.titles(items) == expected)
    }

    @Test func repeatedPostsLeaveRoomForOthers() throws {
        let repeated: [(title: String, age: Int?)] = (0..<200).map { _ in ("same", 1) }
        let others: [(title: String, age: Int?)] = (0..<80).map { ("other \($0)", 10 + $0) }
        #expect(try Self.titles(repeated + others).count == FeedContent.maximumItems)
    }

    @Test func sortingTwiceChangesNothing() {
        let items = [3, 1, 2].map { FeedItem(id: "\($0)", title: "x", published: Instant(milliseconds: Int64($0))) }
        let once = FeedContent(items: items).latestFirst(asOf: Self.now)
        #expect(once.items.map(\.id) == ["3", "2", "1"])
        #expect(once.latestFirst(asOf: Self.now) == once)
    }

    @Test func theKeyOfStoredContentsStaysWithoutTheOption() throws {
        func key(_ options: [String: String]) -> String { Parsing(kind: .feed, options: options).key }
        #expect(key([:]) == "feed")
        #expect(key(["order": "date"]) == "feed")
        #expect(key(["incomplete": "allowed"]) == "feed;incomplete=allowed")
        #expect(key(["order": "document"]) == "feed;order=document")
    }
}
