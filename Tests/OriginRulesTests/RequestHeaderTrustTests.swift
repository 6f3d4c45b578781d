// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import OriginRules
import Testing
import WidgetSchema

@Suite struct RequestHeaderTrustTests {
    private let headers = [
        RequestHeader(name: "Authorization", value: "Bearer 1"), RequestHeader(name: "ACCEPT", value: "text/xml"),
    ]

    @Test(arguments: [
        ("https://a.example/feed", "https://a.example/feed"), ("https://a.example/feed", "https://A.example/new?x=1"),
        ("https://a.example", "https://a.example:443#top"), ("http://a.example/", "https://a.example/"),
        ("http://a.example:80/", "https://a.example:443/"), ("HTTP://a.example:8080/", "http://a.example:8080/x"),
        ("http://[::1]/", "http://[::1]:80/"),
    ])
    func theSameServerReceivesAllHeaders(_ configured: String, _ url: String) {
        #expect(headers.sendable(to: url, configuredFor: configured) == headers)
    }

    @Test(arguments: [
        ("https://a.example/", "http://a.example/"), ("https://a.example/", "https://b.example/"),
        ("https://a.example/", "https://a.example:8443/"), ("http://a.example:8080/", "https://a.example:8080/"),
        ("https://a.example/", "https://a.example@b.example/"), ("https://a.example/", "https://a.example.b.example/"),
        ("https://a.example/", "https://a.example\\@b.example/"), ("https://a.example/", "https://b.example/a.example"),
        ("https://a.example/", "https://a.example@a.example@b.example/"), ("https://a.example/", "https:///a.example"),
        ("https://a.example/", "https://b.example?https://a.example/"), ("https://a.example/", "ftp://a.example/"),
        ("https://a.example/", "https://b.example/\u{301}@a.example/"),
        ("https://k.example/", "https://\u{212a}.example/"),
        ("https://a.example/", ""), ("http://[::1]/", "http://[::1]:81/"), ("http://[::80]/", "http://[::]/"),
    ])
    func anotherServerReceivesNoSecret(_ configured: String, _ url: String) {
        #expect(headers.sendable(to: url, configuredFor: configured) == [headers[1]])
    }
}
