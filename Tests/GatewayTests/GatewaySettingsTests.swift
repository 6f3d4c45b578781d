// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import AccessTokens
import CommandOptions
import Configuration
import Telemetry
import Testing
import WebServer

@testable import Gateway

/// Tests of what a reload of the configuration changes in a running gateway.
@Suite struct GatewaySettingsTests {
    private static let table = OptionTable(command: "gateway", summary: "", options: GatewayService.options)

    private func settings(_ gateway: String, options: [String] = [], store: String = "./data") throws -> GatewaySettings
    {
        let configuration = try TidingsConfiguration.parse("store: \(store)\ngateway: {\(gateway)}\n")
        return try GatewaySettings(configuration, try Self.table.parse(options))
    }

    @Test(arguments: [
        ("listen: 0.0.0.0:8080", ["gateway.listen"]), ("basePath: /a", ["gateway.basePath"]),
        ("maximumConnections: 10", ["gateway.maximumConnections"]),
        ("connectionsPerClient: 3, listen: 127.0.0.1:1", ["gateway.listen", "gateway.connectionsPerClient"]),
        ("openReads: false, hosts: [a], allowedOrigins: ['https://b'], trustedProxies: [10.0.0.1], tokens: t.json", []),
        ("requestsPerMinute: 1, streamLifetime: 5s, heartbeat: 2s, accessLog: false, linkSchemes: [a]", []),
        ("frameAncestors: [self], addWidgets: true", []),
    ])
    func onlyWhatTheServerIsStartedWithWaits(_ change: String, _ keys: [String]) throws {
        let old = try settings("")
        let new = try settings(change)
        #expect(old.waitingKeys(for: new) == keys)
        // The keys wait until the restart, also after a second reload.
        #expect(old.reloaded(new).waitingKeys(for: new) == keys)
        #expect(old.reloaded(new).waitingKeys(for: old) == [])
        #expect(old.waitingKeys(for: try settings("", store: "./elsewhere")) == ["store"])
    }

    @Test func picturesOfBoardsAreStoredUnlessTheirSizeIsZero() throws {
        #expect(try settings("boardPictureMegabytes: 2").boardPictures?.maximumBytes == 2 << 20)
        #expect(try settings("boardPictureMegabytes: 0").boardPictures == nil)
    }

    // A gateway that all can reach would else open its reads because it is going to listen on loopback.
    @Test func readsDependOnTheAddressInUse() throws {
        let open = try settings("listen: 0.0.0.0:8080")
        #expect(!open.gateway.readsAreOpen)
        #expect(!open.reloaded(try settings("listen: 127.0.0.1:8080")).gateway.readsAreOpen)
        #expect(try settings("").reloaded(open).gateway.readsAreOpen)
    }

    @Test func optionsOfTheCommandLineOutliveAReload() throws {
        let options = ["--open-reads", "--host", "wall.example", "--trusted-proxy", "10.0.0.0/8"]
        let new = try settings("openReads: false, hosts: [a.example]", options: options)
        #expect(new.gateway.readsAreOpen)
        #expect(new.gateway.hosts == ["a.example", "wall.example"])
        #expect(new.gateway.trustedProxies == ["10.0.0.0/8"])
        #expect(throws: UsageError.self) { try settings("", options: ["--trusted-proxy", "proxy.example"]) }
        #expect(throws: UsageError.self) { try settings("", options: ["--host", "http://wall.example/a"]) }
    }

    @Test(arguments: [
        ("openReads: false", true), ("hosts: [a]", true), ("allowedOrigins: ['https://a.example']", true),
        ("trustedProxies: [10.0.0.1]", true), ("tokens: t.json", true), ("accessLog: false", false),
        ("requestsPerMinute: 5", false), ("frameAncestors: [self]", false),
    ])
    func streamsAreCheckedAgainIfAccessChanges(_ change: String, _ isAccess: Bool) throws {
        #expect(try settings("").changesAccess(to: try settings(change)) == isAccess)
    }

    @Test func newSettingsCountForTheNextRequest() throws {
        let access = Access(settings: try settings("").gateway, tokens: TokenFile(), metrics: Metrics())
        let request = WebRequest(
            method: "GET",
            path: "/",
            headers: [WebHeader("Host", "wall.example"), WebHeader("Origin", "https://a.example")],
            client: "192.0.2.1"
        )
        let caller = try access.caller(of: request)
        try access.check(caller, scope: .read, request: request, path: "/")
        #expect(throws: Problem.self) { try access.checkHost(request) }
        let headers = access.crossOriginHeaders(of: WebResponse(), to: request)
        #expect(headers == [WebHeader("Cross-Origin-Resource-Policy", "same-origin")])
        let new = "openReads: false, hosts: [Wall.example], allowedOrigins: ['https://a.example'], requestsPerMinute: 1"
        access.replace(settings: try settings(new).gateway)
        try access.checkHost(request)
        #expect(throws: Problem.self) { try access.check(caller, scope: .read, request: request, path: "/") }
        let newHeaders = access.crossOriginHeaders(of: WebResponse(), to: request)
        #expect(newHeaders.contains { $0.value == "https://a.example" })
        _ = try access.caller(of: request)
        #expect(throws: Problem.self) { try access.caller(of: request) }
    }

    @Test(arguments: [
        ("", [], "same-origin"), ("", [("token", "tdg_x")], "cross-origin"),
        ("frameAncestors: [self]", [], "same-origin"),
        ("frameAncestors: [self, 'https://a.example']", [], "cross-origin"),
    ])
    func pagesOfOtherSitesEmbedPicturesWithATokenOrIfTheyAreListed(
        _ text: String,
        _ query: [(name: String, value: String)],
        _ expected: String
    ) throws {
        let access = Access(settings: try settings(text).gateway, tokens: TokenFile(), metrics: Metrics())
        let request = WebRequest(method: "GET", path: "/widgets/a/b.png", query: query)
        func policy(_ contentType: String) -> [WebHeader] {
            let response = WebResponse(headers: [WebHeader("Content-Type", contentType)])
            return access.crossOriginHeaders(of: response, to: request)
        }
        for type in ["image/png", "image/svg+xml"] {
            #expect(policy(type) == [WebHeader("Cross-Origin-Resource-Policy", expected)])
        }
        for type in ["application/json", "application/problem+json", "text/html; charset=utf-8"] {
            #expect(policy(type) == [WebHeader("Cross-Origin-Resource-Policy", "same-origin")])
        }
    }

    @Test func thePagesNameTheSitesThatMayEmbedThem() throws {
        let closed = PageRoutes.contentSecurityPolicy(frameAncestors: [])
        #expect(closed.contains("; frame-ancestors 'none'; "))
        let open = try settings("frameAncestors: [self, 'https://a.example']").gateway.frameAncestors
        let policy = PageRoutes.contentSecurityPolicy(frameAncestors: open)
        #expect(policy.contains("; frame-ancestors 'self' https://a.example; "))
    }
}
