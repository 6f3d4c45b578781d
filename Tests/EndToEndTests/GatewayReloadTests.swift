// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import AccessTokens
import Foundation
import HTTPTransport
import TestSupport
import Testing

/// Tests of a gateway whose configuration changes while it runs, and of pushes to it.
@Suite(.timeLimit(.minutes(2))) struct GatewayReloadTests {
    private func fetch(
        _ port: Int,
        _ path: String,
        token: AccessToken? = nil,
        put body: String? = nil
    ) async throws -> HTTPResponse {
        try await withHTTPClient(configuration: HTTPClientConfiguration(userAgent: "test", proxy: .none)) { client in
            let headers = token.map { [HTTPHeader("Authorization", "Bearer \($0.text)")] } ?? []
            let url = "http://127.0.0.1:\(port)\(path)"
            var request = HTTPRequest(url: url, headers: headers, allowPrivateNetworks: true)
            if let body { (request.method, request.body) = ("PUT", Data(body.utf8)) }
            return try await client.fetch(request)
        }
    }

    private func object(_ response: HTTPResponse) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: response.body) as? [String: Any])
    }

    private func createToken(_ system: RunningSystem, _ scopes: [AccessScope]) throws -> AccessToken {
        let token = AccessToken()
        let record = TokenRecord(token: token, name: "test", scopes: scopes, created: "")
        try TokenFile(tokens: [record]).save(system.file("data/gateway-tokens.json").path())
        return token
    }

    @Test func accessChangesAtOnceAndWhatWaitsIsNamedUntilTheRestart() async throws {
        try await RunningSystem.with(["inbox": "{kind: feed, source: push}"]) { system in
            let token = try createToken(system, [.admin])
            let file = system.file("tidings.yml")
            let text = try String(contentsOf: file, encoding: .utf8)
            func configure(_ gateway: String) throws {
                try Data("gateway: {\(gateway)}\n\(text)".utf8).write(to: file, options: .atomic)
            }
            try configure("listen: 127.0.0.1:0, openReads: true")
            let port = try await system.startGateway(environment: ["TIDINGS_GATEWAY": ""])
            #expect(try await fetch(port, "/v1/widgets").status == 200)
            let page = try await fetch(port, "/")
            #expect(page.headers["content-security-policy"]?.contains("frame-ancestors 'none'") == true)
            let events = try RawClient(port: port)
            events.send("GET /v1/events HTTP/1.0\r\n\r\n")
            _ = try events.read(until: "event: start\n")

            try configure("listen: 127.0.0.1:1, openReads: false, frameAncestors: [self]")
            try await system.wait(for: "need a restart", inLogOf: "gateway")
            #expect(try await fetch(port, "/v1/widgets").status == 401)
            let framed = try await fetch(port, "/")
            #expect(framed.headers["content-security-policy"]?.contains("frame-ancestors 'self'") == true)
            // The open stream has ended, so its reader needs a token, too.
            _ = try events.readToEnd()
            let waiting = try await fetch(port, "/v1/health", token: token)
            #expect(String(decoding: waiting.body, as: UTF8.self).contains("gateway.listen"))

            try configure("openReads: maybe")
            try await system.wait(for: "the previous one stays in use", inLogOf: "gateway")
            #expect(try await fetch(port, "/v1/widgets").status == 401)

            try configure("listen: 127.0.0.1:0, openReads: true")
            try await system.wait(for: "Reloaded the configuration.", inLogOf: "gateway")
            #expect(try await fetch(port, "/v1/widgets").status == 200)
        }
    }

    @Test func aPushOverHTTPNamesPlacesAndWhatWasNotUsed() async throws {
        try await RunningSystem.with(["wisdom": "{kind: quote, source: push}", "inbox": "{kind: feed, source: push}"]) {
            system in
            let token = try createToken(system, [.push])
            let port = try await system.startGateway()
            let wisdom = "/v1/widgets/wisdom/content"
            let bad = try await fetch(port, wisdom, token: token, put: #"{"quotes": [{"texd": "A"}]}"#)
            #expect(bad.status == 422)
            let detail = try #require(try object(bad)["detail"] as? String)
            #expect(detail.hasPrefix("1:13: /quotes/0: "), "\(detail)")
            #expect(detail.hasSuffix("; did you mean 'text' instead of 'texd'?"), "\(detail)")
            let good = try await fetch(port, wisdom, token: token, put: #"{"text": "A", "personId": 3}"#)
            #expect(good.status == 200)
            #expect(try object(good)["note"] as? String == "'personId' was not used")
            let own = try await fetch(port, "/v1/widgets/inbox/content", token: token, put: #"[{"titel": "A"}]"#)
            #expect(try object(own)["detail"] as? String == "1:3: items[0].titel: unknown; did you mean 'title'?")
            let items = try await fetch(port, "/v1/widgets/inbox/content", token: token, put: #"[{"title": "A"}]"#)
            #expect(items.status == 200)
            #expect(try object(items)["note"] == nil)
        }
    }
}
