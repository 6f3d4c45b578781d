// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import HTTPTransport
import OriginSupport
import ServiceRuntime
import Testing
import WidgetSchema

/// Tests of the times at which a picture may change next, and changed last, as panels see them.
@Suite(.timeLimit(.minutes(3))) struct NextChangeTests {
    private struct Panel {
        let port: Int

        /// Returns the entry of a widget's source in `/v1/sources`.
        func source(of widget: String) async throws -> [String: Any] {
            let sources = try #require(try json(await get(port, "/v1/sources"))["sources"] as? [[String: Any]])
            return try #require(sources.first { ($0["widgets"] as? [String])?.contains(widget) == true })
        }

        func time(_ header: String, of widget: String) async throws -> Instant? {
            try await get(port, "/widgets/\(widget)/phone-compact.png").headers[header].flatMap { Instant($0) }
        }
    }

    private static func instant(_ value: Any?) -> Instant? { (value as? String).flatMap { Instant($0) } }

    private static func seconds(from start: Any?, to end: Any?) -> Double? {
        guard let start = instant(start), let end = instant(end) else { return nil }
        return Double(end.milliseconds(since: start)) / 1_000
    }

    @Test func theNextChangeFollowsMaxAgeThePauseOfTheHostAndARestartOfTheGateway() async throws {
        let feed = rss("Post")
        try await withScriptedOrigin { origin in
            origin.serveScript("/blog", [.feed(feed, headers: ["Cache-Control": "max-age=7200"])])
            origin.serve("/news", body: feed)
            let sources = ["blog": origin.url("/blog"), "news": origin.url("/news")]
            let fetching = ["interval": "30m", "minimumInterval": "0s"]
            try await RunningSystem.read(sources, fetching: fetching) { system, reader in
                try await reader.read("both contents") { $0.hasNewData("blog") && $0.hasNewData("news") }
                var panel = Panel(port: try await system.startGateway())
                try await system.until("the planned times") {
                    let (blog, news) = (try await panel.source(of: "blog"), try await panel.source(of: "news"))
                    return Self.seconds(from: blog["lastAnswer"], to: blog["nextCheck"]) == 7_200
                        && Self.seconds(from: news["lastAnswer"], to: news["nextCheck"]) == 1_800
                }
                let planned = Self.instant(try await panel.source(of: "blog")["nextCheck"])
                #expect(try await panel.time("tidings-next-change", of: "blog") == planned)
                #expect(try await panel.time("tidings-next-certain-change", of: "blog") == nil)
                // Of two changes within a second, the later one has the next second, which is not told before it comes.
                var changed: String?
                try await system.until("the second of the last change") {
                    let headers = try await get(panel.port, "/widgets/blog/phone-compact.png").headers
                    changed = headers["last-modified"]
                    return changed != nil && changed != headers["date"]
                }

                // Only gateways tell when panels wake.
                do {
                    _ = try await system.ask(.cache, ShownRequest(widgets: [try ShownContent.id("blog")], at: .now))
                    Issue.record("the cache answers a request of a client that is no gateway")
                } catch let error as RequestError {
                    #expect(error.code == .refused)
                }

                // A command is no attempt.
                let answered = try await panel.source(of: "blog")["lastAnswer"] as? String
                _ = try await ShownContent.send(.setExpanded(true), counter: 1, to: "blog", system)
                try await reader.read("the verdict") { $0.last("blog")?.cause == "interaction" }
                let after = try await panel.source(of: "blog")
                #expect(after["lastAnswer"] as? String == answered)
                #expect(Self.instant(after["nextCheck"]) == planned)

                // Another source of the host gets 429.
                origin.setStatus("/news", 429, headers: ["Retry-After": "10000"])
                _ = try await ShownContent.send(.performUpdate, counter: 1, to: "news", system)
                try await system.until("the pause of the host") {
                    let blog = try await panel.source(of: "blog")
                    let end = Self.instant(blog["blockedUntil"])
                    guard end != nil, end == Self.instant(blog["nextCheck"]) else { return false }
                    return try await panel.time("tidings-next-change", of: "blog") == end
                }
                let end = Self.instant(try await panel.source(of: "blog")["blockedUntil"])
                _ = try await ShownContent.send(.refresh, counter: 2, to: "blog", system)
                try await reader.read("the reason") { $0.last("blog")?.reason == "blocked" }
                let update = try #require(reader.record.updates.last { $0.widget == "blog" })
                #expect(update.result == "noData" && Self.instant(update.blockedUntil) == end)

                try await system.stop("gateway")
                panel = Panel(port: try await system.startGateway())
                try await system.until("the plan in a new gateway") {
                    try await panel.time("tidings-next-change", of: "blog") == end
                }
                let again = try await get(panel.port, "/widgets/blog/phone-compact.png").headers["last-modified"]
                #expect(again == changed)
                #expect(try await panel.source(of: "blog")["lastAnswer"] as? String == answered)

                try await system.killAndStart("cache")
                try await system.until("the plan of a new cache") {
                    try await panel.time("tidings-next-change", of: "blog") == end
                }
            }
        }
    }
}
