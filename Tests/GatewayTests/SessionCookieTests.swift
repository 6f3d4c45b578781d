// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import AccessTokens
import Configuration
import ServiceRuntime
import Telemetry
import Testing
import WebServer
import WidgetSchema

@testable import Gateway

@Suite struct SessionCookieTests {
    private static let start = Instant(milliseconds: 1_796_000_000_000)
    private static let minute: Int64 = 60_000
    private static let hour = 60 * minute
    private static let day = 24 * hour

    private let record = TokenRecord(token: AccessToken(), name: "browser", scopes: [.read, .admin], created: "")

    private func access(_ records: TokenRecord..., basePath: String = "") -> Access {
        var settings = TidingsConfiguration.Gateway()
        settings.openReads = false
        settings.basePath = basePath
        settings.trustedProxies = ["10.0.0.0/8"]
        return Access(settings: settings, tokens: TokenFile(tokens: records), metrics: Metrics())
    }

    private func request(_ cookie: String, _ more: [WebHeader] = [], method: String = "GET") -> WebRequest {
        let headers = [WebHeader("Host", "home.example:8080"), WebHeader("Cookie", cookie)]
        return WebRequest(method: method, path: "/v1/widgets", headers: headers + more, client: "10.0.0.1")
    }

    /// Returns the request of a browser that has a cookie in its place for port 8080.
    private func request(_ cookie: SessionCookie) -> WebRequest { request("tidings-session-8080=\(cookie.text)") }

    private func cookie(signedIn: Int64 = 0, issued: Int64 = 0) -> SessionCookie {
        SessionCookie(
            record,
            signedIn: Self.start.advanced(byMilliseconds: signedIn),
            issued: Self.start.advanced(byMilliseconds: issued)
        )
    }

    // MARK: Signature

    @Test func aCookieIsReadBackAndContainsNeitherTheTokenNorItsHash() {
        let token = AccessToken()
        let record = TokenRecord(token: token, name: "browser", scopes: [.admin], created: "")
        let cookie = SessionCookie(record, signedIn: Self.start, issued: Self.start)
        #expect(SessionCookie(cookie.text) == cookie)
        #expect(cookie.isSigned(with: record))
        #expect(!cookie.text.contains(token.text) && !cookie.text.contains(record.hash))
    }

    @Test func noChangedBitLeavesACookieValid() {
        let access = access(record)
        let text = cookie().text
        #expect(access.session(of: request(cookie()), now: Self.start) != nil)
        for place in text.utf8.indices {
            for bit in 0..<8 {
                var bytes = Array(text.utf8)
                bytes[text.utf8.distance(from: text.startIndex, to: place)] ^= 1 << UInt8(bit)
                let changed = "tidings-session-8080=" + String(decoding: bytes, as: UTF8.self)
                #expect(access.session(of: request(changed), now: Self.start) == nil, "\(changed)")
            }
        }
    }

    @Test func aCookieOfAnotherTokenIsNotValidUnderThisId() {
        let other = TokenRecord(token: AccessToken(), name: "other", scopes: [.read], created: "")
        var forged = other
        forged.id = record.id
        let cookie = SessionCookie(forged, signedIn: Self.start, issued: Self.start)
        #expect(access(record, other).session(of: request(cookie), now: Self.start) == nil)
        // Two tokens may have the same id, because it has eight digits only.
        #expect(access(record, forged).session(of: request(cookie), now: Self.start)?.record == forged)
    }

    @Test func aSessionEndsWithItsToken() {
        let access = access(record)
        #expect(access.session(of: request(cookie()), now: Self.start)?.record == record)
        access.replace(tokens: TokenFile())
        #expect(access.session(of: request(cookie()), now: Self.start) == nil)
    }

    @Test(arguments: [
        "", ".", "....", "1.0a1b2c3d", "tdg_abc", "1.x.1.1.1.1", "1.x.1.1", "2.x.1.1.y", "1.x.99999999999999999999.1.y",
        "1.x.-9223372036854775808.9223372036854775807.y", "1.\u{0}.1.1.\u{10FFFF}",
    ])
    func aMalformedCookieIsIgnored(text: String) {
        #expect(access(record).session(of: request("tidings-session-8080=\(text)"), now: Self.start) == nil)
    }

