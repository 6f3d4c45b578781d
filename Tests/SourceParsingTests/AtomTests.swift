// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Testing
import WidgetSchema

@Suite struct AtomTests {
    private let blog: FeedContent

    init() throws { blog = try FeedSamples.parse(try FeedSamples.fixture("blog.atom")) }

    @Test func theFeedSaysItsTitleAndSite() {
        #expect(blog.title == "Sea & sky")
        #expect(blog.link == "https://atom.example/home")
        #expect(blog.items.map(\.id) == ["urn:1", "urn:2", "urn:3"])
    }

    @Test func plainTitlesKeepWhatLooksLikeMarkup() throws {
        let item = try #require(blog.items.first)
        #expect(item.title == "1 < 2 & so on")
        #expect(item.summary == "Clouds")
        #expect(item.published == Instant("2026-11-21T00:49:16.250Z"))
        #expect(item.updated == Instant("2026-11-21T00:00:00Z"))
    }

    @Test func linksFollowTheirBaseElseAreThatOfTheFeed() {
        let links = ["https://atom.example/posts/one", "https://cdn.example/two", "https://atom.example/home"]
        #expect(blog.items.map(\.link) == links)
    }

    @Test func titlesInXHTMLAreText() {
        #expect(blog.items[1].title == "A tilted title & more")
        #expect(blog.items[1].summary == "First <tag> second")
    }

    @Test func authorsAreThoseOfTheEntryOrElseOfTheFeed() {
        #expect(blog.items.map(\.author) == ["Rosa Lind", "Kim, Sol", "Rosa Lind"])
    }

    @Test func datesThatAreNoneStayAway() {
        #expect(blog.items[2].updated == nil)
        #expect(blog.items[2].published == nil)
    }

    @Test func theOldNamespaceIsUnderstood() throws {
        let feed = try FeedSamples.parse(
            """
            <feed version="0.3" xmlns="http://purl.org/atom/ns#"><title>Old</title><entry><id>1</id>
            <title mode="escaped" type="text/html">&lt;i&gt;Mild&lt;/i&gt;</title><issued>2004-05-06</issued></entry></feed>
            """
        )
        #expect(feed.items.first?.title == "Mild")
        #expect(feed.items.first?.published == Instant("2004-05-06T00:00:00Z"))
    }
}
