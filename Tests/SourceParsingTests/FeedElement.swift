// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import SourceParsing
import Testing

/// An element that may be in every format of feeds, and the part that it gives.
struct FeedElement: Sendable, CustomTestStringConvertible {
    let text: String
    let part: String
    let value: String

    init(_ text: String, _ part: String, _ value: String) { (self.text, self.part, self.value) = (text, part, value) }

    var testDescription: String { text }

    /// Returns one element for each prefix in a list; the prefix replaces `#:` in the element, and `-` is no prefix.
    private static func each(_ prefixes: String, _ text: String, _ part: String, _ value: String) -> [FeedElement] {
        prefixes.split(separator: " ").map { prefix in
            FeedElement(text.replacing("#:", with: prefix == "-" ? "" : "\(prefix):"), part, value)
        }
    }

    private static let day = "2026-11-21T00:00:00"
    private static let link = "https://a.example/1"

    /// Elements of an item.
    static let ofItems = groupsOfItems.flatMap { $0 }

    private static let groupsOfItems: [[FeedElement]] = [
        each("dc dc0 dcterms itunes media a a3 -", "<#:title>T</#:title>", "title", "T"),
        each("media", "<#:group><#:title>T</#:title></#:group>", "title", "T"),
        each("media", "<#:content url='https://a.example/x'><#:title>T</#:title></#:content>", "title", "T"),
        each("a a3", "<#:title type='xhtml'><xhtml:div>T</xhtml:div></#:title>", "title", "T"),
        each("a", "<#:title type='html'>&lt;b>T&lt;/b></#:title>", "title", "T"),
        each("a3", "<#:title type='text/html' mode='escaped'>&lt;b>T&lt;/b></#:title>", "title", "T"),
        each("dc dc0 dcterms", "<#:creator>Ann</#:creator>", "author", "Ann"),
        each("dc dc0 dcterms", "<#:contributor>Ann</#:contributor>", "author", "Ann"),
        each("dc itunes googleplay -", "<#:author>Ann</#:author>", "author", "Ann"),
        each("a a3", "<#:author>Ann</#:author>", "author", "Ann"),
        each("a a3 -", "<#:author><#:name>Ann</#:name></#:author>", "author", "Ann"),
        each(
            "a a3 -",
            "<#:author>\n <#:uri>https://a.example</#:uri>\n <#:email>ann@a.example</#:email> <#:name>Ann</#:name>"
                + "</#:author>",
            "author",
            "Ann"
        ),
        each("a a3 -", "<#:author><#:email>ann@a.example</#:email></#:author>", "author", "ann@a.example"),
        each("dc", "<#:creator><foaf:Person><foaf:name>Ann</foaf:name></foaf:Person></#:creator>", "author", "Ann"),
        each("dc dc0 dcterms", "<#:date>\(day)Z</#:date>", "published", day),
        each("dcterms", "<#:issued>\(day)Z</#:issued>", "published", day),
        each("dcterms", "<#:created>\(day)Z</#:created>", "published", day),
        each("dcterms", "<#:available>\(day)Z</#:available>", "published", day),
        each("dcterms", "<#:dateSubmitted>\(day)Z</#:dateSubmitted>", "published", day),
        each("dcterms a a3", "<#:modified>\(day)Z</#:modified>", "updated", day),
        each("a", "<#:updated>\(day)Z</#:updated>", "updated", day),
        each("a", "<#:published>\(day)Z</#:published>", "published", day),
        each("a a3", "<#:issued>\(day)Z</#:issued>", "published", day),
        each("a3", "<#:created>\(day)Z</#:created>", "published", day),
        each("-", "<pubDate>Sat, 21 Nov 2026 00:00:00 GMT</pubDate>", "published", day),
        each("dc dc0 dcterms -", "<#:description>S</#:description>", "summary", "S"),
        each("dcterms", "<#:abstract>S</#:abstract>", "summary", "S"),
        each("itunes a a3 -", "<#:summary>S</#:summary>", "summary", "S"),
        each("itunes", "<#:subtitle>S</#:subtitle>", "summary", "S"),
        each("googleplay media", "<#:description>S</#:description>", "summary", "S"),
        each("media", "<#:group><#:description>S</#:description></#:group>", "summary", "S"),
        each("content", "<#:encoded>&lt;p>C&lt;/p></#:encoded>", "content", "C"),
        each(
            "content",
            "<#:items><rdf:Bag><rdf:li><#:item><rdf:value>&lt;p>C&lt;/p></rdf:value></#:item></rdf:li></rdf:Bag></#:items>",
            "content",
            "C"
        ),
        each("a", "<#:content type='html'>&lt;p>C&lt;/p></#:content>", "content", "C"),
        each("a a3", "<#:content type='xhtml'><xhtml:div>C</xhtml:div></#:content>", "content", "C"),
        each("a3", "<#:content type='text/html' mode='escaped'>&lt;p>C&lt;/p></#:content>", "content", "C"),
        each("a3", "<#:content type='text/html' mode='base64'>PHA+QzwvcD4=</#:content>", "content", "C"),
        each("a3", "<#:content type='application/xhtml+xml'><xhtml:p>C</xhtml:p></#:content>", "content", "C"),
        each("a a3", "<#:content>C</#:content>", "content", "C"),
        each("xhtml", "<#:body><#:p>C</#:p></#:body>", "content", "C"),
        each("xhtml", "<#:div>C</#:div>", "content", "C"),
        each("a a3", "<#:link href='\(link)'/>", "link", link),
        each("a a3", "<#:link rel='alternate' type='text/html' href='\(link)'/>", "link", link),
        each("a", "<#:link rel='http://www.iana.org/assignments/relation/alternate' href='\(link)'/>", "link", link),
        each("a", "<#:link rel='self' href='https://no.example/'/><#:link href='\(link)'/>", "link", link),
        each("a -", "<#:link>\(link)</#:link>", "link", link),
        each("-", "<link href='\(link)'/>", "link", link),
        each("-", "<link rdf:resource='\(link)'/>", "link", link),
        each("a", "<#:link rel='enclosure' href='\(link)'/>", "link", link),
        each("a", "<#:content type='audio/mpeg' src='\(link)'/>", "link", link),
        each("-", "<enclosure url='\(link)'/>", "link", link),
        each("media", "<#:content url='\(link)'/>", "link", link),
        each(
            "media",
            "<#:group><#:content url='https://no.example/1.jpg' type='image/jpeg'/>"
                + "<#:content url='\(link)' type='video/mp4'/></#:group>",
            "link",
            link
        ),
        each("feedburner", "<#:origLink>\(link)</#:origLink>", "link", link),
        each("-", "<guid isPermaLink='false'>urn:x</guid>", "id", "urn:x"),
    ]

