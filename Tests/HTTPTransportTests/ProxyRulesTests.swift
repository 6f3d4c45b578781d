// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Testing

@testable import HTTPTransport

@Suite struct ProxyRulesTests {
    private let environment = [
        "http_proxy": "http://proxy.example:3128",
        "HTTPS_PROXY": "http://secure.example:3128",
        "NO_PROXY": "internal.example, .suffix.example,10.0.0.0/8,192.0.2.7",
    ]

    @Test(arguments: [
        ("http://a.example/", "http://proxy.example:3128"),
        ("https://a.example/", "http://secure.example:3128"),
        ("http://internal.example/", nil),
        ("http://deep.internal.example/", nil),
        ("http://notinternal.example/", "http://proxy.example:3128"),
        ("http://x.suffix.example/", nil),
        ("http://10.1.2.3/", nil),
        ("http://11.1.2.3/", "http://proxy.example:3128"),
        ("http://192.0.2.7/", nil),
        ("http://localhost:8080/", nil),
        ("http://127.0.0.1:8080/", nil),
        ("http://[::1]/", nil),
    ])
    func theEnvironmentChoosesTheProxy(url: String, expected: String?) throws {
        let rules = ProxyRules(.environment, environment: environment)
        #expect(try rules.proxy(for: WebAddress(url)) == expected)
    }

    @Test func aStarTurnsEveryProxyOff() throws {
        let rules = ProxyRules(.environment, environment: ["all_proxy": "http://p.example", "no_proxy": "*"])
        #expect(try rules.proxy(for: WebAddress("https://a.example/")) == nil)
    }

    @Test func capitalsAreNoHTTPProxy() throws {
        let rules = ProxyRules(.environment, environment: ["HTTP_PROXY": "http://p.example"])
        #expect(try rules.proxy(for: WebAddress("http://a.example/")) == nil)
    }
}
