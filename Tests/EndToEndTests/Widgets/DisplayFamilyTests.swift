// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Testing
import WidgetSchema

/// Tests of one widget on displays of different families, devices, languages and text sizes, as seen from the bus.
@Suite(.serialized, .timeLimit(.minutes(2))) struct DisplayFamilyTests {
    private static let largest = "contentSizeCategory: accessibilityExtraExtraExtraLarge"

    private static func posts(_ count: Int) throws -> Content {
        let published = try #require(Instant("2026-11-21T10:00:00.000Z"))
        return .feed(
            FeedContent(
                items: (1...count).map {
                    FeedItem(id: "\($0)", title: "Post \($0)", published: published, link: "https://example.org/\($0)")
                }
            )
        )
    }

    private static func facts(_ pairs: KeyValuePairs<String, String>) -> Content {
        .keyValue(KeyValueContent(pairs: pairs.map { KeyValuePair(key: $0.key, value: $0.value) }))
    }

    @Test func moreIsOfferedExactlyIfExpandingShowsMore() async throws {
        let hosts = [
            "phone": "family: today", "huge": "device: iphone-375, family: today, \(Self.largest)",
            "lying": "device: iphone-375, family: today, orientation: landscape, \(Self.largest)",
        ]
        let classics = [
            "classic": "family: todayClassic",
            "classic-lying": "device: iphone-375, family: todayClassic, orientation: landscape, \(Self.largest)",
        ]
        try await RunningSystem.read(
            ["w": "{kind: feed, source: push}", "facts": "{kind: keyValue, source: push}"],
            displays: hosts.merging(classics) { _, new in new }
        ) { system, reader in
            try await reader.push(try Self.posts(8), counter: 1, system)
            try await reader.push(Self.facts(["city": "Lisbon"]), counter: 2, to: "facts", system)
            for name in hosts.keys {
                let fact = try await ShownLayout("facts", on: "\(name)-compact", system).layout
                let expandedFact = try await ShownLayout("facts", on: "\(name)-expanded", system).layout
                #expect(expandedFact.size.height >= fact.size.height, "\(name)")
                #expect([fact, expandedFact].map(\.largestMode) == [.compact, .compact], "\(name)")
                let compact = try await ShownLayout("w", on: "\(name)-compact", system)
                let expanded = try await ShownLayout("w", on: "\(name)-expanded", system)
                #expect(expanded.layout.size.height >= compact.layout.size.height, "\(name)")
                let largest: Display.Mode? = expanded.texts == compact.texts ? .compact : nil
                #expect([compact, expanded].map(\.layout.largestMode) == [largest, largest], "\(name)")
            }
            #expect(try await ShownLayout("w", on: "phone-compact", system).layout.largestMode == nil)
            #expect(try await ShownLayout("w", on: "lying-compact", system).layout.largestMode == .compact)
            for (counter, name) in classics.keys.sorted().enumerated() {
                let isOffered = try await ShownLayout("w", on: name, system).texts.contains("Show more")
                #expect(isOffered == (name == "classic"))
                let verdict = try await reader.press(
                    .setExpanded(true),
                    counter: UInt64(counter + 1),
                    display: name,
                    system
                )
                #expect(verdict.changed == (isOffered ? [name] : []))
            }
        }
    }

    @Test func twoDevicesOfOneModelAreExpandedEachAlone() async throws {
        let device = "device: iphone-393, family: todayClassic"
        try await RunningSystem.read(
            ["w": "{kind: feed, source: push}"],
            displays: ["hers": device, "his": device]
        ) { system, reader in
            try await reader.push(try Self.posts(8), counter: 1, system)
            #expect(try await reader.press(.setExpanded(true), counter: 1, display: "hers", system).changed == ["hers"])
            #expect(try await ShownLayout("w", on: "hers", system).rows.count == 6)
            #expect(try await ShownLayout("w", on: "his", system).rows.count == 3)
            #expect(try await reader.press(.setExpanded(true), counter: 2, system).changed == ["his"])
        }
    }

    @Test func classicDisplaysAreDarkWithWhiteTextAndShowDocumentsFromEdgeToEdge() async throws {
        try await RunningSystem.read(
            ["w": "{kind: documents, source: push}"],
            displays: ["classic": "device: iphone-375, family: todayClassic", "phone": "family: today"]
        ) { system, reader in
            let documents = ["Budget", "Letter", "Garden", "Recipes", "Travel"].map {
                RecentDocument(id: $0, title: $0, link: "notesapp://open/\($0)")
            }
            try await reader.push(.documents(DocumentsContent(documents: documents)), counter: 1, system)
            let classic = try await ShownLayout("w", on: "classic", system)
            #expect(classic.layout.appearance == .dark)
            let fills = try await ShownLayout.svg("w", on: "classic", system).split(separator: "\n")
                .filter { $0.contains("<text") }
            #expect(fills.count == 4)
            #expect(fills.allSatisfy { $0.contains("fill=\"#ffffff\"") })
            #expect(classic.rows.count == 4)
            #expect(!classic.texts.contains("Show more"))
            #expect(classic.rows.allSatisfy { $0.frame.x == 0 && $0.frame.width == classic.layout.size.width })
            let phone = try await ShownLayout("w", on: "phone-expanded", system)
            #expect(phone.layout.appearance == .light)
        }
    }

    @Test func allFactsAreATableWhereThereIsRoomInThePushedOrderOrByName() async throws {
        try await RunningSystem.read(
            [
                "w": "{kind: keyValue, source: push, show: all}",
                "fetched": "{kind: keyValue, source: {file: facts.json}, show: all}",
            ],
            fetching: ["fileDirectory": "./files"],
            displays: ["phone": "family: today", "lock": "device: iphone-393, family: accessoryRectangular"],
            files: ["files/facts.json": #"{"zone": "WET", "city": "Lisbon", "ip": "192.0.2.1"}"#]
        ) { system, reader in
            let facts = Self.facts(["zone": "WET", "city": "Lisbon", "ip": "192.0.2.1", "country": "Portugal"])
            try await reader.push(facts, counter: 1, system)
            let table = try await ShownLayout("w", on: "phone-expanded", system)
            #expect(table.rows.count == 4)
            #expect(table.texts == ["zone", "WET", "city", "Lisbon", "ip", "192.0.2.1", "country", "Portugal"])
            _ = try await reader.next("the file", of: "fetched") { $0.reason == "firstContent" }
            let fetched = try await ShownLayout("fetched", on: "phone-expanded", system)
            #expect(fetched.texts == ["city", "Lisbon", "ip", "192.0.2.1", "zone", "WET"])
            let lock = try await ShownLayout("w", on: "lock", system)
            #expect(lock.rows.isEmpty)
            #expect(lock.actions == [.command(.nextValue)])
        }
    }

    @Test func relativeDaysAndUnknownWeatherAreShownAsGivenAndEveryKindHasALinkOfItsOwn() async throws {
        let file = """
            {"forecast": [{"daysFromNow": 0, "condition": "Sandstorm", "low": 9, "high": 21},
             {"daysFromNow": 1, "condition": "rain", "low": 8, "high": 17}]}
            """
        let list = """
            <plist version="1.0"><dict><key>forecast</key><array>
            <dict><key>daysFromNow</key><integer>0</integer><key>condition</key><string>Sandstorm</string>
            <key>low</key><integer>9</integer><key>high</key><integer>21</integer></dict>
            <dict><key>daysFromNow</key><integer>1</integer><key>condition</key><string>rain</string>
            <key>low</key><integer>8</integer><key>high</key><integer>17</integer></dict>
            </array></dict></plist>
            """
        let link = "link: \"myweather://lisbon?unit=c\""
        let kinds = ["feed", "keyValue", "quote", "documents", "json"]
        let others = kinds.map { kind in
            let items = kind == "json" ? ", items: {list: /builds, id: /n, title: /branch}" : ""
            return (kind.lowercased(), "{kind: \(kind), source: push, link: \"myapp://\(kind)\"\(items)}")
        }
        let forecasts = ["w": "json", "list": "plist"].mapValues {
            "{kind: forecast, source: {file: weather.\($0)}, \(link)}"
        }
        try await RunningSystem.read(
            forecasts.merging(others) { _, new in new },
            fetching: ["fileDirectory": "./files"],
            displays: ["phone": "family: today"],
            files: ["files/weather.json": file, "files/weather.plist": list]
        ) { system, reader in
            for widget in forecasts.keys {
                _ = try await reader.next("the forecast", of: widget) { $0.reason == "firstContent" }
                let shown = try await ShownLayout(widget, on: "phone-expanded", system)
                #expect(shown.texts.contains("Sandstorm"))
                #expect(shown.texts.contains("Rain"))
                // Sandstorms have no icon of their own.
                #expect(shown.symbols == ["thermometer", "cloud.rain"])
                #expect(shown.actions == (0...1).map { .open(url: "myweather://lisbon?unit=c&daysFromNow=\($0)") })
                #expect(shown.layout.link == "myweather://lisbon?unit=c")
            }
            try await reader.push(try Self.posts(2), counter: 1, to: "feed", system)
            for kind in kinds {
                let shown = try await ShownLayout(kind.lowercased(), on: "phone-expanded", system)
                #expect(shown.layout.link == "myapp://\(kind)")
                #expect(shown.rows.count == (kind == "feed" ? 2 : 0))
            }
        }
    }

    @Test func landscapeAndTheColumnsOfATabletHaveSizesOfTheirOwn() async throws {
        func column(_ side: String) -> String {
            "device: ipad-768, family: today, orientation: landscape, column: \(side)"
        }
        try await RunningSystem.read(
            ["w": "{kind: feed, source: push}"],
            displays: [
                "lying": "device: iphone-375, family: today, orientation: landscape",
                "classic": "device: iphone-375, family: todayClassic, orientation: landscape",
                "left": column("left"), "right": column("right"),
            ]
        ) { system, reader in
            try await reader.push(try Self.posts(8), counter: 1, system)
            var sizes: [String: Size] = [:]
            for name in ["lying", "left", "right"] {
                sizes[name] = try await ShownLayout("w", on: "\(name)-expanded", system).layout.size
                #expect(try await ShownLayout("w", on: "\(name)-compact", system).layout.size.height == 110)
            }
            // 16 points less than the screen is wide, and seven rows of 44 points at most.
            #expect(sizes["lying"]?.width == 651)
            #expect(try #require(sizes["lying"]).height <= 308)
            let classic = try await ShownLayout("w", on: "classic", system)
            #expect(!classic.rows.isEmpty && classic.rows.allSatisfy { $0.frame.width == 586 })
            #expect(classic.layout.size.height <= 260.5)
            let (left, right) = (try #require(sizes["left"]), try #require(sizes["right"]))
            #expect(left.width > right.width)
            #expect(left.width + right.width <= 1_024)
        }
    }

    @Test func eachDisplaySpeaksItsLanguageAndWritesDatesAsItsWidgetSays() async throws {
        let displays = ["de": "de_DE", "pl": "pl_PL", "th": "th_TH", "cy": "cy_GB", "en": "en_US", "zh": "zh_CN"]
            .mapValues { "family: panel, width: 800, height: 480, locale: \($0)" }
        try await RunningSystem.read(
            [
                "quote": "{kind: quote, source: push, name: Wisdom}",
                "w": "{kind: feed, source: push, dateStyle: short}", "other": "{kind: feed, source: push}",
            ],
            displays: displays
        ) { system, reader in
            _ = try await reader.next("the start", of: "quote") { $0.cause == "start" }
            for (display, words) in [
                "de": "Wisdom Wartet auf den ersten Inhalt",
                "pl": "Wisdom Oczekuje na pierwszą treść",
                "th": "Wisdom กำลังรอเนื้อหาแรก",
                "cy": "Wisdom Waiting for its first content",
            ] {
                let shown = try await ShownLayout("quote", on: display, system).texts.joined(separator: " ")
                // Thai has no spaces where its lines are broken.
                #expect(shown.replacing(" ", with: "") == words.replacing(" ", with: ""))
            }
            try await reader.push(try Self.posts(1), counter: 1, system)
            #expect(try await ShownLayout("w", on: "en", system).texts.contains("11/21/26"))
            #expect(try await ShownLayout("w", on: "de", system).texts.contains("21.11.26"))
            try await reader.push(try Self.posts(1), counter: 2, to: "other", system)
            #expect(try await ShownLayout("other", on: "en", system).texts.contains("Nov 21"))
            #expect(try await ShownLayout("other", on: "zh", system).texts.contains("11月21日"))
        }
    }

    /// A locale of each language in docs/configuration.md.
    private static let locales = [
        "ar", "zh_CN", "zh_TW", "cs", "da", "nl", "en", "fi", "fr", "de", "el", "he", "hi", "it", "ja", "ko", "nb",
        "pl", "pt", "ru", "es", "sv", "ta", "th", "tr", "uk",
    ]

    @Test func aDisplayOfEachDocumentedLanguageHasWordsOfItsOwn() async throws {
        let names = Self.locales.map { $0.lowercased().replacing("_", with: "-") }
        let displays = zip(names, Self.locales).map { ($0, "family: panel, width: 800, height: 480, locale: \($1)") }
        try await RunningSystem.read(
            ["w": "{kind: quote, source: push, name: Wisdom}"],
            displays: Dictionary(uniqueKeysWithValues: displays)
        ) { system, reader in
            _ = try await reader.next("the start") { $0.cause == "start" }
            var displays: [String: String] = [:]
            for name in names {
                let words = try await ShownLayout("w", on: name, system).texts.joined(separator: " ")
                #expect(words.contains("Wisdom"), "\(name)")
                if let other = displays.updateValue(name, forKey: words) {
                    Issue.record("\(name) and \(other) both say: \(words)")
                }
            }
        }
    }

    @Test func theSummaryIsWhatTheChangedDisplayShows() async throws {
        try await RunningSystem.read(
            ["w": "{kind: keyValue, source: push}"],
            displays: [
                "hall": "family: panel, width: 400, height: 300", "kitchen": "family: panel, width: 400, height: 300",
            ]
        ) { system, reader in
            let facts = Self.facts(["city": "Lisbon", "country": "Portugal", "ip": "192.0.2.1"])
            let first = try await reader.push(facts, counter: 1, system)
            let next = try await reader.press(.nextValue, counter: 1, display: "kitchen", system)
            #expect(next.changed == ["kitchen"])
            #expect(next.summary != first.summary)
            for (display, summary) in [("kitchen", next.summary), ("hall", first.summary)] {
                let texts = try await ShownLayout("w", on: display, system).texts
                for part in summary.components(separatedBy: " - ") { #expect(texts.contains(part)) }
            }
        }
    }
}
