// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Testing

@testable import Configuration

/// Tests of the errors for words that other tools use.
@Suite struct ForeignWordsTests {
    private func errors(_ text: String) -> [String] {
        do throws(ConfigurationErrors) {
            _ = try TidingsConfiguration.parse(text, file: "c.yml")
            return []
        } catch {
            return error.errors.map(\.message)
        }
    }

    @Test(arguments: [
        ("rss", "feed"), ("RSS", "feed"), ("atom", "feed"), ("json-feed", "feed"), ("news", "feed"),
        ("weather", "forecast"), ("facts", "keyValue"), ("key_value", "keyValue"), ("custom-api", "json"),
        ("quotes", "quote"), ("recent", "documents"), ("fed", "feed"),
    ])
    func theKindOfAnotherToolIsTranslated(_ word: String, _ kind: String) {
        let errors = errors("widgets: {a: {kind: \(word), source: push}}")
        #expect(errors.count == 1)
        #expect(errors.first?.hasSuffix("; did you mean '\(kind)'?") == true, "\(errors)")
    }

    @Test(arguments: [
        ("url: https://a.example/", "source"), ("feed: https://a.example/", "source"),
        ("resource: https://a.example/", "source"), ("source: push, refresh: 5m", "interval"),
        ("source: push, scan_interval: 5m", "interval"), ("source: push, title: A", "name"),
        ("source: push, tz: UTC", "timeZone"),
    ])
    func theKeyOfAnotherToolIsTranslated(_ entry: String, _ key: String) {
        let errors = errors("widgets: {a: {kind: feed, \(entry)}}")
        #expect(errors.count == 1, "\(errors)")
        #expect(errors.first?.hasSuffix("; did you mean '\(key)'?") == true, "\(errors)")
    }

