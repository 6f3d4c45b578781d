// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Configuration
import Testing

@Suite struct ConfigurationErrorTests {
    private static let families =
        "today, todayClassic, systemSmall, systemMedium, systemLarge, systemExtraLarge, "
        + "accessoryRectangular, accessoryInline, accessoryCircular or panel"
    private static let nameRule = "has 1 to 63 characters from a-z, 0-9 and '-', and does not start with '-'"

    private func errors(_ text: String) -> [String] {
        do {
            _ = try TidingsConfiguration.parse(text, file: "t.yml")
            return []
        } catch {
            return error.errors.map(\.description)
        }
    }

    @Test(arguments: [
        (
            "{file: a.json}",
            "a file source needs fetching.fileDirectory; set it to the directory that contains the file"
        ),
        (
            "{file: ../a.json}",
            "'../a.json' is not a valid path below fetching.fileDirectory; it must be relative, "
                + "without '.', '..' or empty parts"
        ),
        (
            "{file: /etc/passwd}",
            "'/etc/passwd' is not a valid path below fetching.fileDirectory; it must be relative, "
                + "without '.', '..' or empty parts"
        ),
        ("{file: a, headers: {A: b}}", "a file source cannot have 'headers'; remove it"),
    ])
    func aFileThatIsNoneSaysWhy(_ source: String, _ message: String) {
        let found = errors("widgets: {w: {kind: feed, source: \(source)}}")
        #expect(found.contains { $0.hasSuffix(": \(message)") }, "\(found)")
    }

    @Test func aFileIsBelowItsDirectory() throws {
        let text = "fetching: {fileDirectory: files}\nwidgets: {w: {kind: feed, source: {file: sub/a.json}}}"
        let configuration = try TidingsConfiguration.parse(text, file: "/etc/tidings/t.yml")
        #expect(configuration.fetching.fileDirectory == "/etc/tidings/files")
        #expect(configuration.widgets.first?.source?.file == "sub/a.json")
    }

    @Test(arguments: [
        ("bus: 5", "1:6: bus must be a mapping of keys and values, not '5'"),
        ("- a", "1:1: the configuration must be a mapping of keys and values, not a list"),
        ("store: [a]", "1:8: store must be a text, not a list"),
        ("store:", "1:7: store must be a text, not nothing"),
        ("store: ''", "1:8: store must be a text, not an empty one"),
        (
            "colour: red",
            "1:1: unknown key 'colour' in the configuration; known keys: store, bus, fetching, history, gateway, displays, widgets"
        ),
        ("bus: {adress: x}", "1:7: unknown key 'adress' in bus; did you mean 'address'?"),
        ("bus: {allowWithoutKeys: yes}", "1:25: allowWithoutKeys must be true or false, not 'yes'"),
        ("bus: {allowWithoutKeys: 'true'}", "1:25: allowWithoutKeys must be true or false, not 'true'"),
        (
            "fetching: {interval: 30}",
            "1:22: interval must be a duration such as 500ms, 30s, 5m, 2h or 1d, not '30'; did you mean '30s'?"
        ),
        ("fetching: {interval: 1ms}", "1:22: interval must be from 100ms to 365d, not 1ms"),
        ("fetching: {minimumInterval: 366d}", "1:29: minimumInterval must be from 0s to 365d, not 366d"),
        ("fetching: {hostConcurrency: 0}", "1:29: hostConcurrency must be a whole number from 1 to 64, not '0'"),
        ("fetching: {hostConcurrency: 1.5}", "1:29: hostConcurrency must be a whole number from 1 to 64, not '1.5'"),
        ("fetching: {hostSpacing: 2h}", "1:25: hostSpacing must be from 0s to 1h, not 2h"),
        ("history: {cycles: 0}", "1:19: cycles must be a whole number from 1 to 10000, not '0'"),
        ("history: {age: 1s}", "1:16: age must be from 1m to 3650d, not 1s"),
        ("history: {size: 1}", "1:11: unknown key 'size' in history; known keys: cycles, age, contentKilobytes"),
        ("displays: {}", "1:11: displays is empty; remove the key to use the default displays"),
        ("displays: {a: {}}", "1:12: display 'a' has no family (\(families))"),
        (
            "displays: {A: {family: today}}",
            "1:12: 'A' is not valid: a display name \(nameRule)"
        ),
        ("displays: {a: {family: tody}}", "1:24: family must be \(families), not 'tody'; did you mean 'today'?"),
        ("displays: {a: {family: today, width: wide}}", "1:38: width must be a number from 1 to 10000, not 'wide'"),
        ("displays: {a: {family: today, width: .nan}}", "1:38: width must be a number from 1 to 10000, not '.nan'"),
        ("displays: {a: {family: today, width: nan}}", "1:38: width must be a number from 1 to 10000, not 'nan'"),
        ("displays: {a: {family: today, scale: 4}}", "1:38: scale must be a whole number from 1 to 3, not '4'"),
        (
            "displays: {a: {family: todayClassic, compactHeight: 9}}",
            "1:38: family todayClassic has no compact mode; remove compactHeight"
        ),
        (
            "displays: {a: {family: today, device: iphone-357}}",
            "1:39: there is no device 'iphone-357'; did you mean 'iphone-375'?"
        ),
        (
            "displays: {a: {family: systemExtraLarge, device: iphone-375}}",
            "1:50: iphone-375 has no systemExtraLarge; give width and height, or one of the devices ipad-744, "
                + "ipad-768, ipad-810, ipad-820, ipad-834, ipad-834-tall, ipad-1024"
        ),
        (
            "displays: {a: {family: panel, width: 300}}",
            "1:12: a panel has no default size; give width and height, or a device"
        ),
        (
            "displays: {a: {family: systemSmall, maximumHeight: 300}}",
            "1:37: family systemSmall has a fixed height; give height instead of maximumHeight"
        ),
        (
            "displays: {a: {family: today, height: 300}}",
            "1:31: family today has no fixed height; give maximumHeight instead of height"
        ),
        (
            "displays: {a: {family: today, maximumHeight: 50}}",
            "1:46: maximumHeight (50.0) is below compactHeight (110.0)"
        ),
        (
            "displays: {a: {family: today, insets: {left: 4}}}",
            "1:40: unknown key 'left' in insets; known keys: top, leading, bottom, trailing"
        ),
        ("displays: {a: {family: today, insets: {top: -1}}}", "1:45: top must be a number from 0 to 1000, not '-1'"),
        ("displays: {a: {family: today, locale: en_XQ}}", "1:39: 'en_XQ' is not a known locale such as en_US or de_DE"),
        (
            "displays: {a: {family: today, timeZone: Europe/Berln}}",
            "1:41: 'Europe/Berln' is not a time zone such as Europe/Berlin or UTC; did you mean 'Europe/Berlin'?"
        ),
        (
            "displays: {a: {family: today, timeZone: ../../etc/passwd}}",
            "1:41: '../../etc/passwd' is not a time zone such as Europe/Berlin or UTC"
        ),
        (
            "displays: {a-compact: {family: todayClassic}, a: {family: today}}",
            "1:47: two displays are called 'a-compact'"
        ),
        (
            "displays: {a: {family: today, contentSizeCategory: larg}}",
            "1:52: contentSizeCategory must be extraSmall, small, medium, large, extraLarge, extraExtraLarge, extraExtraExtraLarge, "
                + "accessibilityMedium, accessibilityLarge, accessibilityExtraLarge, accessibilityExtraExtraLarge or "
                + "accessibilityExtraExtraExtraLarge, not 'larg'; did you mean 'large'?"
        ),
        ("widgets: []", "1:10: widgets must not be a list; write each as ID: {kind: KIND, source: URL}"),
        ("widgets: {a: {kind: feed}}", "1:11: widget 'a' has no source (a URL, or 'push')"),
    ])
    func anErrorNamesItsPlace(text: String, error: String) {
        #expect(errors(text) == ["t.yml:" + error])
    }

