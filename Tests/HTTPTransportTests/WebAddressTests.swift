// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Testing

@testable import HTTPTransport

@Suite struct WebAddressTests {
    @Test(arguments: [
        ("/b", "http://example.com:8080/b"),
        ("b", "http://example.com:8080/a/b"),
        ("//other.example/x", "http://other.example/x"),
        ("https://other.example", "https://other.example/"),
        ("?q=1", "http://example.com:8080/a/feed?q=1"),
        ("with space", "http://example.com:8080/a/with%20space"),
    ])
    func aLocationIsResolvedAgainstWhereItCameFrom(location: String, expected: String) throws {
        let base = try WebAddress("http://example.com:8080/a/feed")
        #expect(try base.resolving(location).text == expected)
    }

    @Test(arguments: ["file:///etc/passwd", "ftp://example.com/", "gopher://example.com/", "javascript:alert(1)"])
    func aSchemeThatIsNotTheWebsIsRefused(text: String) throws {
        #expect(throws: WebAddress.Problem.self) { try WebAddress(text) }
        let base = try WebAddress("http://example.com/")
        #expect(throws: WebAddress.Problem.self) { try base.resolving(text) }
    }

    @Test(arguments: ["", "example.com", "http://", "http://exa mple.com/", "http://a:99999/", "http://a/\u{0}b"])
    func whatIsNoURLIsRefused(text: String) {
        #expect(throws: WebAddress.Problem.self) { try WebAddress(text) }
    }

    @Test func anIPv4AddressInAnotherSpellingIsReadAsWhatItIs() throws {
        for text in ["http://2130706433/", "http://0x7f.1/", "http://127.1/", "http://0177.0.0.1/"] {
            #expect(try WebAddress(text).host == "127.0.0.1")
        }
        #expect(try WebAddress("http://[::1]:80/").host == "::1")
    }

    @Test func logsSeeNoPassword() throws {
        #expect(try WebAddress("https://me:secret@example.com/a").redacted == "https://example.com/a")
    }

    @Test(arguments: [
        ("http://a.example/", "http://a.example/other", true),
        ("http://a.example/", "https://a.example/", true),
        ("https://a.example/", "http://a.example/", false),
        ("https://a.example/", "https://b.example/", false),
        ("https://a.example/", "https://a.example:8443/", false),
    ])
    func secretsStayWithTheirHost(from: String, to: String, expected: Bool) throws {
        #expect(try WebAddress(from).trustsWithSecrets(WebAddress(to)) == expected)
    }
}
