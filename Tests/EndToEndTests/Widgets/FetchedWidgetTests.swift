// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import OriginSupport
import Testing
import WidgetSchema

/// Widgets whose content is fetched, from the first failure over content and interactions to a restart, as seen from
/// the bus.
@Suite(.serialized, .timeLimit(.minutes(2))) struct FetchedWidgetTests {
    private static let path = "/page"
    private static let json = "application/json"

    private static func entry(_ kind: String, _ origin: ScriptedOrigin, _ more: String = "") -> [String: String] {
        ["w": "{kind: \(kind), source: \"\(origin.url(path))\"\(more)}"]
    }

    private static let error = ["An error occurred while retrieving data"]

    @Test func aPressThatTheHostRefusesShowsTheErrorOrLoadingIfNoAttemptHasEnded() async throws {
        try await withScriptedOrigin { origin in
            let paths = ["w": "/w", "other": "/other"]
            for path in paths.values {
                origin.serveScript(path, [ScriptedAnswer(status: 429, headers: ["Retry-After": "3600"])])
            }
            try await RunningSystem.read(
                paths.mapValues { "{kind: keyValue, source: \"\(origin.url($0))\"}" },
                fetching: ["hostConcurrency": "1"]
            ) { system, reader in
                try await reader.read("a refusal") { $0.updates.contains { $0.outcome == "failed" } }
                let failure = try #require(reader.record.updates.first { $0.outcome == "failed" })
                #expect(failure.reason == "rateLimited")
                let asked = failure.widget
                // The other widget has no attempt that the 15 s could count from: the host's block alone refuses.
                let waiting = try #require(paths.keys.first { $0 != asked })
                for (widget, texts) in [asked: Self.error, waiting: ["Loading…"]] {
                    let verdict = try await reader.press(.nextValue, counter: 1, to: widget, system)
                    #expect(verdict.result == "noData")
                    #expect(verdict.hasContent == true)
                    #expect(try await ShownLayout(widget, on: "phone-compact", system).texts == texts)
                }
                #expect(origin.requestCount == 1)
            }
        }
    }

    @Test func aPressShowsRefreshingWhileARequestIsHeldAndTheErrorWithin15SecondsOfItsFailure() async throws {
        try await withScriptedOrigin { origin in
            origin.setStatus(Self.path, 503)
            origin.hold(Self.path)
            try await RunningSystem.read(
                Self.entry("keyValue", origin),
                fetching: ["interval": "1h", "minimumInterval": "1h", "leaseDuration": "60s"]
            ) { system, reader in
                try #require(await origin.waitForRequests(Self.path, count: 1, deadline: .seconds(20)))
                let held = try await ShownContent.send(.nextValue, counter: 1, to: "w", system)
                _ = try await reader.verdict(of: held, "the press while the request is held")
                #expect(try await ShownLayout("w", on: "phone-compact", system).texts == ["Refreshing…"])

                origin.release(Self.path)
                let failure = try await reader.next("the failure", after: held) { $0.outcome == "failed" }
                #expect(failure.reason == "transient")
                #expect(try await ShownLayout("w", on: "phone-compact", system).texts == Self.error)

                #expect(try await reader.press(.nextValue, counter: 2, system).result == "noData")
                #expect(try await ShownLayout("w", on: "phone-compact", system).texts == Self.error)
                #expect(origin.requests(Self.path).count == 1)
            }
        }
    }

    @Test func aPressRefreshesWhileItsRequestWaitsForItsTurnUntilTheHostBlocks() async throws {
        try await withScriptedOrigin { origin in
            let paths = ["w": "/w", "other": "/other"]
            for path in paths.values {
                origin.serveScript(path, [ScriptedAnswer(status: 429, headers: ["Retry-After": "3600"])])
                origin.hold(path)
            }
            try await RunningSystem.read(
                paths.mapValues { "{kind: keyValue, source: \"\(origin.url($0))\"}" },
                fetching: ["hostConcurrency": "1", "leaseDuration": "60s"]
            ) { system, reader in
                let first = await withTaskGroup(of: String?.self) { group in
                    for (widget, path) in paths {
                        group.addTask {
                            await origin.waitForRequests(path, count: 1, deadline: .seconds(20)) ? widget : nil
                        }
                    }
                    defer { group.cancelAll() }
                    return await group.first { $0 != nil } ?? nil
                }
                let asked = try #require(first)
                let waiting = try #require(paths.keys.first { $0 != asked })
                let pressed = try await ShownContent.send(.nextValue, counter: 1, to: waiting, system)
                _ = try await reader.next("the press", of: waiting) { $0.sequence == pressed }
                #expect(try await ShownLayout(waiting, on: "phone-compact", system).texts == ["Refreshing…"])

                origin.release(try #require(paths[asked]))
                _ = try await reader.next("the block", of: waiting, after: pressed) { _ in true }
                #expect(try await ShownLayout(waiting, on: "phone-compact", system).texts == ["Loading…"])
                #expect(origin.requestCount == 1)
            }
        }
    }

    /// A widget `w` whose page fails at first.
    private struct Scene {
        let origin: ScriptedOrigin
        let system: RunningSystem
        let reader: IndependentReader

        /// Runs `body` beside all services; `more` joins the widget's entry in the configuration.
        static func with(_ kind: String, _ more: String = "", _ body: (Scene) async throws -> Void) async throws {
            try await withScriptedOrigin { origin in
                origin.setStatus(path, 503)
                try await RunningSystem.read(entry(kind, origin, more)) { system, reader in
                    try await body(Scene(origin: origin, system: system, reader: reader))
                }
            }
        }

        /// Returns the widget's layout on a display.
        func shown(on display: String) async throws -> ShownLayout { try await ShownLayout("w", on: display, system) }

        /// Checks the updates of a page that fails, then has `content`, then `elsewhere`, and then fails again.
        ///
        /// `elsewhere` differs from `content` only in parts that no display shows. Returns the layout of `display` with
        /// the first content.
        func live(
            _ content: String,
            then elsewhere: (ShownLayout) throws -> String,
            on display: String,
            after number: UInt64 = 0
        ) async throws -> ShownLayout {
            let failure = try await reader.next("a failure without content", after: number) { $0.outcome == "failed" }
            #expect(failure.verdict == "failed: transient")
            // The error is shown, so hosts do not hide the widget.
            #expect(failure.hasContent == true)
            #expect(try await shown(on: display).texts.contains(error[0]))
            origin.serve(path, body: content, contentType: json)
            origin.setStatus(path, nil)
            let first = try await reader.next("the first content") { $0.reason == "firstContent" }
            #expect(first.result == "newData")
            #expect(!first.changed.isEmpty)
            let seen = try await shown(on: display)
            let same = try await reader.next("nothing new", after: first.sequence) { $0.outcome == "notModified" }
            #expect(same.result == "noData")
            origin.serve(path, body: try elsewhere(seen), contentType: json)
            let below = try await reader.next("an unseen change", after: same.sequence) { $0.outcome == "changed" }
            #expect(below.verdict == "noData: sameRows")
            origin.setStatus(path, 500)
            let again = try await reader.next("a later failure", after: below.sequence) { $0.outcome == "failed" }
            #expect(again.result == "failed")
            #expect(again.changed == [])
            #expect(try await shown(on: display).texts == seen.texts)
            origin.setStatus(path, nil)
            for service in ["layout", "notifier", "cache"] { try await system.stop(service) }
            for service in ["cache", "notifier", "layout"] { try await system.start(service) }
            let back = try await reader.next("the way back", after: again.sequence) { $0.outcome == "notModified" }
            #expect(back.result == "noData")
            #expect(try await shown(on: display).texts == seen.texts)
            #expect(reader.record.updates.count { $0.result == "newData" } == 1)
            return seen
        }

        /// Checks that the command `setExpanded` causes a cycle without a fetch that changes only `displays`.
        ///
        /// A display changes if its host has no modes and the widget has more rows.
        func toggle(changes displays: [String]) async throws {
            for (counter, isExpanded) in [(UInt64(101), true), (102, false)] {
                let verdict = try await reader.press(.setExpanded(isExpanded), counter: counter, system)
                #expect(verdict.cause == "interaction")
                #expect(verdict.outcome == "fresh")
                #expect(verdict.result == (displays.isEmpty ? "noData" : "newData"))
                #expect(verdict.changed == displays)
            }
        }
    }

    @Test func aBlogShowsItsLatestPostsAndThoseBelowTheFoldAreNotSeen() async throws {
        func page(_ last: String) -> String {
            let items = (1...8).map { number in
                "{\"id\": \"\(number)\", \"title\": \"\(number == 8 ? last : "Post \(number)")\", "
                    + "\"url\": \"https://example.org/\(number)\"}"
            }
            return "{\"version\": \"https://jsonfeed.org/version/1.1\", \"title\": \"Blog\", "
                + "\"items\": [\(items.joined(separator: ","))]}"
        }
        try await Scene.with("feed") { scene in
            let shown = try await scene.live(page("last"), then: { _ in page("changed") }, on: "phone-expanded")
            #expect(shown.rows.count == 6)
            #expect(shown.texts.prefix(2) == ["Post 1", "Post 2"])
            #expect(shown.actions == (1...6).map { .open(url: "https://example.org/\($0)") })
            try await scene.toggle(changes: ["phone-classic"])
        }
    }

    @Test func theShownFactStaysWhenOthersComeAndGoUntilAButtonMovesOn() async throws {
        let facts = ["city": "Lisbon", "country": "Portugal", "ip": "192.0.2.17"]
        func page(_ facts: [String: String]) throws -> String {
            String(decoding: try JSONEncoder().encode(facts), as: UTF8.self)
        }
        try await Scene.with("keyValue") { scene in
            let (system, reader) = (scene.system, scene.reader)
            _ = try await reader.next("a failure") { $0.outcome == "failed" }
            let pressed = try await ShownContent.send(.nextValue, counter: 1, to: "w", system)
            let refreshing = try await reader.verdict(of: pressed, "a verdict on the button")
            #expect(refreshing.verdict == "noData: missing")
            #expect(refreshing.changed == [])
            // Within 15 s of the failure no request is made for the press; the next attempt may be in flight.
            let answer = try await ShownLayout("w", on: "phone-compact", at: pressed, system).texts
            #expect(answer == Self.error || answer == ["Refreshing…"])
            func elsewhere(_ shown: ShownLayout) throws -> String {
                var other = facts
                let hidden = facts.keys.filter { !shown.texts[0].hasPrefix("\($0) - ") }
                try #require(hidden.count == 2)
                other[hidden[0]] = "changed"
                other[hidden[1]] = nil
                // It comes before all others.
                other["area"] = "Europe"
                return try page(other)
            }
            let shown = try await scene.live(try page(facts), then: elsewhere, on: "phone-compact", after: pressed)
            #expect(facts.contains { shown.texts == ["\($0.key) - \($0.value)"] })
            #expect(shown.actions == [.command(.nextValue)])
            let last = reader.record.last["w"] ?? 0
            scene.origin.serve(Self.path, body: try page(facts), contentType: Self.json)
            let without = try await reader.next("no first fact", after: last) { $0.outcome == "changed" }
            #expect(without.verdict == "noData: sameRows")
            #expect(try await scene.shown(on: "phone-compact").texts == shown.texts)
            let number = try await ShownContent.send(.nextValue, counter: 2, to: "w", system)
            let next = try await reader.verdict(of: number, "the next fact")
            #expect(next.result == "newData")
            #expect(next.cause == "interaction")
            #expect(next.outcome == "fresh")
            #expect(next.changed.sorted() == ["phone-classic", "phone-compact", "phone-expanded"])
            #expect(try await ShownLayout("w", on: "phone-compact", at: number, system).texts != shown.texts)
        }
    }

    /// Returns a forecast of eight days from `first` on, in the format of Open-Meteo.
    private static func forecast(from first: String, lastHigh: Double = 20) throws -> String {
        let start = try #require(CalendarDate(first))
        let days = (0..<8).map { "\"\(start.advanced(byDays: $0))\"" }.joined(separator: ",")
        let highs = (0..<7).map { "\(10 + $0)" }.joined(separator: ",")
        return """
            {"generationtime_ms": 0.1, "daily_units": {"temperature_2m_max": "°C", "temperature_2m_min": "°C"},
             "daily": {"time": [\(days)], "weather_code": [0, 3, 61, 71, 95, 45, 2, 1],
             "temperature_2m_max": [\(highs), \(lastHigh)], "temperature_2m_min": [1, 2, 3, 4, 5, 6, 7, 8]}}
            """
    }

    @Test func aForecastShowsTodayFirstAndItsLaterDaysBelowTheFold() async throws {
        let today = "\(CalendarDate(daysSince1970: Int(Date().timeIntervalSince1970 / 86_400)))"
        try await Scene.with("forecast", ", timeZone: UTC") { scene in
            let cold = try Self.forecast(from: today, lastHigh: -5)
            let shown = try await scene.live(try Self.forecast(from: today), then: { _ in cold }, on: "phone-expanded")
            #expect(shown.rows.count == 5)
            #expect(shown.texts.contains("Today"))
            #expect(shown.actions == (0..<5).map { .open(url: "weatherwidget://?daysFromNow=\($0)") })
            let compact = try await scene.shown(on: "phone-compact")
            #expect(compact.rows.count == 1)
            #expect(compact.layout.size.height == 110)
            try await scene.toggle(changes: ["phone-classic"])
        }
    }

    @Test func aQuoteIsTheDaysOwnAndThoseOfOtherDaysAreNotSeen() async throws {
        let day = CalendarDate(daysSince1970: Int(Date().timeIntervalSince1970 / 86_400)).dayOfYear
        func page(_ other: String) -> String {
            let quotes = (1...366).map { number in
                "{\"text\": \"Quote \(number)\(number == (day + 180) % 366 ? other : "")\", \"author\": \"Ada\"}"
            }
            return "[\(quotes.joined(separator: ","))]"
        }
        try await Scene.with("quote", ", timeZone: UTC") { scene in
            let shown = try await scene.live(page(""), then: { _ in page(", once more") }, on: "phone-compact")
            #expect(shown.texts == ["Quote \(day)", "Ada"])
            try await scene.toggle(changes: [])
        }
    }

    @Test func rowsOfAnyDocumentAreShownAsDescribed() async throws {
        let items = "{list: /builds, id: /n, title: /branch, subtitle: {pointer: /done, format: percent}, link: /url}"
        func page(_ last: String) -> String {
            let builds = (1...9).map { number in
                "{\"n\": \(number), \"branch\": \"\(number == 9 ? last : "b\(number)")\", \"done\": 0.5, "
                    + "\"url\": \"/\(number)\"}"
            }
            return "{\"builds\": [\(builds.joined(separator: ","))]}"
        }
        try await Scene.with("json", ", items: \(items)") { scene in
            let shown = try await scene.live(page("last"), then: { _ in page("changed") }, on: "phone-expanded")
            #expect(shown.rows.count == 6)
            #expect(shown.texts.prefix(2) == ["b1", "50%"])
            #expect(shown.actions.first == .open(url: scene.origin.url("/1")))
            try await scene.toggle(changes: ["phone-classic"])
        }
    }
}
