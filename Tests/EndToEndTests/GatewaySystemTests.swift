// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import AccessTokens
import Foundation
import HTTPTransport
import OriginSupport
import TestSupport
import Testing

/// Tests of the gateway in a running system, with clients that speak HTTP only.
@Suite(.timeLimit(.minutes(2))) struct GatewaySystemTests {
    /// Reads events until one is an update with this result; returns its id and data.
    private func update(_ client: RawClient, result: String) throws -> (id: String?, data: [String: Any]) {
        var id: String?
        while true {
            let event = try client.read(until: "\n\n")
            let lines = event.split(whereSeparator: \.isNewline).map(String.init)
            if let line = lines.last(where: { $0.hasPrefix("id: ") }) { id = String(line.dropFirst(4)) }
            guard lines.contains("event: update"), let line = lines.first(where: { $0.hasPrefix("data: ") }) else {
                continue
            }
            let json = try JSONSerialization.jsonObject(with: Data(line.dropFirst(6).utf8)) as? [String: Any]
            let data = try #require(json?["data"] as? [String: Any])
            if data["result"] as? String == result { return (id, data) }
        }
    }

    @Test func aPictureIsServedWithAnETagAndChangesOnlyWithWhatItShows() async throws {
        try await RunningSystem.with(feed: rss("One"), of: "blog") { origin, system in
            let port = try await system.startGateway()
            try await IndependentReader.with(system.address) { reader in
                try await reader.read("the first content") { $0.last("blog")?.reason == "notModified" }
                let first = try await get(port, "/widgets/blog/phone-compact.png")
                #expect(first.status == 200)
                #expect(first.headers["content-type"] == "image/png")
                #expect(first.body.starts(with: [0x89, 0x50, 0x4E, 0x47]))
                let tag = try #require(first.headers["etag"])
                let date = try #require(first.headers["last-modified"])

                let unchanged = try await get(port, "/widgets/blog/phone-compact.png", headers: ["If-None-Match": tag])
                #expect(unchanged.status == 304)
                #expect(unchanged.body.isEmpty)
                #expect(unchanged.headers["etag"] == tag)
                let since = ["If-Modified-Since": date]
                #expect(try await get(port, "/widgets/blog/phone-compact.png", headers: since).status == 304)
                let dark = try await get(port, "/widgets/blog/phone-compact.png?appearance=dark")
                #expect(dark.status == 200)
                #expect(dark.headers["etag"] != tag)
                #expect(dark.body != first.body)

                let address = try #require(first.headers["content-location"])
                let immutable = try await get(port, address)
                #expect(immutable.body == first.body)
                #expect(immutable.headers["cache-control"]?.contains("immutable") == true)

                // The gateway itself tells that it has the change; the bus may be ahead of it.
                let events = try RawClient(port: port)
                events.send("GET /v1/events?result=newData HTTP/1.0\r\n\r\n")
                _ = try events.read(until: "event: start\n")
                origin.serve("/feed", body: rss("Two", "One"))
                _ = try update(events, result: "newData")
                let changed = try await get(port, "/widgets/blog/phone-compact.png", headers: ["If-None-Match": tag])
                #expect(changed.status == 200)
                #expect(changed.body != first.body)
            }
        }
    }

    @Test func layoutsWidgetsAndErrorsAreJSON() async throws {
        try await RunningSystem.with(feed: rss("One"), of: "blog") { origin, system in
            let port = try await system.startGateway(afterContentOf: "blog")
            let layout = try json(try await get(port, "/widgets/blog/phone-classic.json"))
            #expect(layout["widget"] as? String == "blog")
            #expect(layout["layout"] != nil)
            let list = try json(try await get(port, "/v1/widgets"))
            let widgets = try #require(list["widgets"] as? [[String: Any]])
            #expect(widgets.map { $0["id"] as? String } == ["blog"])
            #expect(widgets.first?["kind"] as? String == "feed")
            let history = try json(try await get(port, "/v1/widgets/blog/history"))
            #expect((history["updates"] as? [Any])?.isEmpty == false)
            let explanation = try json(try await get(port, "/v1/widgets/blog/explain"))
            #expect((explanation["verdict"] as? String)?.contains("304") == true)
            let hops = try #require(explanation["hops"] as? [[String: Any]])
            #expect(hops.map { $0["name"] as? String } == ["answered", "committed", "laidOut", "decided"])
            #expect(hops.dropFirst().allSatisfy { ($0["milliseconds"] as? Int) ?? -1 >= 0 })
            #expect((explanation["committed"] as? [String: Any])?["contentSequence"] != nil)
            #expect(((explanation["laidOut"] as? [String: Any])?["engine"] as? Int) ?? 0 > 0)
            #expect(try await get(port, "/").headers["content-type"]?.hasPrefix("text/html") == true)
            #expect(try await get(port, "/widgets/blog/phone-classic.svg").headers["content-type"] == "image/svg+xml")

            let missing = try await get(port, "/v1/widgets/nothing")
            #expect(missing.status == 404)
            #expect(missing.headers["content-type"] == "application/problem+json")
            #expect(try json(missing)["status"] as? Int == 404)
            #expect(try await get(port, "/v1/widgets/blog/performUpdate", method: "POST").status == 401)
            let wrong = try await get(port, "/v1/widgets", method: "DELETE")
            #expect(wrong.status == 405)
            #expect(wrong.headers["allow"] == "GET, HEAD, POST")
            #expect(try await get(port, "/v1/widgets", headers: ["Host": "evil.example"]).status == 421)
            #expect(try await get(port, "/readyz").status == 200)
        }
    }

    @Test func anEventStreamTellsOfAChangeAndIsResumedWhereItEnded() async throws {
        try await RunningSystem.with(feed: rss("One"), of: "blog") { origin, system in
            let port = try await system.startGateway(afterContentOf: "blog")
            var resumeFrom = ""
            var changedAt = ""
            do {
                let client = try RawClient(port: port)
                client.send("GET /v1/events?result=newData HTTP/1.0\r\n\r\n")
                let head = try client.read(until: "\r\n\r\n")
                #expect(head.contains("Content-Type: text/event-stream"))
                let start = try client.read(until: "\n\n") + client.read(until: "\n\n")
                #expect(start.contains("retry: "))
                #expect(start.contains("\"gap\":false"))
                resumeFrom = String(try #require(try client.read(until: "\n\n").split(separator: "\n").first))
                    .replacing("id: ", with: "")
                origin.serve("/feed", body: rss("Two", "One"))
                let (id, data) = try update(client, result: "newData")
                #expect((data["changed"] as? [String])?.contains("phone-classic") == true)
                changedAt = try #require(id)
                #expect(changedAt != resumeFrom)
            }
            let again = try RawClient(port: port)
            again.send("GET /v1/events?result=newData HTTP/1.0\r\nLast-Event-ID: \(resumeFrom)\r\n\r\n")
            #expect(try update(again, result: "newData").id == changedAt)
            let stranger = try RawClient(port: port)
            stranger.send("GET /v1/events HTTP/1.0\r\nLast-Event-ID: other-1\r\n\r\n")
            _ = try stranger.read(until: "event: start\n")
            #expect(try stranger.read(until: "\n\n").contains("\"gap\":true"))
            #expect(try stranger.read(until: "\n\n").contains("event: update"))
        }
    }

    @Test func anotherGatewayResumesAReaderWithoutAGap() async throws {
        try await RunningSystem.with(feed: rss("One"), of: "blog") { origin, system in
            let port = try await system.startGateway(afterContentOf: "blog")
            let client = try RawClient(port: port)
            client.send("GET /v1/events?result=newData HTTP/1.0\r\n\r\n")
            _ = try client.read(until: "event: start\n")
            origin.serve("/feed", body: rss("Two", "One"))
            let seen = try #require(try update(client, result: "newData").id)
            origin.serve("/feed", body: rss("Three", "Two", "One"))
            let missed = try update(client, result: "newData")

            // It was not there when the reader's id was given.
            let other = try await system.startGateway(as: "gateway-2")
            let resumed = try RawClient(port: other)
            resumed.send("GET /v1/events?result=newData HTTP/1.0\r\nLast-Event-ID: \(seen)\r\n\r\n")
            _ = try resumed.read(until: "event: start\n")
            #expect(try resumed.read(until: "\n\n").contains("\"gap\":false"))
            let again = try update(resumed, result: "newData")
            #expect(again.id == missed.id)
            #expect(again.data["summary"] as? String == missed.data["summary"] as? String)
        }
    }

    @Test func commandsAndContentNeedATokenThatIsNoticedAtOnceAndRefusedOnceRevoked() async throws {
        try await RunningSystem.with(["inbox": "{kind: feed, source: push}"]) { system in
            let port = try await system.startGateway()
            let tokens = system.file("data/gateway-tokens.json").path()
            let token = AccessToken()
            let record = TokenRecord(
                token: token,
                name: "test",
                scopes: [.act, .push],
                created: "2026-11-22T00:00:00Z"
            )
            let authorization = ["Authorization": "Bearer \(token.text)"]
            let update = "/v1/widgets/inbox/performUpdate"
            #expect(try await get(port, update, method: "POST", headers: authorization).status == 401)
            try TokenFile(tokens: [record]).save(tokens)
            // Each request waits for what it finds: the watch needs a moment.
            let known = ContinuousClock.now + .seconds(1)
            while try await get(port, update, method: "POST", headers: authorization).status == 401 {
                guard ContinuousClock.now < known else { throw DidNotArrive("the token within a second") }
            }
            let verdict = try await get(port, update, method: "POST", headers: authorization)
            #expect(verdict.status == 200)
            #expect(try json(verdict)["reason"] as? String == "missing")

            func put(_ body: String, key: String, at port: Int) async throws -> HTTPResponse {
                let headers = authorization.merging(["Idempotency-Key": "\"\(key)\""]) { $1 }
                return try await get(port, "/v1/widgets/inbox/content", method: "PUT", headers: headers, body: body)
            }
            let first = try await put(rss("Hello"), key: "one", at: port)
            #expect(first.status == 200)
            #expect(try json(first)["result"] as? String == "newData")
            let again = try await put(rss("Hello"), key: "one", at: port)
            #expect(try json(again)["sequence"] as? String == json(first)["sequence"] as? String)
            #expect(try await put(rss("Other"), key: "one", at: port).status == 422)
            #expect(try await put("no feed", key: "two", at: port).status == 422)
            // Another gateway knows the key, too: the cache remembers it.
            let other = try await system.startGateway(as: "gateway-2")
            for (body, status) in [("Hello", 200), ("Other", 422)] {
                let answer = try await put(rss(body), key: "one", at: other)
                #expect(answer.status == status)
                #expect(try status == 200 || json(answer)["type"] as? String == "urn:tidings:problem:key-reused")
            }
            #expect(try await get(port, "/v1/configuration", headers: authorization).status == 403)
            let crossSite = authorization.merging(["Origin": "https://evil.example"]) { $1 }
            #expect(try await get(port, update, method: "POST", headers: crossSite).status == 403)
            #expect(try await get(port, "/v1/widgets?token=\(token.text)").status == 403)

            try TokenFile().save(tokens)
            let revoked = ContinuousClock.now + .seconds(1)
            while try await get(port, update, method: "POST", headers: authorization).status != 401 {
                guard ContinuousClock.now < revoked else { throw DidNotArrive("the revocation within a second") }
            }
            let metrics = String(decoding: try await get(port, "/metrics").body, as: UTF8.self)
            #expect(metrics.contains("tidings_http_refused_total{reason=\"scope\"} 1\n"))
            #expect(metrics.contains("tidings_http_refused_total{reason=\"origin\"} 1\n"))
        }
    }

    @Test func aWidgetWithoutACycleShowsItsPlaceholderInEachFormat() async throws {
        try await RunningSystem.with(["inbox": "{kind: feed, source: push}"]) { system in
            let port = try await system.startGateway()
            // The gateway knows of the widget, and no cache does.
            try await system.stop("cache")
            try system.configure(["inbox": "{kind: feed, source: push}", "late": "{kind: quote, source: push}"])
            let known = ContinuousClock.now + .seconds(10)
            while try await get(port, "/widgets/late/phone-classic.png").status == 404 {
                guard ContinuousClock.now < known else { throw DidNotArrive("the new configuration") }
            }
            for (format, type) in [("png", "image/png"), ("svg", "image/svg+xml"), ("json", "application/json")] {
                let answer = try await get(port, "/widgets/late/phone-classic.\(format)")
                #expect(answer.status == 200)
                #expect(answer.headers["content-type"] == type)
                #expect(answer.body.count > 100)
                let tag = try #require(answer.headers["etag"])
                let again = try await get(
                    port,
                    "/widgets/late/phone-classic.\(format)",
                    headers: ["If-None-Match": tag]
                )
                #expect(again.status == 304)
            }
            #expect(try await get(port, "/widgets/late/nowhere.png").status == 404)
        }
    }

    @Test func simultaneousUpdatesShareOneCycle() async throws {
        try await withScriptedOrigin { origin in
            origin.serve("/feed", body: rss("One"))
            try await RunningSystem.with(
                ["blog": "{kind: feed, source: \"\(origin.url("/feed"))\", interval: 1h, minimumInterval: 0s}"]
            ) { system in
                let token = try system.createToken(.act)
                let port = try await system.startGateway()
                let authorization = ["Authorization": "Bearer \(token.text)"]
                let sequences = try await withThrowingTaskGroup(of: String?.self) { group in
                    for _ in 0..<50 {
                        group.addTask {
                            let answer = try await get(
                                port,
                                "/v1/widgets/blog/performUpdate",
                                method: "POST",
                                headers: authorization
                            )
                            return try json(answer)["sequence"] as? String
                        }
                    }
                    return try await group.reduce(into: [String?]()) { $0.append($1) }
                }
                #expect(sequences.count == 50)
                #expect(Set(sequences).count == 1)
                #expect(!sequences.contains(nil))
            }
        }
    }

    @Test func theDescriptionHasTheStatusOfEachRefusal() async throws {
        try await RunningSystem.with(["inbox": "{kind: feed, source: push}"]) { system in
            let token = try system.createToken(.admin)
            let port = try await system.startGateway()
            let description = try json(try await get(port, "/v1/openapi.json"))
            let paths = try #require(description["paths"] as? [String: [String: Any]])
            let json = ["Authorization": "Bearer \(token.text)", "Content-Type": "application/json"]
            let refusals = [
                ("/v1/session", #"{"token": "short"}"#, 401),
                ("/v1/inspect", #"{"url": "https://a.example/", "displays": ["nowhere"]}"#, 404),
                ("/v1/inspect", #"{"url": "https://a.example/", "displays": [""]}"#, 400),
                ("/v1/inspect", #"{"url": "nothing"}"#, 422),
                ("/v1/widgets", #"{"id": "", "entry": ""}"#, 400),
                ("/v1/widgets", #"{"id": "news", "entry": ""}"#, 409),
            ]
            for (path, body, status) in refusals {
                let answer = try await get(port, path, method: "POST", headers: json, body: body)
                #expect(answer.status == status, "\(path) \(body)")
                #expect(answer.headers["content-type"] == "application/problem+json")
                let operation = try #require(paths[path]?["post"] as? [String: Any])
                let responses = try #require(operation["responses"] as? [String: Any])
                #expect(responses[String(status)] != nil, "\(path) \(status)")
            }
        }
    }
}
