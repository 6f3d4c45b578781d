// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import OriginSupport
import Testing
import WidgetSchema

/// A midnight that comes while everything runs, as seen from the bus.
///
/// No clock is set: the widgets' time zone is one in which the next day begins with one of the next minutes.
@Suite(.serialized, .timeLimit(.minutes(4))) struct MidnightTests {
    /// The maximum time in which the services start and show the first content, in milliseconds.
    private static let start: Int64 = 12_000
    private static let minute: Int64 = 60_000
    private static let minutesOfDay: Int64 = 1440
    /// Zones are at most this far east of Greenwich.
    private static let mostMinutesEast: Int64 = 720

    /// Returns a time zone with a fixed offset, the next midnight in it, and its days.
    private static func nextMidnight() throws -> (zone: String, instant: Instant, days: LocalDays) {
        let now = Int64(Date().timeIntervalSince1970 * 1000)
        let midnight = ((now + start) / minute + 1) * minute
        let ahead = minutesOfDay - midnight / minute % minutesOfDay
        let offset = ahead > mostMinutesEast ? ahead - minutesOfDay : ahead
        let (hours, minutes) = abs(offset).quotientAndRemainder(dividingBy: 60)
        func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let zone = "GMT\(offset < 0 ? "-" : "+")\(two(hours))\(two(minutes))"
        return (zone, Instant(milliseconds: midnight), try #require(LocalDays(identifier: zone)))
    }

    @Test func atMidnightTheNextDayIsShownAtOnceAndWithoutARequest() async throws {
        try await withScriptedOrigin { origin in
            let (zone, midnight, days) = try Self.nextMidnight()
            let today = days.date(at: midnight.advanced(byMilliseconds: -1))
            let tomorrow = days.date(at: midnight)
            try #require(tomorrow == today.advanced(byDays: 1))
            let dates = (0..<8).map { "\"\(today.advanced(byDays: $0))\"" }.joined(separator: ",")
            origin.serve(
                "/forecast",
                body: """
                    {"generationtime_ms": 0.1, "daily_units": {"temperature_2m_max": "°C", "temperature_2m_min": "°C"},
                     "daily": {"time": [\(dates)], "weather_code": [0, 3, 61, 71, 95, 45, 2, 1],
                     "temperature_2m_max": [11, 22, 33, 14, 15, 16, 17, 18],
                     "temperature_2m_min": [1, 2, 3, 4, 5, 6, 7, 8]}}
                    """,
                contentType: "application/json"
            )
            let quotes = (1...366).map { "{\"text\": \"Quote \($0)\", \"author\": \"Ada\"}" }
            origin.serve("/quotes", body: "[\(quotes.joined(separator: ","))]", contentType: "application/json")
            origin.serve(
                "/rows",
                body: "[{\"title\": \"One\", \"date\": \"\(today)T12:00:00Z\"}]",
                contentType: "application/json"
            )
            let turning = ["days", "words"]
            let widgets = [
                // Dates of rows and posts are dates, and look the same on the next day.
                "rows": "{kind: json, source: \"\(origin.url("/rows"))\", timeZone: \(zone), "
                    + "items: {title: /title, date: /date}}",
                "days": "{kind: forecast, source: \"\(origin.url("/forecast"))\", timeZone: \(zone)}",
                "words": "{kind: quote, source: \"\(origin.url("/quotes"))\", timeZone: \(zone)}",
            ]
            try await RunningSystem.read(widgets, fetching: ["interval": "1h"]) { system, reader in
                for widget in widgets.keys.sorted() {
                    let first = try await reader.next("the first content", of: widget) { $0.reason == "firstContent" }
                    let time = try #require(first.time)
                    try #require(time < midnight, "the services took longer to start than there was until midnight")
                }
                let before = try await ShownLayout("days", on: "phone-expanded", system)
                #expect(before.rows.count == 5)
                #expect(
                    try await ShownLayout("words", on: "phone-compact", system).texts.first
                        == "Quote \(today.dayOfYear)"
                )
                let requests = ["/forecast", "/quotes", "/rows"].map { origin.requests($0).count }

                for widget in turning {
                    let isClock: @Sendable (IndependentReader.Seen) -> Bool = {
                        $0.widget == widget && $0.cause == "clock"
                    }
                    try await reader.read("midnight of \(widget)", within: .seconds(110)) {
                        $0.updates.contains(where: isClock)
                    }
                    let turn = try #require(reader.record.updates.first(where: isClock))
                    #expect(turn.result == "newData")
                    #expect(turn.outcome == "fresh")
                    #expect(Set(turn.changed).isSuperset(of: ["phone-compact", "phone-expanded"]))
                    #expect(try #require(turn.time) >= midnight)
                }
                #expect(["/forecast", "/quotes", "/rows"].map { origin.requests($0).count } == requests)
                #expect(!reader.record.updates.contains { $0.widget == "rows" && $0.cause == "clock" })
                let after = try await ShownLayout("days", on: "phone-expanded", system)
                #expect(after.rows.count == 5)
                #expect(after.texts.first == "Today")
                // The day that has passed is gone, and the one after it is today.
                #expect(Self.texts(of: after.rows[0]).dropFirst() != Self.texts(of: before.rows[0]).dropFirst())
                #expect(Self.texts(of: after.rows[0]).contains("72°"))
                #expect(after.actions == (0..<5).map { .open(url: "weatherwidget://?daysFromNow=\($0)") })
                #expect(
                    try await ShownLayout("words", on: "phone-compact", system).texts.first
                        == "Quote \(tomorrow.dayOfYear)"
                )
            }
        }
    }

    private static func texts(of view: LayoutView) -> [String] {
        (view.text?.lines.map(\.text) ?? []) + (view.views ?? []).flatMap(texts)
    }
}
