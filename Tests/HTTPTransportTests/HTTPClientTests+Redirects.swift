// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Locking
import Testing
import WebServer
import WidgetSchema

@testable import HTTPTransport

extension HTTPClientTests {
    // MARK: Redirects

    @Test func redirectsAreFollowedAndRecorded() async throws {
        try await withServer { request in
            switch request.path {
            case "/a": WebResponse(status: 301, headers: [WebHeader("Location", "/b")])
            case "/b": WebResponse(status: 302, headers: [WebHeader("Location", "c?x=1")])
            default: WebResponse(text: request.query("x") ?? "")
            }
        } _: { client, port in
            let response = try await client.fetch(local(port, "/a"))
            let base = "http://127.0.0.1:\(port)"
            #expect(response.body == Data("1".utf8))
            #expect(response.finalURL == base + "/c?x=1")
            #expect(
                response.hops == [
                    RedirectHop(from: base + "/a", status: 301, to: base + "/b"),
                    RedirectHop(from: base + "/b", status: 302, to: base + "/c?x=1"),
                ]
            )
        }
    }

    @Test func aRedirectLoopEnds() async throws {
        let requests = Lock(0)
        try await withServer { _ in
            requests.withLock { $0 += 1 }
            return WebResponse(status: 302, headers: [WebHeader("Location", "/")])
        } _: { client, port in
            #expect(await failure(client, local(port))?.kind == .tooManyRedirects)
        }
        #expect(requests.withLock { $0 } == 6)
    }

    @Test(arguments: ["file:///etc/passwd", "ftp://127.0.0.1/", "gopher://127.0.0.1:70/x"])
    func aRedirectToAnotherSchemeIsRefused(location: String) async throws {
        try await withServer(WebResponse(status: 302, headers: [WebHeader("Location", location)])) { client, port in
            #expect(await failure(client, local(port))?.kind == .refusedScheme)
        }
    }

    @Test func secretsAreNotShownToAnotherHost() async throws {
        let handler: HTTPServer.Handler = { request in
            WebResponse(
                text: ["Authorization", "X-Key", "Cookie", "If-None-Match"].map { request.header($0) ?? "-" }.joined()
            )
        }
        try await withWebServer(try HTTPServer(handler: handler)) { other in
            try await withServer { request in
                let target = request.path == "/same" ? "/end" : "http://127.0.0.1:\(other.port)/"
                guard request.path != "/end" else { return await handler(request) }
                return WebResponse(status: 307, headers: [WebHeader("Location", target)])
            } _: { client, port in
                var request = local(port, "/other")
                request.headers = [
                    HTTPHeader("Authorization", "a"), HTTPHeader("X-Key", "k"), HTTPHeader("Cookie", "c"),
                    HTTPHeader("If-None-Match", "e"),
                ]
                let elsewhere = try await client.fetch(request)
                #expect(elsewhere.body == Data("---e".utf8))
                request.url = local(port, "/same").url
                let stayed = try await client.fetch(request)
                #expect(stayed.body == Data("akce".utf8))
            }
        }
    }

    @Test func seeOtherTurnsAPostIntoAGet() async throws {
        try await withServer { request in
            guard request.path == "/end" else {
                return WebResponse(status: 303, headers: [WebHeader("Location", "/end")])
            }
            return WebResponse(text: "\(request.method) \(request.body.count)")
        } _: { client, port in
            var request = local(port)
            request.method = "POST"
            request.body = Data("abc".utf8)
            let answer = try await client.fetch(request)
            #expect(answer.body == Data("GET 0".utf8))
        }
    }

    // MARK: The address guard

    @Test(arguments: ["127.0.0.1", "localhost", "127.1", "2130706433", "[::1]", "[::ffff:127.0.0.1]"])
    func thisMachineIsNotReachedUnlessAllowed(host: String) async throws {
        let requests = Lock(0)
        try await withServer { _ in
            requests.withLock { $0 += 1 }
            return WebResponse()
        } _: { client, port in
            let failure = await failure(client, HTTPRequest(url: "http://\(host):\(port)/"))
            #expect(failure?.kind == .refusedAddress)
            #expect(failure?.message.contains("not public") == true)
        }
        #expect(requests.withLock { $0 } == 0)
    }

    @Test func anOpenConnectionOfAnAllowedRequestDoesNotServeAGuardedOne() async throws {
        try await withServer(WebResponse()) { client, port in
            var request = local(port)
            let answer = try await client.fetch(request)
            #expect(answer.status == 200)
            request.allowPrivateNetworks = false
            #expect(await failure(client, request)?.kind == .refusedAddress)
        }
    }

    @Test func aNameIsCheckedByTheAddressesThatItHasWhenItIsConnectedTo() async throws {
        let started = try HTTPServer { _ in WebResponse() }
        try await withWebServer(started) { server in
            let names = ["rebound.test:\(server.port):192.0.2.1,127.0.0.1,::1"]
            let configuration = HTTPClientConfiguration(userAgent: "t", proxy: .none, knownNames: names)
            try await withHTTPClient(configuration: configuration) { client in
                var request = HTTPRequest(url: "http://rebound.test:\(server.port)/")
                #expect(await failure(client, request)?.kind == .refusedAddress)
                // The name is as private for whoever may go there, but for the address that nobody has.
                request.allowPrivateNetworks = true
                let response = try await client.fetch(request)
                #expect(response.status == 200)
                request.allowPrivateNetworks = false
                #expect(await failure(client, request)?.kind == .refusedAddress)
            }
        }
    }

    @Test func anAddressThatIsAllowedByNameIsAskedWithoutAllPrivateNetworks() async throws {
        let started = try HTTPServer { _ in WebResponse() }
        try await withWebServer(started) { server in
            let loopback = try #require(IPAddress("127.0.0.1"))
            let configuration = HTTPClientConfiguration(userAgent: "t", proxy: .none, allowedAddresses: [loopback])
            try await withHTTPClient(configuration: configuration) { client in
                let answer = try await client.fetch(HTTPRequest(url: "http://127.0.0.1:\(server.port)/"))
                #expect(answer.status == 200)
                let other = HTTPRequest(url: "http://127.0.0.2:\(server.port)/")
                #expect(await failure(client, other)?.kind == .refusedAddress)
            }
        }
    }

    @Test func aRedirectToTheMetadataOfACloudIsRefusedAlsoWherePrivateNetworksAreAllowed() async throws {
        let response = WebResponse(
            status: 302,
            headers: [WebHeader("Location", "http://169.254.169.254/latest/meta-data/")]
        )
        try await withServer(response) { client, port in
            #expect(await failure(client, local(port))?.kind == .refusedAddress)
        }
    }

    @Test func aHeaderIsPrintedWithoutItsValue() {
        let header = HTTPHeader("Authorization", "Bearer 1234")
        var dumped = ""
        dump(HTTPRequest(url: "http://127.0.0.1/", headers: [header]), to: &dumped)
        #expect(!"\(header) \(header.self) \([header])\(dumped)\(String(reflecting: header))".contains("1234"))
    }

    @Test func behindAProxyANumericPrivateAddressIsRefused() async throws {
        let started = try HTTPServer { request in WebResponse(text: "through the proxy") }
        try await withWebServer(started) { proxy in
            let configuration = HTTPClientConfiguration(userAgent: "t", proxy: .url("http://127.0.0.1:\(proxy.port)"))
            try await withHTTPClient(configuration: configuration) { client in
                // The proxy's own address is configured, so it may be private; it finds the name for us.
                let response = try await client.fetch(HTTPRequest(url: "http://name.invalid/"))
                #expect(response.body == Data("through the proxy".utf8))
                let failure = await failure(client, HTTPRequest(url: "http://169.254.169.254/"))
                #expect(failure?.kind == .refusedAddress)
            }
        }
    }
}