    // Whoever knows a token can sign cookies for it, with any times.
    @Test(arguments: [(Int64.min, Int64.min), (.min, .max), (.max, .max), (.max, .min), (0, 0), (-1, .max)])
    func signedTimesOfAnySizeAreRefused(signedIn: Int64, issued: Int64) {
        let times = (Instant(milliseconds: signedIn), Instant(milliseconds: issued))
        let cookie = SessionCookie(record, signedIn: times.0, issued: times.1)
        #expect(access(record).session(of: request(cookie), now: Self.start) == nil)
        #expect(access(record).renewal(for: request(cookie), now: Self.start).isEmpty)
    }

    @Test(arguments: ["+", "0"]) func anotherTextForTheSameTimesIsRefused(sign: String) {
        var parts = cookie().text.split(separator: ".").map(String.init)
        parts[2] = sign + parts[2]
        #expect(SessionCookie(parts.joined(separator: ".")) == nil)
    }

    // MARK: Time

    private static let ages: [(now: Int64, issued: Int64, isValid: Bool)] = [
        (0, 0, true), (12 * hour - 1, 0, true), (12 * hour, 0, false), (20 * hour, 9 * hour, true),
        (30 * day - 1, 30 * day - hour, true), (30 * day, 30 * day - hour, false),
        // The clock was set back, or that of another gateway is ahead.
        (-5 * minute, 0, true), (-5 * minute - 1, 0, false), (0, -1, false),
    ]

    @Test(arguments: ages)
    func aSessionEndsAfterTwelveIdleHoursAndAfterThirtyDays(now: Int64, issued: Int64, isValid: Bool) {
        let time = Self.start.advanced(byMilliseconds: now)
        let found = access(record).session(of: request(cookie(issued: issued)), now: time)
        #expect((found != nil) == isValid)
    }

    @Test func aSessionThatIsUsedEachHourLastsThirtyDays() throws {
        let access = access(record)
        var text = cookie().text
        var hours: Int64 = 0
        while true {
            let now = Self.start.advanced(byMilliseconds: hours * Self.hour)
            let current = request("tidings-session-8080=\(text)")
            guard access.session(of: current, now: now) != nil else { break }
            if hours > 0 {
                let header = try #require(access.renewal(for: current, now: now).first)
                text = String(try #require(header.value.split(separator: ";").first).dropFirst(21))
                #expect(SessionCookie(text)?.signedIn == Self.start)
            }
            hours += 1
        }
        #expect(hours == 30 * 24)
    }

    @Test func aYoungCookieIsNotRenewedAndALastOneEndsAfterThirtyDays() {
        let access = access(record)
        func renewal(issued: Int64, now: Int64) -> String? {
            access.renewal(
                for: request(cookie(issued: issued)),
                now: Self.start.advanced(byMilliseconds: now)
            ).first?.value
        }
        #expect(renewal(issued: 0, now: Self.hour - 1) == nil)
        #expect(renewal(issued: 0, now: Self.hour)?.contains("Max-Age=43200;") == true)
        #expect(renewal(issued: 0, now: 12 * Self.hour) == nil)
        let last = renewal(issued: 30 * Self.day - 2 * Self.hour, now: 30 * Self.day - Self.hour)
        #expect(last?.contains("Max-Age=3600;") == true)
    }

    // MARK: Access

    @Test func aCookieAllowsReadingOnlyWhateverItsTokenAllows() throws {
        let now = Instant.now
        let access = access(record)
        let request = request(SessionCookie(record, signedIn: now, issued: now))
        let caller = try access.caller(of: request)
        #expect(caller.token?.scopes == [.read])
        try access.check(caller, scope: .read, request: request, path: "/v1/widgets")
        for scope in [AccessScope.act, .push, .admin] {
            let problem = #expect(throws: Problem.self) {
                try access.check(caller, scope: scope, request: request, path: "/v1/widgets")
            }
            #expect(problem?.status == 401)
            #expect(problem?.detail.contains("'\(scope.rawValue)' in the header") == true)
        }
    }

