// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Cryptography
import Foundation
import ServiceEngine
import Testing
import WidgetSchema

@testable import Cache

/// The changes that the cache makes to pushed content.
@Suite struct PushedContentTests {
    private let widget = CacheFixture.widget(0)

    private func cache(_ kind: WidgetKind, options: [String: String] = [:]) -> CacheFixture {
        var plan = CacheFixture.plan(kind: kind)
        plan.widgets[widget]?.source = SourceAddress(pushedTo: widget)
        plan.widgets[widget]?.parsing = Parsing(kind: kind, options: options)
        return CacheFixture.started(plan)
    }

    private func push(
        _ content: Content,
        removing ids: [String]? = nil,
        counter: UInt64,
        to cache: CacheFixture
    ) throws -> CacheStep {
        var request = PushRequest(client: "app", counter: counter, widget: widget, content: content)
        request.remove = ids
        let bytes = try WireJSON.encode(content)
        let digest = try #require(ContentDigest(rawValue: SHA256.hexDigest(of: bytes)))
        return cache.feed(.push(cache.requester(), request, digest, bytes))
    }

    private func list(_ ids: String) -> Content {
        .documents(DocumentsContent(documents: ids.map { RecentDocument(id: "\($0)", title: "\($0)") }))
    }

    private func stored(_ step: CacheStep) throws -> [Content] {
        try step.writes.compactMap { write in
            if case .storeContent(_, let bytes) = write { try WireJSON.decode(Content.self, from: bytes) } else { nil }
        }
    }

    @Test func aRemovalLeavesTheOtherDocuments() throws {
        let cache = cache(.documents)
        _ = try push(list("abc"), counter: 1, to: cache)
        let removal = try push(list(""), removing: ["b", "x"], counter: 2, to: cache)
        #expect(try stored(removal) == [list("ac")])
        // Removing what is not there changes nothing, and is a cycle as each push is.
        let again = try push(list(""), removing: ["b"], counter: 3, to: cache)
        #expect(try stored(again).isEmpty)
        #expect(CacheFixture.cycles(again).count == 1)
        #expect(try stored(push(list(""), removing: ["a"], counter: 4, to: cache)) == [list("c")])
    }

    @Test func aRepeatedRemovalHasNoFurtherEffect() throws {
        let cache = cache(.documents)
        _ = try push(list("ab"), counter: 1, to: cache)
        _ = try push(list(""), removing: ["b"], counter: 2, to: cache)
        let repeated = try push(list(""), removing: ["b"], counter: 2, to: cache)
        #expect(CacheFixture.cycles(repeated).isEmpty && CacheFixture.errors(repeated).isEmpty)
    }

    @Test func withoutAListNothingIsRemovedFromIt() throws {
        let cache = cache(.documents)
        let step = try push(list(""), removing: ["b"], counter: 1, to: cache)
        #expect(CacheFixture.errors(step).isEmpty)
        #expect(CacheFixture.cycles(step).count == 1)
    }

    @Test func aListThatIsNotKnownIsNotReplaced() throws {
        let cache = cache(.documents)
        _ = try push(list("ab"), counter: 1, to: cache)
        cache.core.state.documents = [:]
        #expect(CacheFixture.errors(try push(list(""), removing: ["b"], counter: 2, to: cache)) == [.refused])
    }

    @Test func pushedPostsAreSortedByDateUnlessTheirOrderCounts() throws {
        let day = 86_400_000
        func item(_ id: String, _ days: Int) -> FeedItem {
            FeedItem(id: id, title: id, published: cache(.feed).now.advanced(byMilliseconds: Int64(days * day)))
        }
        let content = Content.feed(FeedContent(items: [item("old", -3), item("far", 5), item("new", -1)]))
        let sorted = Content.feed(FeedContent(items: [item("new", -1), item("far", 5), item("old", -3)]))
        #expect(try stored(push(content, counter: 1, to: cache(.feed))) == [sorted])
        #expect(try stored(push(content, counter: 1, to: cache(.feed, options: ["order": "document"]))) == [content])
    }
}
