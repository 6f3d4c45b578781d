// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import AccessTokens
import Configuration
import Telemetry
import Testing
import WebServer

@testable import Gateway

@Suite struct AccessTests {
    private let access: Access

    init() {
        var settings = TidingsConfiguration.Gateway()
        settings.trustedProxies = ["10.0.0.0/8"]
        access = Access(settings: settings, tokens: TokenFile(), metrics: Metrics())
    }

    private func request(_ headers: [(String, String)], client: String = "10.0.0.1") -> WebRequest {
        WebRequest(method: "POST", path: "/", headers: headers.map { WebHeader($0.0, $0.1) }, client: client)
    }

    @Test(arguments: [
        ([("X-Forwarded-For", "192.0.2.1")], "192.0.2.1"),
        ([("X-Forwarded-For", "198.51.100.7, 192.0.2.1, 10.0.0.2")], "192.0.2.1"),
        ([("X-Forwarded-For", "192.0.2.1, ::ffff:10.0.0.2")], "192.0.2.1"),
        ([("X-Forwarded-For", "::FFFF:192.0.2.1")], "192.0.2.1"),
        ([("Forwarded", "for=\"[2001:DB8::1]\""), ("X-Forwarded-For", "2001:db8:0::1")], "2001:db8::1"),
        ([("Forwarded", "for=192.0.2.1;proto=https")], "192.0.2.1"),
        ([("Forwarded", "proto=https;for=\"[2001:db8::1]:4711\"")], "2001:db8::1"),
        ([("Forwarded", "for=192.0.2.1"), ("X-Forwarded-For", "192.0.2.1")], "192.0.2.1"),
    ])
    func theClientIsTheOneThatATrustedProxyReports(headers: [(String, String)], client: String) {
        #expect(access.client(of: request(headers)) == client)
        #expect(access.client(of: request(headers, client: "192.0.2.9")) == "192.0.2.9")
    }

    // A proxy that writes only one of the two headers passes the other one on as the client sent it.
    @Test(arguments: [
        [("Forwarded", "for=198.51.100.7"), ("X-Forwarded-For", "192.0.2.1")],
        [("X-Forwarded-For", "any text, of any length")], [("Forwarded", "for=unknown")],
        [("Forwarded", "for=_hidden")], [("Forwarded", "for=198.51.100.7, proto=https")],
        [("X-Forwarded-For", "192.0.2.0/24")], [("X-Forwarded-For", "10.0.0.2")], [("X-Forwarded-For", "")], [],
    ])
    func withoutACertainAddressTheClientIsTheProxy(headers: [(String, String)]) {
        #expect(access.client(of: request(headers)) == "10.0.0.1")
    }

    @Test func behindATrustedProxyThePagesOriginIsComparedWithTheForwardedHost() throws {
        let headers = [
            ("Host", "gateway:8080"), ("X-Forwarded-Host", "home.example"), ("Origin", "https://home.example"),
        ]
        try access.checkOrigin(request(headers))
        #expect(throws: Problem.self) { try access.checkOrigin(request(headers, client: "192.0.2.9")) }
        let other = [("Host", "gateway:8080"), ("Origin", "https://other.example")]
        #expect(throws: Problem.self) { try access.checkOrigin(request(other)) }
        try access.checkOrigin(request([("Host", "gateway:8080"), ("Origin", "http://gateway:8080")]))
    }
}
