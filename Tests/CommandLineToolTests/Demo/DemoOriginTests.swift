// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import HTTPTransport
import OriginSupport
import Testing

@testable import CommandLineTool

@Suite(.timeLimit(.minutes(3))) struct DemoOriginTests {
    private func withClient(_ body: (HTTPClient) async throws -> Void) async throws {
        let configuration = HTTPClientConfiguration(userAgent: "Tidings/test", proxy: .none)
        try await withHTTPClient(configuration: configuration) { client in try await body(client) }
    }

    private func withOrigin(_ body: (ScriptedOrigin, HTTPClient) async throws -> Void) async throws {
        try await withScriptedOrigin { origin in try await withClient { client in try await body(origin, client) } }
    }

    private func get(_ client: HTTPClient, _ url: String, _ headers: [HTTPHeader] = []) async throws -> HTTPResponse {
        try await client.fetch(HTTPRequest(url: url, headers: headers, allowPrivateNetworks: true))
    }

    /// Returns the headers of a conditional request for the validators of a response.
    private func validators(_ response: HTTPResponse) -> [HTTPHeader] {
        [("ETag", "If-None-Match"), ("Last-Modified", "If-Modified-Since")].compactMap { field, condition in
            response.headers[field].map { HTTPHeader(condition, $0) }
        }
    }

    @Test(arguments: [("/blog.xml", "application/rss+xml"), ("/news.atom", "application/atom+xml")])
    func aStoryIsToldToWhoeverSendsItsValidatorsBack(path: String, contentType: String) async throws {
        try await withDemoOrigin(DemoOrigin(start: FeedScript.defaultStart)) { url in
            try await withClient { client in
                let script = path == "/blog.xml" ? FeedScript.blog() : FeedScript.news()
                var known: [HTTPHeader] = []
                for step in 0..<14 {
                    let response = try await get(client, url(path), known)
                    switch script.change(at: step) {
                    case .unavailable:
                        #expect(response.status == 503)
                    case .unchanged:
                        #expect(response.status == 304)
                        #expect(response.body.isEmpty)
                    case .beginning, .postArrives, .titleOfNinthPostChanges:
                        #expect(response.status == 200)
                        #expect(response.headers["content-type"]?.hasPrefix(contentType) == true)
                        known = validators(response)
                        #expect(known.count == 2)
                    }
                }
            }
        }
    }

    @Test func validatorsAreComparedByteForByte() async throws {
        try await withOrigin { origin, client in
            origin.serve("/a", body: "one")
            let first = try await get(client, origin.url("/a"))
            let tag = try #require(first.headers["etag"])
            let date = try #require(first.headers["last-modified"])
            let conditions: [([HTTPHeader], Int)] = [
                ([HTTPHeader("If-None-Match", tag)], 304),
                ([HTTPHeader("If-None-Match", "W/" + tag)], 200),
                ([HTTPHeader("If-Modified-Since", date)], 304),
                ([HTTPHeader("If-Modified-Since", date.lowercased())], 200),
                ([HTTPHeader("If-None-Match", "\"other\""), HTTPHeader("If-Modified-Since", date)], 200),
            ]
            for (headers, status) in conditions {
                let response = try await get(client, origin.url("/a"), headers)
                #expect(response.status == status)
            }
            origin.serve("/a", body: "two")
            for header in validators(first) {
                let changed = try await get(client, origin.url("/a"), [header])
                #expect(changed.status == 200)
            }
        }
    }

    @Test func aStatusIsAnsweredUntilItIsTakenBack() async throws {
        try await withOrigin { origin, client in
            origin.serve("/a", body: "x")
            origin.setStatus("/a", 429, headers: ["Retry-After": "7"])
            let refused = try await get(client, origin.url("/a"))
            #expect(refused.status == 429)
            #expect(refused.headers["retry-after"] == "7")
            origin.setStatus("/a", nil)
            let taken = try await get(client, origin.url("/a"))
            #expect(taken.status == 200)
            let missing = try await get(client, origin.url("/nothing"))
            #expect(missing.status == 404)
            #expect(origin.requests("/a").map(\.status) == [429, 200])
        }
    }

    @Test func aHeldAnswerWaitsForItsRelease() async throws {
        try await withOrigin { origin, client in
            origin.serve("/a", body: "before")
            origin.hold("/a")
            async let first = get(client, origin.url("/a"))
            async let second = get(client, origin.url("/a"), [HTTPHeader("X-Who", "me")])
            let arrived = await origin.waitForRequests("/a", count: 2, deadline: .seconds(30))
            #expect(arrived)
            #expect(origin.requests("/a").allSatisfy { $0.finishedAt == nil })
            #expect(origin.requests("/a").contains { $0.header("x-who") == "me" })
            origin.serve("/a", body: "after")
            origin.release("/a")
            let bodies = try await [first, second].map(\.body)
            #expect(bodies == [Data("after".utf8), Data("after".utf8)])
            #expect(origin.maximumConcurrent("/a") == 2)
            #expect(origin.requests("/a").allSatisfy { $0.finishedAt.map { finished in finished > .now } == false })
        }
    }

    @Test func theEndOfTheOriginLetsEverybodyGo() async throws {
        try await withClient { client in
            let waiting = try await withScriptedOrigin { origin in
                origin.hold("/a")
                let url = origin.url("/a")
                let waiting = Task { try await get(client, url).status }
                _ = await origin.waitForRequests("/a", count: 1, deadline: .seconds(30))
                return waiting
            }
            let status = try await waiting.value
            #expect([404, 503].contains(status))
        }
    }

    @Test func otherProcessesCanReadTheCounts() async throws {
        struct Counts: Decodable, Equatable {
            var count: Int
            var maximumConcurrent: Int
            var notModified: Int
        }
        try await withDemoOrigin(DemoOrigin(start: FeedScript.defaultStart)) { url in
            try await withClient { client in
                let first = try await get(client, url("/place.json"))
                _ = try await get(client, url("/place.json?query"), validators(first))
                let missing = try await get(client, url("/nothing"))
                #expect(missing.status == 404)
                let answer = try await get(client, url("/requests"))
                let counts = try JSONDecoder().decode([String: [String: Counts]].self, from: answer.body)
                #expect(counts == ["paths": ["/place.json": Counts(count: 2, maximumConcurrent: 1, notModified: 1)]])
            }
        }
    }
}