    @Test(arguments: [
        ("http://x", "the address must begin with tcp:// or ipc://"), ("tcp://x", "the address has no port"),
        ("tcp://:5555", "the address has no host"),
        ("tcp://x:65534", "the bus also needs the two ports after 65534, but the highest port is 65535"),
        ("ipc://", "the address names no folder"),
        (
            "tcp://x:1,tcp://x:2,tcp://x:3,tcp://x:4",
            "the address has 4 parts; one bus has 1 or 3, and 2 buses have 2 or 6"
        ),
        ("tcp://x:1,tcp://x:1", "both buses have the same address; name two different buses, or only one"),
    ])
    func aBadAddressOfTheBusIsRefused(address: String, problem: String) {
        let message = "bus address '\(address)': \(problem)\(Self.addressAdvice)"
        #expect(errors("bus: {address: '\(address)'}") == ["t.yml:1:16: " + message])
    }

    private static let addressAdvice =
        "; write tcp://HOST:PORT, ipc://FOLDER or three endpoints with commas between"

    /// Returns a configuration with the widget `a` and one more entry of it, which begins in column 45.
    private func widget(_ entry: String) -> String { "widgets: {a: {kind: feed, source: 'http://a.b/', \(entry)}}" }

    @Test(arguments: [
        ("intervall: 5m", "50: unknown key 'intervall' in widget 'a'; did you mean 'interval'?"),
        ("interval: later", "60: interval must be a duration such as 500ms, 30s, 5m, 2h or 1d, not 'later'"),
        ("rows: {collapsed: 0}", "68: collapsed must be a whole number from 1 to 50, not '0'"),
        ("rows: {collapsed: 5, expanded: 4}", "81: expanded (4) is below collapsed (5)"),
        ("rows: 3", "56: rows has two limits: rows: {collapsed: 3, expanded: 3}"),
        ("timeZone: Mars/Base", "60: 'Mars/Base' is not a time zone such as Europe/Berlin or UTC"),
        ("displays: phone", "60: displays must be a list, not 'phone'"),
        ("displays: []", "60: displays is an empty list; remove the key to use all displays"),
        ("displays: [phone, phne]", "68: there is no display 'phne'; did you mean 'phone'?"),
        ("displays: [tablet]", "61: there is no display 'tablet'; there are phone, phone-classic"),
        ("displays: [{a: 1}]", "61: a display's name must be a text, not a mapping"),
        ("kind: feed", "50: 'kind' is given twice; the first is in line 1"),
    ])
    func anErrorInAWidgetNamesItsPlace(entry: String, error: String) {
        #expect(errors(widget(entry)) == ["t.yml:1:" + error])
    }