    /// Elements of a feed.
    static let ofFeeds = groupsOfFeeds.flatMap { $0 }

    private static let groupsOfFeeds: [[FeedElement]] = [
        each("dc dc0 dcterms itunes media a a3 -", "<#:title>F</#:title>", "title", "F"),
        each("dc dc0 dcterms googleplay media -", "<#:description>F</#:description>", "subtitle", "F"),
        each("itunes", "<#:summary>F</#:summary>", "subtitle", "F"),
        each("itunes a -", "<#:subtitle>F</#:subtitle>", "subtitle", "F"),
        each("a3 -", "<#:tagline>F</#:tagline>", "subtitle", "F"),
        each("dc dc0 dcterms", "<#:creator>F</#:creator>", "author", "F"),
        each("itunes googleplay dc -", "<#:author>F</#:author>", "author", "F"),
        each("a a3", "<#:author><#:name>F</#:name></#:author>", "author", "F"),
        each("a a3", "<#:link href='\(link)'/>", "link", link),
        each("a", "<#:link href='\(link)'/><#:link rel='self' href='https://no.example/'/>", "link", link),
        each("a", "<#:link rel='http://www.iana.org/assignments/relation/alternate' href='\(link)'/>", "link", link),
        each("-", "<link>\(link)</link>", "link", link),
    ]

    /// Whole elements that have parts of their own, which are neither the item's nor the feed's.
    static let foreign = [
        "<image><title>No</title><link>https://no.example/</link><description>No</description></image>",
        "<textInput><title>No</title><description>No</description><link>https://no.example/</link></textInput>",
        "<u:list><title>No</title><a:title>No</a:title><dc:creator>No</dc:creator><link>https://no.example/</link></u:list>",
        "<itunes:owner><itunes:name>No</itunes:name><itunes:email>no@a.example</itunes:email></itunes:owner>",
        "<a:contributor><a:name>No</a:name></a:contributor>", "<a:generator uri='https://no.example/'>No</a:generator>",
        "<media:thumbnail url='https://no.example/1.jpg'/>", "<media:credit role='producer'>No</media:credit>",
        "<a:link rel='self' href='https://no.example/'/>", "<a:link rel='hub' href='https://no.example/'/>",
        "<a:link rel='replies' href='https://no.example/'/>", "<a:rights>No</a:rights>", "<dc:rights>No</dc:rights>",
        "<category>No</category>", "<dc:subject>No</dc:subject>", "<cloud domain='no.example'/>",
    ]

    /// Returns a part of an item.
    func found(in item: ParsedItem) -> String? {
        switch part {
        case "title": item.title?.plain()
        case "author": item.author
        case "published": item.published.map { "\($0)" }
        case "updated": item.updated.map { "\($0)" }
        case "summary": item.summary?.plain()
        case "content": item.content?.plain()
        case "link": item.link
        case "id": item.id
        default: nil
        }
    }

    /// Returns a part of a feed; its author is that of an item without one.
    func found(in feed: ParsedFeed) -> String? {
        switch part {
        case "title": feed.title?.plain()
        case "subtitle": feed.subtitle?.plain()
        case "link": feed.link
        case "author": feed.items.first?.author
        default: nil
        }
    }
}
