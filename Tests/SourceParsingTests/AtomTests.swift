// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import SourceParsing
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

    @Test func theAlternateLinkFollowsItsBase() { #expect(blog.items.first?.link == "https://atom.example/posts/one") }

    @Test func titlesInXHTMLAreText() throws {
        let item = try #require(blog.items.dropFirst().first)
        #expect(item.title == "A tilted title & more")
        #expect(item.summary == "First <tag> second")
        #expect(item.link == "https://cdn.example/two")
    }

    @Test func authorsAreThoseOfTheEntryOrElseOfTheFeed() {
        #expect(blog.items.map(\.author) == ["Rosa Lind", "Kim, Sol", "Rosa Lind"])
    }

    @Test func datesAndLinksThatAreNoneStayAway() throws {
        let item = try #require(blog.items.last)
        #expect(item.updated == nil)
        #expect(item.published == nil)
        #expect(item.link == "https://atom.example/home")
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
