// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import HTTPTransport
import Testing

@testable import DemoOrigin

@Suite(.timeLimit(.minutes(3))) struct DemoOriginTests {
    private func withOrigin(_ body: (ScriptedOrigin, HTTPClient) async throws -> Void) async throws {
        let configuration = HTTPClientConfiguration(userAgent: "Tidings/test", proxy: .none)
        try await withDemoOrigin { origin in
            try await withHTTPClient(configuration: configuration) { client in
                try await body(origin, client)
            }
        }
    }

    private func get(
        _ client: HTTPClient,
        _ origin: ScriptedOrigin,
        _ path: String,
        _ headers: [HTTPHeader] = []
    ) async throws -> HTTPResponse {
        try await client.fetch(HTTPRequest(url: origin.url(path), headers: headers, allowPrivateNetworks: true))
    }

    /// Returns the headers of a conditional request for the validators of a response.
    private func validators(_ response: HTTPResponse) -> [HTTPHeader] {
        [("ETag", "If-None-Match"), ("Last-Modified", "If-Modified-Since")].compactMap { field, condition in
            response.headers[field].map { HTTPHeader(condition, $0) }
        }
    }

    @Test(arguments: [("/blog.xml", "application/rss+xml"), ("/news.atom", "application/atom+xml")])
    func aStoryIsToldToWhoeverSendsItsValidatorsBack(path: String, contentType: String) async throws {
        try await withOrigin { origin, client in
            let script = path == "/blog.xml" ? FeedScript.blog() : FeedScript.news()
            var known: [HTTPHeader] = []
            for step in 0..<14 {
                let response = try await get(client, origin, path, known)
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

    @Test func validatorsAreComparedByteForByte() async throws {
        try await withOrigin { origin, client in
            origin.serve("/a", body: "one")
            let first = try await get(client, origin, "/a")
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
                let response = try await get(client, origin, "/a", headers)
                #expect(response.status == status)
            }
            origin.serve("/a", body: "two")
            for header in validators(first) {
                let changed = try await get(client, origin, "/a", [header])
                #expect(changed.status == 200)
            }
        }
    }

    @Test func everyRequestOfAChangingPageFindsAPostOnTop() async throws {
        try await withOrigin { origin, client in
            origin.serveChanging("/c", itemCount: 5)
            let first = String(decoding: try await get(client, origin, "/c").body, as: UTF8.self)
            let second = String(decoding: try await get(client, origin, "/c").body, as: UTF8.self)
            #expect(first.contains("post-4<") && !first.contains("post-5<"))
            #expect(second.contains("post-5<") && !second.contains("post-0<"))
        }
    }

    @Test func aStatusIsAnsweredUntilItIsTakenBack() async throws {
        try await withOrigin { origin, client in
            origin.serve("/a", body: "x")
            origin.setStatus("/a", 429, headers: ["Retry-After": "7"])
            let refused = try await get(client, origin, "/a")
            #expect(refused.status == 429)
            #expect(refused.headers["retry-after"] == "7")
            origin.setStatus("/a", nil)
            let taken = try await get(client, origin, "/a")
            #expect(taken.status == 200)
            let missing = try await get(client, origin, "/nothing")
            #expect(missing.status == 404)
            #expect(origin.requests("/a").map(\.status) == [429, 200])
        }
    }

    @Test func aHeldAnswerWaitsForItsRelease() async throws {
        try await withOrigin { origin, client in
            origin.serve("/a", body: "before")
            origin.hold("/a")
            async let first = get(client, origin, "/a")
            async let second = get(client, origin, "/a", [HTTPHeader("X-Who", "me")])
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

    @Test func aDelayIsKept() async throws {
        try await withOrigin { origin, client in
            origin.serve("/a", body: "x")
            origin.setDelay("/a", .milliseconds(50))
            let start = ContinuousClock.now
            _ = try await get(client, origin, "/a")
            #expect(ContinuousClock.now - start >= .milliseconds(50))
        }
    }

    @Test func waitingForRequestsEndsWithItsDeadline() async throws {
        try await withOrigin { origin, _ in
            let arrived = await origin.waitForRequests("/a", count: 1, deadline: .milliseconds(10))
            #expect(!arrived)
        }
    }

    @Test func theEndOfTheOriginLetsEverybodyGo() async throws {
        let configuration = HTTPClientConfiguration(userAgent: "Tidings/test", proxy: .none)
        try await withHTTPClient(configuration: configuration) { client in
            let waiting = try await withDemoOrigin { origin in
                origin.hold("/a")
                let request = HTTPRequest(url: origin.url("/a"), allowPrivateNetworks: true)
                let waiting = Task { try await client.fetch(request).status }
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
        try await withOrigin { origin, client in
            origin.serve("/a", body: "x")
            let first = try await get(client, origin, "/a")
            _ = try await get(client, origin, "/a?query", validators(first))
            let answer = try await get(client, origin, "/requests")
            let counts = try JSONDecoder().decode([String: [String: Counts]].self, from: answer.body)
            #expect(counts == ["paths": ["/a": Counts(count: 2, maximumConcurrent: 1, notModified: 1)]])
        }
    }
}
