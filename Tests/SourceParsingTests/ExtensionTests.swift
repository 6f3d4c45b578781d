// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Testing
import WidgetSchema

/// Elements of other vocabularies within RSS and Atom.
@Suite struct ExtensionTests {
    @Test(arguments: [
        ("<media:title>A</media:title>", "A"), ("<itunes:title>A</itunes:title>", "A"), ("<dc:title>A</dc:title>", "A"),
        ("<media:group><media:title>A</media:title></media:group>", "A"),
        ("<media:title>no</media:title><title>A</title>", "A"), ("<title/><dc:title>A</dc:title>", "A"),
        ("<image><title>no</title></image><x:title xmlns:x='urn:x'>no</x:title><description>A</description>", "A"),
    ])
    func theTitleIsTheItemsOwnOrElseAnothers(elements: String, title: String) throws {
        #expect(try FeedSamples.item(elements)?.title == title)
    }

    @Test(arguments: [
        "<dc:description>A</dc:description>", "<itunes:summary>A</itunes:summary>",
        "<content:encoded>A</content:encoded>",
        "<body xmlns='http://www.w3.org/1999/xhtml'><p>A</p></body>", "<media:description>A</media:description>",
        "<description>A</description><itunes:summary>no</itunes:summary>",
        "<summary>A</summary><description>B</description>",
    ])
    func theTextIsTheItemsOwnOrElseAnothers(elements: String) throws {
        #expect(try FeedSamples.item("<title>t</title>" + elements)?.summary == "A")
    }

    @Test func theLinkBeforeACounterIsTheBest() throws {
        let links =
            "<link>https://counter.example/1</link><feedburner:origLink>https://a.example/1</feedburner:origLink>"
        #expect(try FeedSamples.item("<title>t</title>" + links)?.link == "https://a.example/1")
    }

    @Test(arguments: ["mode='base64' type='text/html'", "type='application/octet-stream'"])
    func encodedTextIsDecoded(attributes: String) throws {
        // "<p>Grüße</p>", broken into lines.
        let feed = try FeedSamples.parse(
            "<feed xmlns='http://www.w3.org/2005/Atom'><entry><id>1</id><content \(attributes)>PHA+R3L\n DvMOfZTwvcD4=\n</content>"
                + "</entry><entry><id>2</id><content \(attributes)>no base64!</content></entry></feed>"
        )
        #expect(feed.items.map(\.title) == ["Grüße", "no base64!"])
    }

    @Test(arguments: ["<feed xmlns='urn:unknown'>", "<x:feed xmlns:x='urn:unknown' xmlns='urn:unknown'>", "<feed>"])
    func theRootsNameTellsWhereItsNamespaceDoesNot(root: String) throws {
        let end = root.hasPrefix("<x:") ? "</x:feed>" : "</feed>"
        #expect(try FeedSamples.parse(root + "<title>T</title><entry><id>1</id></entry>" + end).title == "T")
    }

    @Test func anAuthorWithoutANameIsItsAddress() throws {
        let feed = try FeedSamples.parse(
            "<feed xmlns='http://www.w3.org/2005/Atom'><entry><id>1</id><title>x</title><author><name/><email>a@b.example</email></author></entry></feed>"
        )
        #expect(feed.items.first?.author == "a@b.example")
    }
}
