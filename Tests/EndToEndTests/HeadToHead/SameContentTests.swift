// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import OriginSupport
import Testing
import WidgetSchema

/// Tests of head-to-head cases 1 to 4, 11, 14 and 16: the parts of a response that are new.
@Suite("Head to head: what is new", .serialized, .timeLimit(.minutes(2))) struct SameContentTests {
    /// A feed as text; `head` goes into the channel.
    private static func rss(_ items: [String], head: String = "", attributes: String = "") -> String {
        let body = items.map { "<item>\($0)</item>" }.joined()
        return "<rss version=\"2.0\" \(attributes)><channel><title>T</title>\(head)\(body)</channel></rss>"
    }

    /// Runs a script of one page and waits for so many updates of its widget, `w`.
    private static func updates(
        _ answers: [ScriptedAnswer],
        atLeast count: Int,
        _ check: (IndependentReader.Record, RunningSystem) async throws -> Void
    ) async throws {
        try await withScriptedOrigin { origin in
            origin.serveScript("/feed", answers)
            try await RunningSystem.read(["w": origin.url("/feed")]) { system, reader in
                try await reader.read("\(count) updates") { record in
                    record.updates.count { $0.cause == "refresh" } >= count
                }
                let record = reader.record
                try await check(record, system)
            }
        }
    }

    private static func news(_ record: IndependentReader.Record) -> Int {
        record.updates.count { $0.cause == "refresh" && $0.result == "newData" }
    }

    @Test("1: items without guid and date, polled ten times, are new once")
    func itemsWithoutIdAndDate() async throws {
        let items = (1...5).map { "<title>Post \($0)</title><description>Text \($0)</description>" }
        let answers = (0..<12).map { ScriptedAnswer.feed(Self.rss(items, head: "<!-- \($0) -->")) }
        try await Self.updates(answers, atLeast: 10) { record, _ in
            #expect(Self.news(record) == 1)
            // They were parsed each time, and came out the same.
            #expect(record.updates.count { $0.outcome == "sameContent" } >= 8)
        }
    }

    @Test("2: undated items among dated ones keep their place")
    func undatedAmongDated() async throws {
        let items = (1...6).map { number in
            "<title>Post \(number)</title><guid>\(number)</guid>"
                + (number % 2 == 0 ? "" : "<pubDate>Thu, 2\(7 - number) Nov 2025 08:00:00 GMT</pubDate>")
        }
        let answers = (0..<8).map { ScriptedAnswer.feed(Self.rss(items, head: "<!-- \($0) -->")) }
        try await Self.updates(answers, atLeast: 6) { record, system in
            #expect(Self.news(record) == 1)
            let feed = try await ShownContent.feed("w", system)
            #expect(feed.items.map(\.title) == (1...6).map { "Post \($0)" })
        }
    }

    @Test("3: another build date and another query in a guid are nothing new")
    func onlyBuildDateAndAdvertisingQuery() async throws {
        let answers = (0..<8).map { poll in
            let items = (1...4).map {
                "<title>Post \($0)</title><guid>https://ads.example/\($0)?ad=\(poll)</guid>"
                    + "<link>https://example.org/\($0)</link>"
            }
            let head = "<lastBuildDate>Thu, 20 Nov 2025 08:00:0\(poll) GMT</lastBuildDate>"
            return ScriptedAnswer.feed(Self.rss(items, head: head))
        }
        try await Self.updates(answers, atLeast: 6) { record, _ in
            #expect(Self.news(record) == 1)
            #expect(record.updates.suffix(4).allSatisfy { $0.result == "noData" })
        }
    }

    @Test("4: a 304 after a 200 keeps the rows")
    func notModifiedKeepsRows() async throws {
        try await withScriptedOrigin { origin in
            origin.serve("/feed", body: Self.rss(["<title>Post</title><guid>1</guid>"]))
            try await RunningSystem.read(["w": origin.url("/feed")]) { system, reader in
                try await reader.read("304s") { record in record.updates.count { $0.outcome == "notModified" } >= 3 }
                let record = reader.record
                #expect(Self.news(record) == 1)
                #expect(record.updates.filter { $0.outcome == "notModified" }.allSatisfy { $0.result == "noData" })
                #expect(try await ShownContent.feed("w", system).items.map(\.title) == ["Post"])
            }
            let conditional = origin.requests("/feed").dropFirst()
            for name in ["If-None-Match", "If-Modified-Since"] {
                #expect(conditional.allSatisfy { $0.header(name) != nil })
            }
            #expect(conditional.allSatisfy { $0.header("User-Agent")?.hasPrefix("Tidings/") == true })
            #expect(conditional.allSatisfy { $0.header("Cookie") == nil })
        }
    }

    @Test("11: links are absolute and of the web, or there are none")
    func links() async throws {
        let items = [
            "<title>a</title><guid isPermaLink=\"false\">a</guid><link>/posts/a</link>",
            "<title>b</title><guid isPermaLink=\"false\">b</guid><link>//cdn.example.net/b</link>",
            "<title>c</title><guid isPermaLink=\"false\">c</guid><link>javascript:alert(1)</link>",
            "<title>d</title><guid isPermaLink=\"false\">d</guid><link>d.html</link>",
        ]
        let atom = """
            <feed xmlns="http://www.w3.org/2005/Atom" xml:base="https://example.org/blog/"><title>T</title>
            <entry xml:base="2025/"><id>e</id><title>e</title><link href="e.html"/></entry></feed>
            """
        try await withScriptedOrigin { origin in
            origin.serveScript("/dir/feed", [.feed(Self.rss(items, head: "<link>https://example.org/blog/</link>"))])
            origin.serveScript("/atom", [.feed(atom)])
            let sources = ["w": origin.url("/dir/feed"), "atom": origin.url("/atom")]
            try await RunningSystem.read(sources) { system, reader in
                try await reader.read("both") { record in
                    sources.keys.allSatisfy { name in record.last(name)?.outcome == "sameBytes" }
                }
                let links = try await ShownContent.feed("w", system).items.map(\.link)
                #expect(links.count == 4)
                #expect(links[0] == "https://example.org/posts/a")
                // Of which scheme it is, is the site's business.
                #expect(links[1]?.hasSuffix("://cdn.example.net/b") == true)
                #expect(links[2]?.hasPrefix("javascript") != true)
                #expect(links[3] == "https://example.org/blog/d.html")
                #expect(links.allSatisfy { $0?.hasPrefix("http") ?? true })
                let atom = try await ShownContent.feed("atom", system).items.map(\.link)
                #expect(atom == ["https://example.org/blog/2025/e.html"])
            }
        }
    }

    @Test("14: an edited title is new where it is seen, and nothing where it is not")
    func editedTitles() async throws {
        func feed(_ edited: Int?) -> String {
            Self.rss(
                (1...12).map { number in
                    "<title>Post \(number)\(number == edited ? ", edited" : "")</title><guid>\(number)</guid>"
                        + "<pubDate>Thu, 20 Nov 2025 08:00:00 GMT</pubDate>"
                }
            )
        }
        try await RunningSystem.read(feed: feed(nil), of: "w") { origin, system, reader in
            try await reader.read("the first") { $0.last("w")?.outcome == "notModified" }
            origin.serve("/feed", body: feed(2))
            try await reader.read("the edited one") { Self.news($0) == 2 }
            let edited = reader.record.count("w")
            origin.serve("/feed", body: feed(2).replacingOccurrences(of: "Post 11<", with: "Post eleven<"))
            try await reader.read("the one below the fold") { record in
                record.updates.dropFirst(edited).contains { $0.outcome == "changed" }
            }
            try await reader.read("what follows") { $0.last("w")?.outcome == "notModified" }
            #expect(Self.news(reader.record) == 2)
            #expect(reader.record.updates.contains { $0.outcome == "changed" && $0.result == "noData" })
            let titles = try await ShownContent.feed("w", system).items.map(\.title)
            #expect(titles[10] == "Post eleven")
        }
    }

    @Test("16: an error's body is not content, and the last good one stays")
    func errorBodies() async throws {
        let good = Self.rss(["<title>Good</title><guid>1</guid>"])
        let bad = Self.rss(["<title>Bad</title><guid>2</guid>"])
        let failures: [(String, ScriptedAnswer, String)] = [
            ("a", ScriptedAnswer(status: 500, body: bad), "transient"),
            (
                "b", ScriptedAnswer(headers: ["Content-Type": "text/html"], body: "<html><p>Oops</p></html>"),
                "malformed"
            ),
            ("c", ScriptedAnswer(status: 404, body: bad), "permanent"),
            (
                "d", ScriptedAnswer(headers: ["Content-Type": "application/json"], body: "{\"error\": \"no\"}"),
                "malformed"
            ),
            ("e", ScriptedAnswer(status: 203, body: "Sign in"), "malformed"),
            ("f", ScriptedAnswer(body: ""), "malformed"),
        ]
        try await withScriptedOrigin { origin in
            for (name, answer, _) in failures { origin.serveScript("/\(name)", [.feed(good), answer]) }
            let sources = origin.urls(failures.map(\.0))
            try await RunningSystem.read(sources) { system, reader in
                try await reader.read("every failure") { record in
                    failures.allSatisfy { name, _, _ in record.last(name)?.outcome == "failed" }
                }
                for (name, _, failure) in failures {
                    #expect(reader.record.last(name)?.result == "failed", "\(name)")
                    #expect(reader.record.last(name)?.failure["class"] == failure, "\(name)")
                    #expect(try await ShownContent.feed(name, system).items.map(\.title) == ["Good"], "\(name)")
                }
            }
        }
    }
}