    @Test func theValueOfATranslatedKeyIsChecked() {
        #expect(
            errors("widgets: {a: {type: rss, url: 'ftp://a.example/'}}") == [
                "unknown key 'type' in widget 'a'; did you mean 'kind'?",
                "kind must be feed, keyValue, forecast, quote, documents or json, not 'rss'; did you mean 'feed'?",
                "unknown key 'url' in widget 'a'; did you mean 'source'?",
                "the URL must begin with http:// or https://, not with 'ftp:'",
            ]
        )
    }

    @Test(arguments: [
        ("300", "300s"), ("5 minutes", "5m"), ("5min", "5m"), ("2 Hours", "2h"), ("1 day", "1d"), ("90S", "90s"),
    ])
    func aDurationWithoutAUnitOrWithALongOneIsCorrected(_ text: String, _ duration: String) {
        let errors = errors("widgets: {a: {kind: feed, source: push, interval: \(text)}}")
        #expect(errors.first?.hasSuffix("not '\(text)'; did you mean '\(duration)'?") == true, "\(errors)")
    }

    @Test(arguments: ["soon", "-5s", "5 fortnights", "99999999999999999999"])
    func whatIsNoDurationIsNotCorrected(_ text: String) {
        let errors = errors("widgets: {a: {kind: feed, source: push, interval: '\(text)'}}")
        #expect(errors.first?.hasSuffix("not '\(text)'") == true, "\(errors)")
    }

    @Test(arguments: [
        ("epaper", "panel"), ("e-ink", "panel"), ("small", "systemSmall"), ("lock_screen", "accessoryRectangular"),
    ])
    func theFamilyOfAnotherToolIsTranslated(_ word: String, _ family: String) {
        let errors = errors("displays: {wall: {family: \(word), width: 100, height: 100}}")
        #expect(errors.first?.hasSuffix("; did you mean '\(family)'?") == true, "\(errors)")
    }

    @Test func theKeysOfADisplayAreTranslated() {
        let errors = errors("displays: {wall: {family: panel, w: 800, h: 480}}")
        #expect(errors.count == 2)
        for (error, key) in zip(errors, ["width", "height"]) { #expect(error.hasSuffix("; did you mean '\(key)'?")) }
    }

    // The value is checked under the right key, and says nothing about the wrong one.
    @Test func aTranslatedKeyOfAFileIsNotCalledASecondTime() {
        let source = "fetching: {fileDirectory: f}\nwidgets: {a: {kind: feed, source: {path: a.xml}}}"
        #expect(errors(source) == ["unknown key 'path' in source; did you mean 'file'?"])
    }

    @Test(arguments: [
        ("widgets: [{kind: feed, source: push}]", "widgets must not be a list; write each as ID: {kind"),
        ("widgets: {a: {kind: feed, source: push, rows: 5}}", "rows has two limits: rows: {collapsed: 3, expanded: 5}"),
        ("widgets: {a: {kind: feed, source: ./feed.xml}}", "; for a file, write source: {file: NAME}"),
        ("fetching: {min_interval: 5s}", "; did you mean 'minimumInterval'?"),
    ])
    func anErrorShowsTheFormToWrite(_ text: String, _ form: String) {
        let errors = errors(text)
        #expect(errors.count == 1, "\(errors)")
        #expect(errors.first?.contains(form) == true, "\(errors)")
    }

    @Test(arguments: [
        ("widgets: {a: {kind: feed, source: push, headers: {A: b}}}", "it belongs under 'source', beside 'url'"),
        ("widgets: {a: {kind: feed, source: push, password: b}}", "headers: {Authorization:"),
        ("widgets: {a: {kind: feed, source: {url: 'https://a.example/', interval: 5m}}}", "it belongs to the widget"),
        ("listen: 127.0.0.1:80", "it belongs under 'gateway'"), ("interval: 5m", "it belongs under 'fetching'"),
        ("feeds: {}", "did you mean 'widgets'?"), ("gateway: {port: '127.0.0.1:80'}", "did you mean 'listen'?"),
    ])
    func aKeyAtAnotherPlaceIsSentThere(_ text: String, _ remedy: String) {
        let errors = errors(text)
        #expect(errors.count == 1, "\(errors)")
        #expect(errors.first?.contains(remedy) == true, "\(errors)")
    }

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
        let failure = #expect(throws: ConfigurationErrors.self) { try TidingsConfiguration.parse(text, file: "a.yml") }
        #expect(failure?.description.hasPrefix("a.yml:2:\(key.count + 6): '") == true, "\(failure?.description ?? "")")
    }

    @Test func namesThatRequestsCanHaveAreKept() throws {
        let text = """
            gateway:
              hosts: [Home.example, my_host, 192.0.2.1, '::1', '*', 'a.example:80', 'https://[::1]:443', b.example.]
              allowedOrigins: ['https://home.example', 'http://[::1]:3000', 'capacitor://App', 'file://', 'null', '*']
              trustedProxies: [10.0.0.0/8, 192.0.2.1, 'fd00::/8']
            """
        let gateway = try TidingsConfiguration.parse(text).gateway
        #expect(
            gateway.hosts == ["Home.example", "my_host", "192.0.2.1", "::1", "*", "a.example", "::1", "b.example"]
        )
        #expect((gateway.allowedOrigins.count, gateway.trustedProxies.count) == (6, 3))
    }

    @Test func frameAncestorsHaveErrorsWithPlaces() throws {
        let text = "gateway:\n  frameAncestors: [self, home.example]\n"
        let failure = #expect(throws: ConfigurationErrors.self) { try TidingsConfiguration.parse(text, file: "c.yml") }
        #expect(failure?.description.hasPrefix("c.yml:2:26: 'home.example' is not a site") == true)
        let good = try TidingsConfiguration.parse("gateway: {frameAncestors: [self, 'https://a.example']}")
        #expect(good.gateway.frameAncestors.map(\.expression) == ["'self'", "https://a.example"])
    }
}
