// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import OriginSupport
import TestSupport
import Testing

/// `tidings inspect` as a script calls it.
@Suite(.timeLimit(.minutes(3)))
struct InspectCommandTests {
    private static let feed = """
        <rss version="2.0"><channel><title>A &amp;amp; B</title><link>/home</link><description>Notes</description>
        <item><guid>1</guid><title>One</title><link>/1</link><author>Ada</author>
        <pubDate>Sat, 21 Nov 2026 00:49:16 GMT</pubDate><description>&lt;b&gt;Bold&lt;/b&gt; words</description></item>
        <item><title>Two</title></item></channel></rss>
        """

    private struct Inspected: Decodable, Equatable {
        struct Head: Decodable, Equatable {
            var title, link, subtitle: String?
        }
        struct Item: Decodable, Equatable {
            var id, title, link, author, published, updated, summary, content: String?
        }
        var feed: Head
        var items: [Item]
    }

    private func inspected(_ run: CommandRun) throws -> Inspected {
        try JSONDecoder().decode(Inspected.self, from: Data(run.output.utf8))
    }

    @Test func theOrderIsThatOfWidgetsUnlessTheDocumentsCounts() async throws {
        let items = ["2026-01-01", "2026-01-03", "2026-01-02"].map {
            "<item><title>\($0)</title><pubDate>\($0)</pubDate></item>"
        }
        let feed = Data("<rss version='2.0'><channel>\(items.joined())</channel></rss>".utf8)
        let sorted = try await CommandRun.tidings(["inspect", "-"], input: feed)
        #expect(try inspected(sorted).items.map(\.title) == ["2026-01-03", "2026-01-02", "2026-01-01"])
        let document = try await CommandRun.tidings(["inspect", "-o", "order=document", "-"], input: feed)
        #expect(try inspected(document).items.map(\.title) == ["2026-01-01", "2026-01-03", "2026-01-02"])
    }

    @Test func aFeedFromStandardInputIsOneLineOfJSON() async throws {
        let run = try await CommandRun.tidings(
            ["inspect", "--kind", "feed", "--content-type=", "--base=https://blog.example/feed.xml", "-"],
            input: Data(Self.feed.utf8)
        ).succeeded()
        #expect(run.errors.isEmpty)
        #expect(run.output.split(separator: "\n").count == 1)
        let first = Inspected.Item(
            id: "1",
            title: "One",
            link: "https://blog.example/1",
            author: "Ada",
            published: "2026-11-21T00:49:16.000Z",
            updated: nil,
            summary: "<b>Bold</b> words",
            content: nil
        )
        let found = try inspected(run)
        #expect(found.feed == .init(title: "A & B", link: "https://blog.example/home", subtitle: "Notes"))
        #expect(found.items.first == first)
        let last = try #require(found.items.last)
        #expect(last.id?.isEmpty == false)
        #expect(last.title == "Two")
        #expect(last.link == "https://blog.example/home")
        #expect(!run.output.contains("null"))
    }

    @Test func theContentTypeSaysWhatTheBytesMean() async throws {
        var bytes = Data("<rss><channel><title>Caf".utf8)
        bytes.append(0xE9)
        bytes += Data("</title></channel></rss>".utf8)
        let run = try await CommandRun.tidings(
            ["inspect", "--content-type", "text/xml; charset=iso-8859-1", "-"],
            input: bytes
        )
        #expect(try inspected(run).feed.title == "Café")
    }

    @Test func anAddressIsFetchedEvenOnAPrivateNetwork() async throws {
        try await withScriptedOrigin { origin in
            origin.serve("/feed.xml", body: Self.feed)
            let run = try await CommandRun.tidings(["inspect", origin.url("/feed.xml")]).succeeded()
            #expect(try inspected(run).items.first?.link == origin.url("/1"))
            origin.setStatus("/feed.xml", 410)
            let gone = try await CommandRun.tidings(["inspect", origin.url("/feed.xml")])
            #expect(gone.status == 1)
            #expect(gone.errors == "tidings: \(origin.url("/feed.xml")): the origin answered 410\n")
        }
    }

    @Test(arguments: [
        "", "   \n", "garbage", "<html><body><p>A page</p></body></html>", "\u{0}\u{1}\u{2}", "[1,2", "<rss></rss>",
        "{}",
        "<rss version='2.0'><channel><title>T</title><item><title>x</title></item>",
        "<feed xmlns='urn:shop'><title>T</title></feed>",
    ])
    func garbageIsStatusOneWithOneLine(_ garbage: String) async throws {
        let run = try await CommandRun.tidings(["inspect", "-"], input: Data(garbage.utf8))
        #expect(run.status == 1)
        #expect(run.output.isEmpty)
        #expect(run.errorLines.count == 1)
        #expect(run.errors.hasPrefix("tidings: standard input"))
    }

    @Test func theNextRequestIsThatOfTheWidgetsInterval() async throws {
        let folder = try makeTemporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        try await withScriptedOrigin { origin in
            origin.serve("/feed", body: "<rss version=\"2.0\"><channel><title>T</title></channel></rss>")
            let url = origin.url("/feed")
            try Data("widgets: {w: {kind: feed, source: \"\(url)\", interval: 2d}}\n".utf8)
                .write(to: folder.appending(path: "tidings.yml"))
            let own = try await CommandRun.tidings(["inspect", "--explain", "--widget", "w", url], in: folder)
            #expect(own.output.contains(/next attempt .*, in (4[3-9]|5\d) h/), "\(own.output)\(own.errors)")
            let plain = try await CommandRun.tidings(["inspect", "--explain", url], in: folder)
            #expect(plain.output.contains(/next attempt .*, in 1\d min/), "\(plain.output)")
        }
    }

    @Test func anExplanationTellsWhatAFetcherWouldMakeOfAnAddress() async throws {
        try await withScriptedOrigin { origin in
            let feed = "<rss version=\"2.0\"><channel><title>T</title><ttl>120</ttl></channel></rss>"
            origin.serveScript(
                "/feed",
                [.feed(feed, headers: ["ETag": "\"a\"", "Cache-Control": "max-age=576000000"])]
            )
            origin.serveScript("/old", [ScriptedAnswer(status: 301, headers: ["Location": "/feed"])])
            origin.serveScript("/busy", [ScriptedAnswer(status: 429, headers: ["Retry-After": "120"])])
            let good = try await CommandRun.tidings(["inspect", "--explain", origin.url("/old")]).succeeded()
            for part in [
                "301, permanent, to \(origin.url("/feed"))", "200, by HTTP/1.1 from 127.0.0.1", "ETag: \"a\"",
                "UTF-8: its bytes are UTF-8", "format        RSS", "conditions    ETag", "in 5 h",
                "more than the maximum",
                "moved         to \(origin.url("/feed"))",
            ] {
                #expect(good.output.contains(part), "\(part) in \(good.output)")
            }
            let busy = try await CommandRun.tidings(["inspect", "--explain", origin.url("/busy")])
            #expect(busy.status == 1)
            #expect(busy.output.contains("no requests for any source on this host for 2 min"))
            let gone = try await CommandRun.tidings(["inspect", "--explain", "http://127.0.0.1:1/"])
            #expect(gone.status == 3)
            #expect(gone.output.contains("failed"))
            let file = try await CommandRun.tidings(["inspect", "--explain", "feed.xml"])
            #expect(file.status == 2)
        }
    }
}
