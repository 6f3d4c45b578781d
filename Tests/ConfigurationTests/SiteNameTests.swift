// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Testing

@testable import Configuration

/// Tests of the names of hosts and sites that the gateway serves.
@Suite struct SiteNameTests {
    @Test(arguments: [
        ("self", "'self'"), ("'self'", "'self'"), ("*", "*"), ("https://Home.example", "https://home.example"),
        ("http://192.0.2.1:8123", "http://192.0.2.1:8123"), ("https://*.home.example:*", "https://*.home.example:*"),
    ])
    func aSiteThatMayEmbedThePagesIsWrittenAsTheHeaderWantsIt(_ text: String, _ expression: String) throws {
        #expect(try FrameAncestor(text).expression == expression)
    }

    @Test(arguments: [
        "", "none", "home.example", "https://", "https://a.example/path", "https://a.example/", "ftp://a.example",
        "https://a.example:0", "https://a.example:99999", "https://a.example; script-src *", "https://a b.example",
        "https://[::1]", "https://*", "https://a..example", "https://a.example:+1",
    ])
    func whatIsNoSiteIsAnError(_ text: String) {
        #expect(throws: FrameAncestor.Problem.self) { try FrameAncestor(text) }
    }

    @Test(arguments: [
        ("hosts", "home.example/a"), ("hosts", "ftp://home.example"), ("hosts", "' '"), ("hosts", "a..b"),
        ("hosts", "'home.example:x'"), ("hosts", "'::1/64'"),
        ("allowedOrigins", "home.example"), ("allowedOrigins", "'https://home.example/'"),
        ("allowedOrigins", "'https://home.example:443'"), ("allowedOrigins", "'https://Home.example'"),
        ("trustedProxies", "10.0.0.0/33"), ("trustedProxies", "proxy.example"), ("trustedProxies", "'::1/129'"),
    ])
    func aNameThatNoRequestCanHaveIsAnErrorWithItsPlace(key: String, name: String) {
        let text = "gateway:\n  \(key): [\(name)]\n"
        let found = errors(text)
        #expect(found.first?.hasPrefix("2:\(key.count + 6): '") == true, "\(found)")
    }

    @Test func namesThatRequestsCanHaveAreKept() throws {
        let text = """
            gateway:
              hosts: [Home.example, my_host, 192.0.2.1, '::1', '*', 'a.example:80', 'https://[::1]:443', b.example.]
              allowedOrigins: ['https://home.example', 'http://[::1]:3000', 'capacitor://App', 'file://', 'null', '*']
              trustedProxies: [10.0.0.0/8, 192.0.2.1, 'fd00::/8']
            """
        let gateway = try TidingsConfiguration.parse(text).gateway
        let hosts = ["Home.example", "my_host", "192.0.2.1", "::1", "*", "a.example", "::1", "b.example"]
        #expect(gateway.hosts == hosts)
        #expect((gateway.allowedOrigins.count, gateway.trustedProxies.count) == (6, 3))
    }

    @Test func frameAncestorsHaveErrorsWithPlaces() throws {
        let found = errors("gateway:\n  frameAncestors: [self, home.example]\n")
        #expect(found.first?.hasPrefix("2:26: 'home.example' is not a site") == true)
        let good = try TidingsConfiguration.parse("gateway: {frameAncestors: [self, 'https://a.example']}")
        #expect(good.gateway.frameAncestors.map(\.expression) == ["'self'", "https://a.example"])
    }
}
