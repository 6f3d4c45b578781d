// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import AccessTokens
import Foundation
import HTTPTransport
import TestSupport
import Testing

/// Browsers that sign in.
extension GatewaySystemTests {
    @Test func aSessionCookieReadsAndDoesNothingElse() async throws {
        try await RunningSystem.with(["inbox": "{kind: feed, source: push}"]) { system in
            let token = AccessToken()
            let tokens = system.file("data/gateway-tokens.json").path()
            let record = TokenRecord(token: token, name: "test", scopes: [.act, .push, .admin], created: "")
            try TokenFile(tokens: [record]).save(tokens)
            try system.editConfiguration { "gateway: {openReads: false}\n\($0)" }
            let port = try await system.startGateway()
            let other = try await system.startGateway(as: "gateway-2")

            let body = #"{"token": "\#(token.text)"}"#
            let signedIn = try await get(port, "/v1/session", method: "POST", body: body)
            #expect(signedIn.status == 204)
            #expect(signedIn.headers["cache-control"] == "no-store")
            let set = try #require(signedIn.headers["set-cookie"])
            #expect(set.hasPrefix("tidings-session-\(port)=1.\(record.id).") && !set.contains(token.text))
            let value = set.prefix { $0 != ";" }
            let cookie = ["Cookie": String(value)]
            let authorization = ["Authorization": "Bearer \(token.text)"]

            #expect(try await get(port, "/v1/widgets").status == 401)
            for path in ["/v1/widgets", "/v1/health", "/widgets/inbox/phone-classic.png", "/metrics"] {
                let answer = try await get(port, path, headers: cookie)
                #expect(answer.status == 200, "\(path)")
                #expect(answer.headers["set-cookie"] == nil, "\(path)")
            }
            // Every gateway with the same tokens knows the session; the name has the port of the address.
            let elsewhere = ["Cookie": "tidings-session-\(other)\(value.drop { $0 != "=" })"]
            #expect(try await get(other, "/v1/widgets", headers: elsewhere).status == 200)

            let writes = [
                ("POST", "/v1/widgets/inbox/performUpdate", "", 200),
                ("POST", "/v1/widgets/inbox/commands", #"{"name": "refresh"}"#, 200),
                ("PUT", "/v1/widgets/inbox/content", rss("Hello"), 200),
                ("GET", "/v1/configuration", "", 200), ("POST", "/v1/inspect", #"{"url": "nothing"}"#, 422),
                ("POST", "/v1/widgets", #"{"id": "", "entry": ""}"#, 400),
            ]
            for (method, path, body, status) in writes {
                let content = method == "GET" ? nil : body
                let refused = try await get(port, path, method: method, headers: cookie, body: content)
                #expect(refused.status == 401, "\(path)")
                #expect(try (json(refused)["detail"] as? String)?.contains("reading only") == true, "\(path)")
                let allowed = try await get(port, path, method: method, headers: authorization, body: content)
                #expect(allowed.status == status, "\(path)")
            }

            let session = try await get(port, "/v1/session", headers: cookie)
            #expect(try json(session)["scopes"] as? [String] == ["read"])
            #expect(session.headers["set-cookie"] == nil)
            let former = try await get(port, "/v1/session", headers: ["Cookie": "tidings-token=\(token.text)"])
            #expect(try json(former)["scopes"] as? [String] == [])
            #expect(former.headers["set-cookie"]?.hasPrefix("tidings-token=; ") == true)
            let foreign = cookie.merging(["Origin": "http://127.0.0.1:\(other)"]) { $1 }
            #expect(try await get(port, "/v1/session", method: "POST", headers: foreign, body: body).status == 403)
            #expect(try await get(port, "/v1/widgets", headers: foreign).headers["access-control-allow-origin"] == nil)
            let signedOut = try await get(port, "/v1/session", method: "POST", body: #"{"token": ""}"#)
            #expect(signedOut.headers["set-cookie"]?.hasPrefix("tidings-session-\(port)=; Path=/; Max-Age=0;") == true)

            try TokenFile().save(tokens)
            let revoked = ContinuousClock.now + .seconds(1)
            while try await get(port, "/v1/widgets", headers: cookie).status != 401 {
                guard ContinuousClock.now < revoked else { throw DidNotArrive("the revocation within a second") }
            }
        }
    }
}