    @Test func theCookieOfATokenForAPathReadsThisPathOnly() throws {
        var record = record
        record.scopes = [.read]
        record.paths = ["/widgets/blog"]
        let now = Instant.now
        let access = access(record)
        let request = request(SessionCookie(record, signedIn: now, issued: now))
        let caller = try access.caller(of: request)
        try access.check(caller, scope: .read, request: request, path: "/widgets/blog/phone.png")
        #expect(throws: Problem.self) {
            try access.check(caller, scope: .read, request: request, path: "/v1/widgets")
        }
    }

    @Test func theHeaderCountsIfThereIsACookieToo() throws {
        let now = Instant.now
        let token = AccessToken()
        let other = TokenRecord(token: token, name: "other", scopes: [.act], created: "")
        let cookie = SessionCookie(record, signedIn: now, issued: now)
        let header = WebHeader("Authorization", "Bearer \(token.text)")
        let both = request("tidings-session-8080=\(cookie.text)", [header])
        let caller = try access(record, other).caller(of: both)
        #expect(caller.token == other && !caller.isSession)
    }

    @Test func theTokenInACookieOfAnEarlierVersionIsNotAcceptedAndIsRemoved() throws {
        let token = AccessToken()
        let access = access(TokenRecord(token: token, name: "browser", scopes: [.admin], created: ""))
        let request = request("tidings-token=\(token.text); tidings-session-8080=\(token.text)")
        #expect(try access.caller(of: request).token == nil)
        let removal = WebHeader("Set-Cookie", "tidings-token=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict")
        #expect(access.renewal(for: request) == [removal])
        #expect(access.signIn(nil, request).contains(removal))
    }

    // MARK: Headers

    @Test(arguments: [
        ("home.example", "", false, "tidings-session"), ("home.example:8080", "", false, "tidings-session-8080"),
        ("[::1]:8080", "/tidings", true, "tidings-session-8080"), ("[::1]", "", false, "tidings-session"),
        ("home.example:8443", "", true, "__Host-tidings-session-8443"), ("", "", false, "tidings-session"),
        ("home.example:x; a=b", "", false, "tidings-session"), ("home.example:", "", false, "tidings-session"),
        ("home.example:123456", "", false, "tidings-session"),
    ])
    func theNameHasThePortOfTheAddress(host: String, basePath: String, isSecure: Bool, name: String) {
        #expect(SessionCookie.Place(host: host, basePath: basePath, isSecure: isSecure).name == name)
    }

    @Test func scriptsAndOtherSitesDoNotGetTheCookie() throws {
        let secure = request("", [WebHeader("X-Forwarded-Proto", "https")])
        let header = try #require(access(record, basePath: "/tidings").signIn(record, secure, now: Self.start).first)
        #expect(
            header.value
                == "tidings-session-8080=\(cookie().text); Path=/tidings/; Max-Age=43200; HttpOnly; SameSite=Strict; Secure"
        )
        let plain = try #require(access(record).signIn(record, request(""), now: Self.start).first)
        #expect(!plain.value.contains("Secure"))
    }

    @Test func signingOutRemovesTheCookie() {
        #expect(
            access(record).signIn(nil, request(""))
                == [WebHeader("Set-Cookie", "tidings-session-8080=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict")]
        )
    }

    @Test func aValidCookieIsFoundAmongAllOthers() {
        let access = access(record)
        let valid = "tidings-session-8080=\(cookie().text)"
        func isFound(_ header: String) -> Bool { access.session(of: request(header), now: Self.start) != nil }
        #expect(isFound("theme=dark; \(valid); other=1"))
        // A server at another port of the same host name may have set these.
        #expect(isFound(Array(repeating: "tidings-session-8080=x; ", count: 300).joined() + valid))
        // The cookies of gateways at other ports.
        #expect(!isFound("tidings-session=\(cookie().text); tidings-session-80=\(cookie().text)"))
        #expect(!isFound("x-\(valid)"))
    }
}