    @Test(arguments: [
        ("feed.xml", "'feed.xml' is not a URL such as https://example.org/feed.xml"),
        ("'http://a b/'", "'http://a b/' is not a URL such as https://example.org/feed.xml"),
        ("'http://größe.example/'", "'http://größe.example/' is not a URL such as https://example.org/feed.xml"),
        ("'ftp://a.b/'", "the URL must begin with http:// or https://, not with 'ftp:'"),
        (
            "'file:///etc/passwd'",
            "the URL must begin with http:// or https://, not with 'file:'; for a file, write source: {file: NAME}"
        ),
        ("'http:///x'", "the URL 'http:///x' has no host"),
        ("'http://a.b:0/'", "the URL's port 0 is not from 1 to 65535"),
        ("'http://a.b:70000/'", "the URL's port 70000 is not from 1 to 65535"),
        ("'http://u:p@a.b/'", "the URL has a user or a password; give them as the header Authorization"),
        ("'http://a.b/#top'", "the URL has a fragment (#…), which is never sent; leave it out"),
        ("[a]", "source must be a URL, or a mapping with url or file, not a list"),
        ("~", "source must be a URL, or a mapping with url or file, not nothing"),
        ("{}", "source has no url and no file"),
    ])
    func aBadSourceIsRefused(source: String, error: String) {
        #expect(errors("widgets: {a: {kind: feed, source: \(source)}}") == ["t.yml:1:35: " + error])
    }

    @Test(arguments: [
        ("{'a b': x}", "57: 'a b' is not the name of a header"),
        ("{If-None-Match: x}", "57: the header 'If-None-Match' is reserved for the fetcher; remove it"),
        ("{A: x, a: y}", "63: the header 'a' is given twice (header names ignore case)"),
        ("{A: \"x\\ny\"}", "60: the header's value has a control character or a line end"),
        ("{A: [x]}", "60: a header's value must be a text, not a list"),
    ])
    func aBadHeaderIsRefused(headers: String, error: String) {
        let text = "widgets: {a: {kind: feed, source: {url: 'http://a.b/', headers: \(headers)}}}"
        let shifted = error.split(separator: ":", maxSplits: 1)
        let column = (Int(shifted[0]) ?? 0) + 9
        #expect(errors(text) == ["t.yml:1:\(column):\(shifted[1])"])
    }

    @Test func allErrorsOfAFileComeAtOnceInTheOrderOfTheirPlaces() {
        let text = """
            stor: x
            bus:
              address: nowhere
              address: tcp://127.0.0.1:5555
            widgets:
              Blog: {kind: fed, sorce: x}
              news:
                kind: feed
                source: ftp://example.org/
                interval: 1y
                displays: [phone, phoen]
            displays:
              phone: {family: today, width: 0, timezone: UTC}
            """
        #expect(
            errors(text) == [
                "t.yml:1:1: unknown key 'stor' in the configuration; did you mean 'store'?",
                "t.yml:3:12: bus address 'nowhere': the address must begin with tcp:// or ipc://\(Self.addressAdvice)",
                "t.yml:4:3: 'address' is given twice; the first is in line 3",
                "t.yml:6:3: 'Blog' is not valid: a widget id \(Self.nameRule)",
                "t.yml:6:3: widget 'Blog' has no source (a URL, or 'push')",
                "t.yml:6:16: kind must be feed, keyValue, forecast, quote, documents or json, not 'fed'; did you mean 'feed'?",
                "t.yml:6:21: unknown key 'sorce' in widget 'Blog'; did you mean 'source'?",
                "t.yml:9:13: the URL must begin with http:// or https://, not with 'ftp:'",
                "t.yml:10:15: interval must be a duration such as 500ms, 30s, 5m, 2h or 1d, not '1y'",
                "t.yml:11:23: there is no display 'phoen'; did you mean 'phone'?",
                "t.yml:13:33: width must be a number from 1 to 10000, not '0'",
                "t.yml:13:36: unknown key 'timezone' in display 'phone'; did you mean 'timeZone'?",
            ]
        )
    }

    @Test func aBrokenDisplayIsNotHeldAgainstTheWidgetsThatNameIt() {
        let text = "displays: {a: {family: tody}}\nwidgets: {b: {kind: feed, source: 'http://a.b/', displays: [a]}}"
        #expect(errors(text).count == 1)
    }

    @Test func brokenYAMLIsOneErrorAtItsPlace() {
        #expect(errors("a: [1\nb: 2") == ["t.yml:2:2: did not find expected ',' or ']' while parsing a flow sequence"])
    }
}
