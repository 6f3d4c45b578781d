// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import AccessTokens
import Foundation
import HTTPTransport
import TestSupport
import Testing

/// Tests of a gateway whose configuration changes while it runs, and of pushes to it.
@Suite(.timeLimit(.minutes(2))) struct GatewayReloadTests {
    @Test func accessChangesAtOnceAndWhatWaitsIsNamedUntilTheRestart() async throws {
        try await RunningSystem.with(["inbox": "{kind: feed, source: push}"]) { system in
            let token = try system.createToken(.admin)
            let file = system.file("tidings.yml")
            let text = try String(contentsOf: file, encoding: .utf8)
            func configure(_ gateway: String) throws {
                try Data("gateway: {\(gateway)}\n\(text)".utf8).write(to: file, options: .atomic)
            }
            try configure("listen: 127.0.0.1:0, openReads: true")
            let port = try await system.startGateway(environment: ["TIDINGS_GATEWAY": ""])
            #expect(try await get(port, "/v1/widgets").status == 200)
            let page = try await get(port, "/")
            #expect(page.headers["content-security-policy"]?.contains("frame-ancestors 'none'") == true)
            let events = try RawClient(port: port)
            events.send("GET /v1/events HTTP/1.0\r\n\r\n")
            _ = try events.read(until: "event: start\n")

            try configure("listen: 127.0.0.1:1, openReads: false, frameAncestors: [self]")
            try await system.wait(for: "need a restart", inLogOf: "gateway")
            #expect(try await get(port, "/v1/widgets").status == 401)
            let framed = try await get(port, "/")
            #expect(framed.headers["content-security-policy"]?.contains("frame-ancestors 'self'") == true)
            // The open stream has ended, so its reader needs a token, too.
            _ = try events.readToEnd()
            try await system.until("the key that waits, in the gateway's health") {
                let health = try await get(port, "/v1/health", headers: ["Authorization": "Bearer \(token.text)"])
                return String(decoding: health.body, as: UTF8.self).contains("gateway.listen")
            }

            try configure("openReads: maybe")
            try await system.wait(for: "the previous one stays in use", inLogOf: "gateway")
            #expect(try await get(port, "/v1/widgets").status == 401)

            try configure("listen: 127.0.0.1:0, openReads: true")
            try await system.wait(for: "Reloaded the configuration.", inLogOf: "gateway")
            #expect(try await get(port, "/v1/widgets").status == 200)
        }
    }

    @Test func aPushOverHTTPNamesPlacesAndWhatWasNotUsed() async throws {
        try await RunningSystem.with(["wisdom": "{kind: quote, source: push}", "inbox": "{kind: feed, source: push}"]) {
            system in
            let token = try system.createToken(.push)
            let port = try await system.startGateway()
            func push(_ body: String, to widget: String) async throws -> HTTPResponse {
                let headers = ["Authorization": "Bearer \(token.text)"]
                return try await get(port, "/v1/widgets/\(widget)/content", method: "PUT", headers: headers, body: body)
            }
            let bad = try await push(#"{"quotes": [{"texd": "A"}]}"#, to: "wisdom")
            #expect(bad.status == 422)
            let detail = try #require(try json(bad)["detail"] as? String)
            #expect(detail.hasPrefix("1:13: /quotes/0: "), "\(detail)")
            #expect(detail.hasSuffix("; did you mean 'text' instead of 'texd'?"), "\(detail)")
            let good = try await push(#"{"text": "A", "personId": 3}"#, to: "wisdom")
            #expect(good.status == 200)
            #expect(try json(good)["note"] as? String == "'personId' was not used")
            let own = try await push(#"[{"titel": "A"}]"#, to: "inbox")
            #expect(try json(own)["detail"] as? String == "1:3: items[0].titel: unknown; did you mean 'title'?")
            let items = try await push(#"[{"title": "A"}]"#, to: "inbox")
            #expect(items.status == 200)
            #expect(try json(items)["note"] == nil)
        }
    }
}
