// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import AccessTokens
import Foundation
import HTTPTransport
import OriginSupport
import TestSupport
import Testing

/// Commands, filters and options over HTTP.
extension GatewaySystemTests {
    /// Starts a gateway with a token for commands, and waits until it knows the token and the widget.
    private func start(_ system: RunningSystem, _ widget: String) async throws -> (port: Int, headers: [String: String])
    {
        let token = try system.createToken(.act, .push)
        let port = try await system.startGateway()
        try await waitForContent(port, widget)
        return (port, ["Authorization": "Bearer \(token.text)"])
    }

    private func waitForContent(_ port: Int, _ widget: String) async throws {
        let deadline = ContinuousClock.now + .seconds(20)
        while try json(try await get(port, "/v1/widgets/\(widget)"))["contentDate"] == nil {
            guard ContinuousClock.now < deadline else { throw DidNotArrive("the first content") }
        }
    }

    private func command(
        _ server: (port: Int, headers: [String: String]),
        _ path: String,
        wait: Int = 10,
        _ body: String? = nil
    ) async throws -> (status: Int, body: [String: Any]) {
        let response = try await get(
            server.port,
            "/v1/widgets/\(path)",
            method: "POST",
            headers: server.headers.merging(["Prefer": "wait=\(wait)"]) { $1 },
            body: body
        )
        return (response.status, try json(response))
    }

    @Test func aSlowOriginIsNoErrorOfACommandAndHoldsNoOtherCommandUp() async throws {
        try await withScriptedOrigin { origin in
            origin.serve("/feed", body: rss("A", "B", "C", "D", "E"))
            try await RunningSystem.with(
                ["blog": "{kind: feed, source: \"\(origin.url("/feed"))\", interval: 1h, minimumInterval: 0s}"],
                fetching: ["leaseDuration": "30s"]
            ) { system in
                let server = try await start(system, "blog")
                origin.hold("/feed")
                let slow = try await command(server, "blog/performUpdate", wait: 1)
                #expect(slow.status == 202)
                #expect(slow.body["sequence"] == nil)
                #expect((slow.body["after"] as? String)?.count == 20)

                let more = #"{"name":"setExpanded","expanded":true,"display":"phone-classic"}"#
                let opened = try await command(server, "blog/commands", more)
                #expect(opened.status == 200)
                #expect(opened.body["changed"] as? [String] == ["phone-classic"])

                origin.serve("/feed", body: rss("New", "A"))
                origin.release("/feed")
                let done = try await command(server, "blog/performUpdate")
                #expect(done.status == 200)
                #expect((done.body["sequence"] as? String).map { $0 > (slow.body["after"] as? String ?? "") } == true)
            }
        }
    }

    @Test func unknownMembersAndNamesAreRefused() async throws {
        try await RunningSystem.with(feed: rss("A", "B", "C", "D", "E"), of: "blog") { origin, system in
            let server = try await start(system, "blog")
            for (path, body, status, detail) in [
                ("commands", #"{"name":"nextValue","dispaly":"phone"}"#, 400, "did you mean 'display'?"),
                ("commands", #"{"name":"refresh","expanded":true}"#, 400, "expanded: is unknown here"),
                ("commands?dispaly=phone", #"{"name":"refresh"}"#, 400, "did you mean 'display'?"),
                ("commands", #"{"name":"refresh","display":"nowhere"}"#, 404, "'nowhere'"),
                ("performUpdate", #"{"displays":"phone"}"#, 400, "did you mean 'display'?"),
                ("performUpdate?display=nowhere", "", 404, "'nowhere'"),
                ("performUpdate?display=phone", #"{"display":"wall"}"#, 422, "'wall'"),
            ] {
                let answer = try await command(server, "blog/\(path)", body)
                #expect(answer.status == status, "\(path) \(body)")
                #expect((answer.body["detail"] as? String)?.contains(detail) == true, "\(answer.body)")
            }
            #expect(try await command(server, "blog/performUpdate?display=phone").status == 200)

            for (query, status) in [
                ("widget=nothing", 404), ("widget=blog,nothing", 404), ("display=nowhere", 404),
                ("widget=blog&display=phone-classic", 200),
            ] {
                let head = try await get(server.port, "/v1/events?\(query)", method: "HEAD")
                #expect(head.status == status, "\(query)")
            }
            let stream = try RawClient(port: server.port)
            stream.send("GET /v1/events?result=failed HTTP/1.0\r\n\r\n")
            _ = try stream.read(until: "event: start\n")
            #expect(try stream.read(until: "\n\n").contains("\"widgets\":1"))
        }
    }

    @Test func aPictureOfAnotherSizeChangesWithWhatItShowsAlone() async throws {
        try await withScriptedOrigin { origin in
            origin.serve("/one", body: rss("A", "B", "C", "D", "E", "F"))
            origin.serve("/two", body: rss("A", "B", "C", "D", "E", "other"))
            try await RunningSystem.with(["one": origin.url("/one"), "two": origin.url("/two")]) { system in
                let port = try await start(system, "one").port
                try await waitForContent(port, "two")
                let (small, large) = ("phone-compact.png", "phone-compact.png?width=500&height=900")
                func tag(_ widget: String, _ file: String) async throws -> String {
                    try #require(try await get(port, "/widgets/\(widget)/\(file)").headers["etag"])
                }
                #expect(try await tag("one", large) != tag("two", large))
                let before = try await (tag("one", small), tag("one", large))
                let events = try RawClient(port: port)
                events.send("GET /v1/events?widget=one&result=newData HTTP/1.0\r\n\r\n")
                _ = try events.read(until: "event: start\n")
                origin.serve("/one", body: rss("A", "B", "C", "D", "E", "changed"))
                _ = try events.read(until: "event: update\n")
                #expect(try await tag("one", small) == before.0)
                let condition = ["If-None-Match": before.1]
                #expect(try await get(port, "/widgets/one/\(large)", headers: condition).status == 200)
            }
        }
    }
}
