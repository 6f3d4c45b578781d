// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import AccessTokens
import Foundation
import HTTPTransport
import OriginSupport
import TestSupport
import Testing
import WidgetSchema

/// Documents that fetchers read for a gateway: addresses to inspect, and pushes.
@Suite(.timeLimit(.minutes(3))) struct InspectionTests {
    private func inspect(_ port: Int, _ headers: [String: String], _ url: String) async throws -> HTTPResponse {
        try await get(port, "/v1/inspect", method: "POST", headers: headers, body: #"{"url": "\#(url)"}"#)
    }

    private func problem(_ response: HTTPResponse) throws -> String {
        #expect(response.headers["content-type"] == "application/problem+json")
        let type = try #require(try json(response)["type"] as? String)
        return type.replacingOccurrences(of: "urn:tidings:problem:", with: "")
    }

    @Test func aFetcherInspectsAddressesOneOfAHostAtATimeAndNoneInAPause() async throws {
        try await RunningSystem.with(feed: rss("One"), of: "blog") { origin, system in
            let headers = ["Authorization": "Bearer \(try system.createToken(.admin).text)"]
            let port = try await system.startGateway()
            let libraries = ChildProcesses.read(try system.processIdentifier(of: "gateway"), "maps")
            #expect(libraries.contains("libzmq") && !libraries.contains("libcurl") && !libraries.contains("libxml2"))

            origin.serve("/new", body: rss("New"))
            origin.hold("/new")
            async let held = inspect(port, headers, origin.url("/new"))
            try #require(await origin.waitForRequests("/new", count: 1, deadline: .seconds(20)))
            let second = try await inspect(port, headers, origin.url("/new"))
            #expect(second.status == 429)
            #expect(try problem(second) == "too-many-inspections")
            origin.release("/new")
            let report = try await held
            #expect(report.status == 200)
            let readings = try #require(try json(report)["readings"] as? [[String: Any]])
            #expect(readings.map { $0["kind"] as? String } == ["feed"])
            #expect((readings.first?["layouts"] as? [Any])?.isEmpty == false)
            #expect(origin.requests("/new").count == 1)

            let link = "<link rel=alternate type=\"application/rss+xml\" href=\"/new\">"
            origin.serve("/page", body: "<html><head>\(link)</head></html>", contentType: "text/html")
            let announced = try await inspect(port, headers, origin.url("/page"))
            #expect(try json(announced)["url"] as? String == origin.url("/new"))
            origin.serve("/nothing", body: "nothing", contentType: "text/plain")
            #expect(try problem(try await inspect(port, headers, origin.url("/nothing"))) == "nothing-to-show")
            #expect(try problem(try await inspect(port, headers, "http://127.0.0.1:1/")) == "no-answer")

            origin.setStatus("/feed", 429, headers: ["Retry-After": "3600"])
            let deadline = ContinuousClock.now + .seconds(20)
            var paused = try await inspect(port, headers, origin.url("/new"))
            while paused.status == 200, ContinuousClock.now < deadline {
                paused = try await inspect(port, headers, origin.url("/new"))
            }
            #expect(paused.status == 429)
            #expect(try problem(paused) == "host-asked-for-a-pause")
            let pause = try #require(Int(paused.headers["retry-after"] ?? ""))
            #expect(pause > 3_000)

            try await system.stop("fetcher")
            let unread = try await inspect(port, headers, "http://127.0.0.1:1/")
            #expect(unread.status == 503)
            let detail = try #require(try json(unread)["detail"] as? String)
            #expect(detail.hasPrefix("Documents are read by fetchers, and none is available."))
        }
    }

    @Test func aClientOfTheBusHasNoPrivateAddressInspected() async throws {
        try await RunningSystem.with(feed: rss("One"), of: "blog") { origin, system in
            origin.serve("/new", body: rss("New"))
            let request = InspectRequest(url: origin.url("/new"), kind: nil, allowPrivateNetworks: true)
            let answer = try await system.ask(.fetcher, request).result
            #expect(answer.problem?.kind == .noAnswer)
            #expect(answer.readings.isEmpty)
            #expect(origin.requests("/new").isEmpty)
        }
    }

    @Test func aDocumentThatEndsItsReaderEndsNoLease() async throws {
        try await withScriptedOrigin { origin in
            origin.serveChanging("/feed")
            let sources = ["blog": origin.url("/feed"), "inbox": "{kind: feed, source: push}"]
            try await RunningSystem.with(sources) { system in
                let headers = ["Authorization": "Bearer \(try system.createToken(.push).text)"]
                let port = try await system.startGateway()
                @Sendable func push(_ title: String) async throws -> HTTPResponse {
                    let path = "/v1/widgets/inbox/content"
                    return try await get(port, path, method: "PUT", headers: headers, body: rss(title))
                }
                #expect(try await push("First").status == 200)
                let fetcher = try system.processIdentifier(of: "fetcher")
                let readers = try ChildProcesses.numbers(of: fetcher, argument: "--read-documents")
                let reader = try #require(readers.first)
                kill(reader, SIGSTOP)
                async let pushed = push("Second")
                try await ChildProcesses.waitForInput(of: reader)
                // Leases go on while a document is read, and after it has ended its reader.
                let before = origin.requests("/feed").count
                #expect(await origin.waitForRequests("/feed", count: before + 3, deadline: .seconds(20)))
                kill(reader, SIGKILL)
                let refused = try await pushed
                #expect(refused.status == 422)
                let detail = try #require(try json(refused)["detail"] as? String)
                #expect(detail.contains("it ended its reader"))
                let after = origin.requests("/feed").count
                #expect(await origin.waitForRequests("/feed", count: after + 3, deadline: .seconds(20)))
                #expect(try system.processIdentifier(of: "fetcher") == fetcher)
                #expect(try await push("Third").status == 200)

                // A frame of the bus holds 785,664 bytes of any kind, and more of common text.
                func pushControls(_ count: Int) async throws -> Int {
                    let (path, body) = ("/v1/widgets/inbox/content", String(repeating: "\u{1}", count: count))
                    return try await get(port, path, method: "PUT", headers: headers, body: body).status
                }
                #expect(try await pushControls(780_000) == 422)
                #expect(try await pushControls(800_000) == 413)
            }
        }
    }
}
