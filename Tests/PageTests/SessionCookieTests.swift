// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Testing

@testable import Gateway

@Suite struct SessionCookieTests {
    @Test func theTokenIsFoundAmongOtherCookies() {
        #expect(SessionCookie.token(in: "theme=dark; tidings-token=tdg_abc; other=1") == "tdg_abc")
        #expect(SessionCookie.token(in: "not-tidings-token=x; tidings-tokens=y") == nil)
        #expect(SessionCookie.token(in: nil) == nil)
    }

    @Test func scriptsAndOtherSitesDoNotGetTheCookie() {
        let header = SessionCookie.header(token: "tdg_abc", path: "/tidings", isSecure: true)
        #expect(header.hasPrefix("tidings-token=tdg_abc; Path=/tidings/;"))
        #expect(header.contains("HttpOnly") && header.contains("SameSite=Strict") && header.hasSuffix("; Secure"))
    }

    @Test func signingOutRemovesTheCookie() {
        #expect(SessionCookie.header(token: "", path: "", isSecure: false).contains("Max-Age=0"))
    }
}
