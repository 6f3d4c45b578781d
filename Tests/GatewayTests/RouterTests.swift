// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import AccessTokens
import Configuration
import Foundation
import Telemetry
import TestSupport
import Testing
import WebServer

@testable import Gateway

@Suite struct RouterTests {
    private let metrics = Metrics()
    private let memory = InMemoryLog()

    private func access(_ records: TokenRecord...) -> Access {
        var settings = TidingsConfiguration.Gateway()
        settings.openReads = true
        settings.trustedProxies = ["10.0.0.0/8"]
        return Access(settings: settings, tokens: TokenFile(tokens: records), metrics: metrics)
    }

    private func router(_ routes: [Route], _ access: Access) -> Router {
        let log = AccessLog(isOn: true, log: Logger(label: "test", handler: memory), metrics: metrics)
        return Router(routes, access: access, metrics: metrics, log: log)
    }

    private func head(_ method: String, _ path: String, _ headers: [(String, String)] = []) -> WebRequest {
        let all = [("Host", "localhost")] + headers
        return WebRequest(method: method, path: path, headers: all.map { WebHeader($0.0, $0.1) }, client: "10.0.0.1")
    }

    private func push() -> Route {
        Route(
            path: "/content",
            method: .put,
            scope: .push,
            id: "put",
            summary: "",
            body: ("application/json", "Content"),
            responses: [],
            handle: { _ in .now(WebResponse(text: "pushed\n")) }
        )
    }

    @Test(arguments: [
        ("GET", "/healthz", 0), ("GET", "/readyz", 0), ("GET", "/", 0), ("GET", "/v1/session", 0),
        ("GET", "/v1/widgets", 0),
        ("HEAD", "/page/icon.svg", 0), ("OPTIONS", "/healthz", 0), ("POST", "/v1/session", 4096),
    ])
    func withoutATokenNoBodyOfMoreThanASignInIsKept(method: String, path: String, maximum: Int) throws {
        let world = try PictureWorld(seed: 1, gateways: 1)
        let router = router(RouteTable.routes(try #require(world.hosts.first).gateway), access())
        guard case .accepted(_, let bytes, _) = router.admit(head(method, path)) else {
            Issue.record("\(method) \(path) is refused")
            return
        }
        #expect(bytes == maximum)
    }

    @Test func aPanelWithItsKeyIsAnsweredUnderAnyHostAndAboveTheLimit() throws {
        var settings = TidingsConfiguration.Gateway()
        settings.openReads = true
        settings.requestsPerMinute = 1
        let access = Access(settings: settings, tokens: TokenFile(), metrics: metrics)
        let routes = ["/api/display", "/v1/widgets"].map { path in
            Route(path: path, scope: nil, id: path, summary: "", responses: [], handle: { _ in .now(WebResponse()) })
        }
        let router = Router(
            routes,
            access: access,
            isKnownPanel: { $0.header("Access-Token") == "key" },
            metrics: metrics,
            log: AccessLog(isOn: false, log: .discarded, metrics: metrics)
        )
        func status(_ path: String, host: String, key: String) -> Int? {
            let headers = [WebHeader("Host", host), WebHeader("Access-Token", key)]
            switch router.admit(WebRequest(method: "GET", path: path, headers: headers, client: "192.0.2.7")) {
            case .accepted: return nil
            case .refused(let response): return response.status
            }
        }
        for _ in 0..<10 { #expect(status("/api/display", host: "old.example", key: "key") == nil) }
        #expect(status("/api/display", host: "old.example", key: "other") == 421)
        #expect(status("/v1/widgets", host: "old.example", key: "key") == 421)
        #expect(status("/api/display", host: "127.0.0.1", key: "other") == nil)
        #expect(status("/api/display", host: "127.0.0.1", key: "other") == 429)
        #expect(status("/api/display", host: "127.0.0.1", key: "key") == nil)
    }

    @Test func theBodiesOfAClientCountForItAndNotForItsProxy() throws {
        let token = AccessToken()
        let record = TokenRecord(token: token, name: "a", scopes: [.push], created: "")
        let headers = [("Authorization", "Bearer \(token.text)"), ("X-Forwarded-For", "192.0.2.7")]
        let admission = router([push()], access(record)).admit(head("PUT", "/content", headers))
        guard case .accepted(let client, let bytes, _) = admission else {
            Issue.record("refused")
            return
        }
        #expect(client == "192.0.2.7")
        #expect(bytes == nil)
    }

    @Test func aPageOfAnotherSiteIsRefusedBeforeItsBodyAlsoIfItSignsIn() throws {
        let world = try PictureWorld(seed: 1, gateways: 1)
        let router = router(RouteTable.routes(try #require(world.hosts.first).gateway), access())
        let foreign = [("Origin", "http://localhost:8081"), ("Content-Length", "20")]
        guard case .refused(let response) = router.admit(head("POST", "/v1/session", foreign)) else {
            Issue.record("accepted")
            return
        }
        #expect(response.status == 403)
    }

    @Test(arguments: [true, false])
    func aTokenThatIsRevokedWhileTheBodyArrivesDoesNothing(isRevoked: Bool) throws {
        let token = AccessToken()
        let access = access(TokenRecord(token: token, name: "a", scopes: [.push], created: ""))
        var request = head("PUT", "/content", [("Authorization", "Bearer \(token.text)"), ("Content-Length", "1")])
        guard case .accepted(_, _, let respond) = router([push()], access).admit(request) else {
            Issue.record("refused")
            return
        }
        if isRevoked { access.replace(tokens: TokenFile()) }
        request.body = Data("x".utf8)
        guard case .now(let response) = respond(request) else {
            Issue.record("no response")
            return
        }
        #expect(response.status == (isRevoked ? 401 : 200))
    }

    @Test(arguments: [
        (WebRefusal.malformed("x"), 400), (.bodyTooLarge(maximum: 0), 413), (.tooManyParameters, 414),
        (.tooManyBodiesOfClient, 429), (.unsupportedCoding, 501), (.tooManyBodies, 503), (.stopping, 503),
    ])
    func aRefusalOfTheWebServerIsAnAnswerLikeAllOthers(refusal: WebRefusal, status: Int) throws {
        let response = router([], access()).refuse(head("GET", "/healthz"), refusal)
        #expect(response.status == status)
        let headers = Dictionary(response.headers.map { ($0.name, $0.value) }) { first, _ in first }
        #expect(headers["Content-Type"] == "application/problem+json")
        #expect(headers["X-Content-Type-Options"] == "nosniff")
        #expect(headers["Content-Security-Policy"]?.hasPrefix("default-src 'none'") == true)
        #expect(headers["Cross-Origin-Resource-Policy"] == "same-origin")
        #expect(metrics.counter("gateway.requests.\(status)").value == 1)
        #expect(memory.entries.last?[.status] == "\(status)")
    }

    @Test func theDescriptionHasTheRefusalsOfTheWebServerForEachOperation() throws {
        let world = try PictureWorld(seed: 1, gateways: 1)
        let routes = RouteTable.routes(try #require(world.hosts.first).gateway)
        let document = OpenAPIDocument.json(routes, basePath: "")
        let object = try #require(try JSONSerialization.jsonObject(with: document) as? [String: Any])
        let paths = try #require(object["paths"] as? [String: [String: [String: Any]]])
        for (path, operations) in paths {
            for (method, operation) in operations {
                let responses = try #require(operation["responses"] as? [String: Any])
                for status in ["400", "413", "414", "429", "431", "501", "503"] {
                    #expect(responses[status] != nil, "\(method) \(path) \(status)")
                }
            }
        }
    }
}
