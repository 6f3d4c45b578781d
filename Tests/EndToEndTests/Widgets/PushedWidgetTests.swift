// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import TestSupport
import Testing
import WidgetSchema

/// Widgets whose content an app pushes, as seen from the bus.
@Suite(.serialized, .timeLimit(.minutes(2))) struct PushedWidgetTests {
    /// An attempt of the app that fails: it is told so, and no cycle comes of it.
    private static func failToPush(counter: UInt64, _ system: RunningSystem) async {
        let other = Content.quote(QuoteContent(quotes: [Quote(text: "Begin.")]))
        await #expect(throws: RequestError.self) { try await ShownContent.push(other, counter: counter, system) }
    }

    private static func documents(_ titles: [String]) -> Content {
        .documents(
            DocumentsContent(
                documents: titles.map { RecentDocument(id: $0, title: $0, link: "notesapp://open/\($0.count)") }
            )
        )
    }

    @Test func documentsStandBelowQuickActionsThatNeedNoContent() async throws {
        let actions = ["New", "Scan", "Search"].map { "{title: \($0), icon: plus, url: \"notesapp://\($0)\"}" }
        let entry = "{kind: documents, source: push, name: Notes, actions: [\(actions.joined(separator: ", "))]}"
        try await RunningSystem.read(["w": entry]) { system, reader in
            let start = try await reader.next("the start") { $0.cause == "start" }
            #expect(start.verdict == "noData: missing")
            #expect(start.changed == [])
            #expect(start.hasContent == true)
            let empty = try await ShownLayout("w", on: "phone-expanded", system)
            #expect(empty.texts == ["New", "Scan", "Search", "Open Notes at least once before using this widget"])

            await Self.failToPush(counter: 1, system)
            #expect(try await ShownLayout("w", on: "phone-expanded", system).texts == empty.texts)

            let titles = ["Budget", "Letter", "Garden", "Recipes", "Travel"]
            let first = try await reader.push(Self.documents(titles), counter: 1, system)
            #expect(first.verdict == "newData: firstContent")
            let compact = try await ShownLayout("w", on: "phone-compact", system)
            #expect(compact.rows.isEmpty)
            #expect(compact.actions == ["New", "Scan", "Search"].map { .open(url: "notesapp://\($0)") })
            let expanded = try await ShownLayout("w", on: "phone-expanded", system)
            #expect(expanded.rows.count == 4)
            #expect(expanded.texts.contains("Recipes"))
            #expect(!expanded.texts.contains("Travel"))

            let same = try await reader.push(Self.documents(titles), counter: 2, system)
            #expect(same.verdict == "noData: sameContent")

            let below = try await reader.push(Self.documents(titles.dropLast() + ["Zoo"]), counter: 3, system)
            #expect(below.verdict == "noData: sameRows")

            let moved = try await reader.push(Self.documents(["Zoo"] + titles.dropLast()), counter: 4, system)
            #expect(moved.result == "newData")
            #expect(!moved.changed.contains("phone-compact"))
            #expect(moved.changed.contains("phone-expanded"))

            let last = try await ShownLayout("w", on: "phone-expanded", system).texts
            await Self.failToPush(counter: 5, system)
            #expect(try await ShownLayout("w", on: "phone-expanded", system).texts == last)
            let more = try await reader.press(.setExpanded(true), counter: 1, system)
            #expect(more.sequence == moved.sequence + 1)
            // Classic displays show four documents in either state.
            #expect(more.verdict == "noData: sameRows")

            for service in ["layout", "notifier", "cache"] { try await system.stop(service) }
            for service in ["cache", "notifier", "layout"] { try await system.start(service) }
            let back = try await reader.push(Self.documents(["Zoo"] + titles.dropLast()), counter: 5, system)
            #expect(back.result == "noData")
            #expect(try await ShownLayout("w", on: "phone-expanded", system).texts == last)
        }
    }

    private static func facts(_ pairs: KeyValuePairs<String, String>) -> Content {
        .keyValue(KeyValueContent(pairs: pairs.map { KeyValuePair(key: $0.key, value: $0.value) }))
    }

    @Test func hidingAndShowingAgainIsNewDataOnEveryDisplay() async throws {
        let entries = [
            "w": "{kind: documents, source: push}", "list": "{kind: documents, source: push, hideWhenEmpty: true}",
        ]
        try await RunningSystem.read(entries) { system, reader in
            let displays = ["phone-classic", "phone-compact", "phone-expanded"]
            var number = try await ShownContent.push(Self.documents(["Budget"]), counter: 1, system)
            #expect(try await reader.verdict(of: number, "content").result == "newData")
            for (counter, hasContent) in [(2, false), (3, true)] as [(UInt64, Bool)] {
                number = try await ShownContent.push(
                    Self.documents(["Budget"]),
                    counter: counter,
                    hasContent: hasContent,
                    system
                )
                let verdict = try await reader.verdict(of: number, "hasContent \(hasContent)")
                #expect(verdict.result == "newData")
                #expect(verdict.hasContent == hasContent)
                #expect(verdict.changed.sorted() == displays)
            }
            // The content itself may say so, too.
            for (counter, hasContent) in [(4, false), (5, nil)] as [(UInt64, Bool?)] {
                var content = Self.documents(["Budget"])
                content.hasContent = hasContent
                number = try await ShownContent.push(content, counter: counter, system)
                let verdict = try await reader.verdict(of: number, "content with \(hasContent, default: "nil")")
                #expect(verdict.result == "newData")
                #expect(verdict.hasContent == hasContent ?? true)
                #expect(verdict.changed.sorted() == displays)
            }
            // An empty list alone does not.
            number = try await ShownContent.push(Self.documents([]), counter: 6, system)
            let empty = try await reader.verdict(of: number, "no documents")
            #expect(empty.result == "newData")
            #expect(empty.hasContent == true)
            // So may the configuration, for a list without documents.
            for (counter, titles) in [(6, ["Budget"]), (7, []), (8, ["Budget"])] as [(UInt64, [String])] {
                let verdict = try await reader.push(Self.documents(titles), counter: counter, to: "list", system)
                #expect(verdict.result == "newData")
                #expect(verdict.hasContent == !titles.isEmpty)
                #expect(verdict.changed.sorted() == displays)
            }
        }
    }

    /// Returns the button's distance from the right edge of its layout, and how far below the middle it stands.
    private static func margins(_ display: String, _ system: RunningSystem) async throws -> [Double] {
        let layout = try await ShownLayout("w", on: display, system).layout
        let button = try #require(layout.views.first { $0.kind == .button }?.frame)
        return [layout.size.width - button.x - button.width, layout.size.height - button.height - 2 * button.y]
    }

    @Test func labelsApplyToPushedFactsAndADisplayMovesOnAloneAndStaysWhenAFactComesFirst() async throws {
        let entry = "{kind: keyValue, source: push, values: {Network: /asn, Zone: /location/zone, City: /city}}"
        try await RunningSystem.read(["w": entry]) { system, reader in
            let pushed = Self.facts(["city": "Lisbon", "ip": "192.0.2.1", "location.zone": "WET"])
            #expect(try await reader.push(pushed, counter: 1, system).result == "newData")
            guard case .keyValue(let facts) = try await ShownContent.content("w", system) else {
                throw DidNotArrive("facts")
            }
            #expect(facts.pairs.map(\.key) == ["Zone", "City"])
            // The margins of facts are for classic displays alone.
            #expect(try await Self.margins("phone-classic", system) == [10, 5])
            #expect(try await !Self.margins("phone-compact", system).contains { $0 == 10 || $0 == 5 })

            let classic = try await ShownLayout("w", on: "phone-classic", system).texts
            let moved = try await reader.press(.nextValue, counter: 1, display: "phone-compact", system)
            #expect(moved.result == "newData")
            #expect(moved.changed.sorted() == ["phone-compact", "phone-expanded"])
            #expect(try await ShownLayout("w", on: "phone-classic", system).texts == classic)
            let phone = try await ShownLayout("w", on: "phone-compact", system).texts
            #expect(phone != classic)

            // The shown facts stay when another one, the network, comes first.
            let more = Self.facts(["asn": "64500", "city": "Lisbon", "location.zone": "WET"])
            #expect(try await reader.push(more, counter: 2, system).result == "noData")
            #expect(try await ShownLayout("w", on: "phone-expanded", system).texts == phone)
        }
    }

    @Test func aQuoteThatWasNeverPushedAsksForItsApp() async throws {
        try await RunningSystem.read(["w": "{kind: quote, source: push, name: Wisdom}"]) { system, reader in
            let start = try await reader.next("the start") { $0.cause == "start" }
            #expect(start.verdict == "noData: missing")
            #expect(start.changed == [])
            #expect(start.hasContent == true)
            let shown = try await ShownLayout("w", on: "phone-compact", system)
            #expect(shown.texts == ["Open Wisdom at least once before using this widget"])

            let quote = Content.quote(QuoteContent(quotes: [Quote(text: "Begin.", author: "Ada", source: "Letters")]))
            let first = try await reader.push(quote, counter: 1, system)
            #expect(first.result == "newData")
            #expect(try await ShownLayout("w", on: "phone-compact", system).texts == ["Begin.", "Ada", "Letters"])
        }
    }
}
