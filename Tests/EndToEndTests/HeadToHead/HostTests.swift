// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import HTTPTransport
import OriginRules
import OriginSupport
import ServiceRuntime
import SourceFetching
import TestSupport
import Testing
import WidgetSchema

/// Head-to-head cases 5 to 8 and 15: hosts that ask to be left alone, that are down, that move.
@Suite("Head to head: hosts", .serialized, .timeLimit(.minutes(3))) struct HostTests {
    private static let feed = rss("Post")

    /// One host that says no, with what it is asked to be left alone for.
    private struct Refusal {
        var name: String
        var status = 429
        var headers: [String: String] = [:]
        var seconds: ClosedRange<Double>
    }

    private static func refusals() -> [Refusal] {
        let date = HTTPDate.text(Instant.now.milliseconds / 1_000 + 300)
        return [
            Refusal(name: "seconds", headers: ["Retry-After": "120"], seconds: 119...133),
            Refusal(name: "date", headers: ["Retry-After": date], seconds: 200...331),
            Refusal(name: "reset", headers: ["x-ratelimit-reset": "42"], seconds: 41...47),
            Refusal(name: "none", seconds: 599...661),
            Refusal(name: "unavailable", status: 503, headers: ["Retry-After": "600"], seconds: 599...661),
            Refusal(name: "forever", headers: ["Retry-After": "315360000"], seconds: 86_399...95_100),
        ]
    }

    @Test(
        "5, 6 and 15: a host that says 429 or 503 is left alone for as long as it asks, up to a day",
        arguments: TestExtent.of([4], nightly: [1, 4])
    )
    func refusedHosts(fetchers: Int) async throws {
        try await Self.withOrigins(Self.refusals().count + 1) { origins in
            let refusals = Self.refusals()
            var sources: [String: String] = [:]
            for (refusal, origin) in zip(refusals, origins) {
                for number in 0..<5 {
                    origin.serveScript("/\(number)", [.feed(Self.feed)])
                    sources["\(refusal.name)-\(number)"] = origin.url("/\(number)")
                }
            }
            guard let other = origins.last else { return }
            other.serveChanging("/feed")
            sources["other"] = other.url("/feed")
            let names = sources.keys.sorted()
            let fetching = ["hostConcurrency": "1"]
            try await RunningSystem.read(sources, fetching: fetching, fetchers: fetchers) { system, reader in
                try await reader.read("all have content") { record in
                    names.allSatisfy { name in record.updates.contains { $0.widget == name && $0.result == "newData" } }
                }
                for (refusal, origin) in zip(refusals, origins) {
                    origin.setStatus("/0", refusal.status, headers: refusal.headers)
                }
                try await reader.read("every refusal") { record in
                    refusals.allSatisfy { record.last("\($0.name)-0")?.outcome == "failed" }
                }
                let counts = origins.prefix(refusals.count).map(\.requestCount)
                let before = reader.record.count("other")
                try await reader.read("the others go on") { $0.count("other") >= before + 15 }
                for (index, refusal) in refusals.enumerated() {
                    #expect(origins[index].requestCount == counts[index], "\(refusal.name)")
                    #expect(origins[index].maximumConcurrent == 1, "\(refusal.name)")
                    let seconds = Double(reader.record.pause("\(refusal.name)-0") ?? 0) / 1000
                    #expect(refusal.seconds.contains(seconds), "\(refusal.name): \(seconds)")
                    #expect(reader.record.last("\(refusal.name)-0")?.failure["class"] == "rateLimited")
                }
            }
        }
    }

    @Test("The same requests, and never more at once than allowed, with one fetcher and with four", arguments: [1, 4])
    func sameRequestsWithAnyNumberOfFetchers(fetchers: Int) async throws {
        try await withScriptedOrigin { origin in
            let names = (0..<12).map { "w\($0)" }
            for name in names {
                origin.serveScript("/\(name)", [.feed(Self.feed)])
                origin.setDelay("/\(name)", .milliseconds(30))
            }
            let sources = origin.urls(names)
            let fetching = ["hostConcurrency": "2", "interval": "1h", "minimumInterval": "1h"]
            try await RunningSystem.read(sources, fetching: fetching, fetchers: fetchers) { system, reader in
                try await reader.read("every feed") { record in names.allSatisfy { name in record.hasNewData(name) } }
            }
            #expect(origin.requestCount == 12)
            #expect(origin.maximumConcurrent == 2)
        }
    }

    @Test("7: an origin that was down for three polls is back within one back-off")
    func recovery() async throws {
        let connections = Counter()
        try await withRawServer { connection in
            // The first three find nobody who answers.
            guard connections.next() > 3 else { return }
            let head =
                "HTTP/1.1 200 OK\r\nContent-Type: application/rss+xml\r\nContent-Length: \(Self.feed.utf8.count)\r\n"
            _ = connection.send(head + "Connection: close\r\n\r\n" + Self.feed)
        } _: { server in
            try await RunningSystem.read(["w": "http://127.0.0.1:\(server.port)/feed"]) { system, reader in
                try await reader.read("the recovery") { $0.last("w")?.outcome == "sameBytes" }
                let updates = reader.record.updates.filter { $0.cause == "refresh" }
                let failed = updates.prefix { $0.outcome == "failed" }
                #expect(failed.count == 3)
                #expect(failed.allSatisfy { $0.failure["class"] == "transient" })
                // Each pause is the one before, doubled, and a tenth at most.
                for (index, update) in failed.enumerated() {
                    let promised = update.failure["nextAttempt"].flatMap { Instant($0) }
                    let pause = promised.map { $0.milliseconds(since: update.time ?? $0) } ?? 0
                    #expect(pause <= Int64(100 << index) * 11 / 10)
                }
            }
        }
    }

    @Test("8: only what is permanent of a chain of redirects is remembered, and 410 ends it")
    func movedAndGone() async throws {
        try await withScriptedOrigin { origin in
            for (from, status, to) in [
                ("/old", 301, "/detour"), ("/detour", 302, "/feed"), ("/older", 308, "/old"),
                ("/temporary", 302, "/feed"),
            ] {
                origin.serveScript(from, [ScriptedAnswer(status: status, headers: ["Location": to])])
            }
            origin.serveScript("/captured", [ScriptedAnswer(status: 301, headers: ["Location": "/portal"])])
            origin.serve("/portal", body: "<html>Sign in</html>", contentType: "text/html")
            origin.serveChanging("/feed")
            origin.serve("/gone", body: Self.feed)
            let paths = ["old", "older", "temporary", "captured", "gone"]
            let sources = origin.urls(paths)
            try await RunningSystem.read(sources) { system, reader in
                try await reader.read("changes of all") { record in
                    ["old", "older", "temporary"].allSatisfy { name in
                        record.updates.count { $0.widget == name && $0.reason == "visibleChange" } >= 3
                    } && record.count("captured") >= 4 && record.last("gone")?.outcome == "notModified"
                }
                #expect(origin.requests("/older").count == 1)
                // "old" and "older" asked it once each, and then the place after it.
                #expect(origin.requests("/old").count == 2)
                #expect(origin.requests("/temporary").count >= 3)
                // The page of a captive portal is no feed, so the redirect to it is not remembered.
                #expect(origin.requests("/captured").count >= 3)
                try await Self.goAway(origin, reader, system)
            }
        }
    }

    @Test("8: a page that announces another feed never replaces a feed, not even after a restart")
    func aPageInPlaceOfAFeed() async throws {
        try await withScriptedOrigin { origin in
            origin.serve("/feed", body: Self.feed)
            origin.serve("/other.xml", body: rss("Foreign"))
            try await RunningSystem.read(["w": origin.url("/feed")]) { system, reader in
                try await reader.read("the feed") { $0.hasNewData("w") }
                let page = "<link rel='alternate' type='application/rss+xml' href='/other.xml'>"
                origin.serve("/feed", body: "<html><head>\(page)</head></html>", contentType: "text/html")
                try await reader.read("the page") { $0.last("w")?.outcome == "failed" }
                let failure = try #require(reader.record.last("w")).failure
                #expect(failure["class"] == "malformed")
                #expect(failure["message"]?.contains("answered with a web page in place of a feed") == true)
                try await system.killAndStart("cache")
                let count = reader.record.count("w")
                try await reader.read("failures after the restart") { $0.count("w") >= count + 3 }
                #expect(try await ShownContent.feed("w", system).items.map(\.title) == ["Post"])
                #expect(origin.requests("/other.xml").isEmpty)
                origin.serve("/feed", body: rss("Next"))
                try await reader.read("the feed again") { $0.last("w")?.outcome == "changed" }
                #expect(try await ShownContent.feed("w", system).items.map(\.title) == ["Next"])
            }
        }
    }

    private static func goAway(_ origin: ScriptedOrigin, _ reader: IndependentReader, _ system: RunningSystem)
        async throws
    {
        origin.setStatus("/gone", 410)
        try await reader.read("the end") { $0.last("gone")?.outcome == "failed" }
        let last = try #require(reader.record.last("gone"))
        #expect(last.failure["class"] == "permanent")
        #expect(last.failure["status"] == "410")
        #expect(last.failure["nextAttempt"] == nil)
        #expect(try await ShownContent.feed("gone", system).items.map(\.title) == ["Post"])
        let requests = origin.requests("/gone").count
        let before = reader.record.count("temporary")
        try await reader.read("the others go on") { $0.count("temporary") >= before + 10 }
        #expect(origin.requests("/gone").count == requests)
    }

    @Test("15: neither ten years of Retry-After nor sixteen of max-age are believed")
    func clamps() async throws {
        try await withScriptedOrigin { origin in
            origin.serveScript("/fresh", [.feed(Self.feed, headers: ["Cache-Control": "max-age=504576000"])])
            origin.serveScript("/later", [.feed(Self.feed, headers: ["Expires": "Thu, 01 Jan 2099 00:00:00 GMT"])])
            origin.serveScript("/busy", [ScriptedAnswer(status: 429, headers: ["Retry-After": "315360000"])])
            let configuration = HTTPClientConfiguration(userAgent: "t", proxy: .none)
            try await withHTTPClient(configuration: configuration) { client in
                for (path, hours) in [("/fresh", 5), ("/later", 5), ("/busy", 24)] {
                    var lease = Lease.sample(origin.url(path))
                    lease.allowPrivateNetworks = true
                    let answer = try await client.fetch(HTTPRequest(lease))
                    let now = Instant.now
                    let outcome = OutcomeReader(lease: lease, answeredAt: now).outcome(of: .success(answer))
                    let next = RefreshPolicy().nextAttempt(
                        after: outcome.data,
                        RefreshPolicy.History(failures: 1, advice: nil, seed: ""),
                        RefreshPolicy.Intervals(interval: .seconds(900), minimumInterval: .seconds(300)),
                        now: now
                    )
                    #expect(next.at == now.advanced(byMilliseconds: Int64(hours) * 3_600_000), "\(path)")
                    #expect(next.isClamped)
                }
            }
        }
    }

    /// Runs `body` with `count` origins, each of which has its own port and is therefore a separate host.
    private static func withOrigins(_ count: Int, _ body: ([ScriptedOrigin]) async throws -> Void) async throws {
        func open(_ origins: [ScriptedOrigin]) async throws {
            guard origins.count < count else { return try await body(origins) }
            try await withScriptedOrigin { try await open(origins + [$0]) }
        }
        try await open([])
    }
}
