// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Testing
import WidgetSchema

@testable import LayoutEngine

@Suite struct ForecastLayoutTests {
    @Test func compactIsTodayAloneInExactlyTheHostsHeight() throws {
        let layout = try Sample.draw(try Sample.forecast(), on: try Sample.today(.compact))
        #expect(layout.size == Size(width: 359, height: 110))
        #expect(layout.rows.count == 1)
        #expect(layout.rows.first?.frame == Rectangle(x: 0, y: 0, width: 359, height: 110))
        #expect(layout.lines == ["Today", "Clear", "50°", "32°"])
        #expect(layout.all.first { $0.kind == .image }?.image?.symbol == "sun.max")
    }

    @Test func expandedIsFiveDaysOfWhichTheFirstIsHigher() throws {
        let layout = try Sample.draw(try Sample.forecast(), on: try Sample.today(.expanded))
        #expect(layout.rows.map(\.frame.height) == [110, 50, 50, 50, 50])
        #expect(layout.size.height == 110 + 4 * 50)
        #expect(layout.rows.map { $0.lines.first } == ["Today", "Sunday", "Monday", "Tuesday", "Wednesday"])
    }

    @Test func expandedIsTheSumOfWholeRowsAndAtMostTheHostsMaximum() throws {
        let low = try Sample.today(.expanded) { $0.maximumHeight = 259 }
        let layout = try Sample.draw(try Sample.forecast(), on: low)
        #expect(layout.rows.map(\.frame.height) == [110, 50, 50])
        #expect(layout.size.height == 210)
        #expect(try Sample.draw(try Sample.forecast(days: 2), on: try Sample.today(.expanded)).size.height == 160)
    }

    @Test func atMidnightOfTheWidgetsZoneTheDaysMoveOn() throws {
        let content = try Sample.forecast()
        // 23:00 in London is midnight in Berlin.
        let moment = Instant(year: 2026, month: 11, day: 21, millisecondsOfDay: 23 * 3_600_000)
        func first(_ zone: String, before: Int64) throws -> [String] {
            let layout = try Sample.draw(content, on: try Sample.today(.compact), timeZone: zone) {
                $0.instant = moment.advanced(byMilliseconds: -before)
            }
            return layout.lines
        }
        #expect(try first("Europe/Berlin", before: 1) == ["Today", "Clear", "50°", "32°"])
        #expect(try first("Europe/Berlin", before: 0) == ["Today", "Mostly clear", "52°", "34°"])
        #expect(try first("UTC", before: 0) == ["Today", "Clear", "50°", "32°"])
    }

    @Test func daysThatHavePassedAreNotShownAndWithoutAnyItSaysSo() throws {
        let compact = try Sample.today(.compact)
        #expect(try Sample.draw(try Sample.forecast(from: "2026-11-20"), on: compact).lines.first == "Today")
        #expect(try Sample.draw(try Sample.forecast(from: "2026-11-23"), on: compact).lines.first == "Monday")
        #expect(try Sample.draw(try Sample.forecast(from: "2026-11-01"), on: compact).lines == ["No forecast"])
        #expect(try Sample.draw(try Sample.forecast(from: "2026-11-26"), on: compact).lines == ["No forecast"])
    }

    @Test func aTapOpensTheDay() throws {
        let layout = try Sample.draw(try Sample.forecast(from: "2026-11-20"), on: try Sample.today(.expanded))
        let actions = (0..<5).map { LayoutAction.open(url: "weatherwidget://?daysFromNow=\($0)") }
        #expect(layout.rows.map(\.action) == actions)
    }

    @Test func temperaturesAndNamesAreThoseOfTheLocale() throws {
        func lines(_ locale: String) throws -> [String] {
            let display = try Sample.today(.expanded) { $0.locale = locale }
            return try Sample.draw(try Sample.forecast(days: 2), on: display).lines
        }
        #expect(try lines("de_DE") == ["Heute", "Klar", "10°", "0°", "Sonntag", "Überwiegend klar", "1°", "11°"])
        #expect(try lines("ja_JP").prefix(3) == ["今日", "晴れ", "10°"])
        // Behind the mark, digits and degrees run as the text beside them does.
        #expect(try lines("ar_EG").prefix(3) == ["اليوم", "صافٍ", "\u{200F}١٠°"])
    }

    @Test(arguments: ["ar_EG", "he_IL"]) func aRangeOfTemperaturesRunsFromRightToLeft(locale: String) throws {
        let lock = try Sample.today(.compact) {
            $0.locale = locale
            $0.family = .accessoryRectangular
            $0.mode = nil
        }
        let lines = try Sample.draw(try Sample.forecast(days: 2), on: lock).lines
        let range = try #require(lines.first { $0.contains("–") })
        #expect(TextDirection(of: range) == .rightToLeft)
    }

    @Test func whatIsUnknownIsLeftOut() throws {
        let day = ForecastDay(date: try Sample.day("2026-11-21"), condition: .fog, low: .nan)
        let layout = try Sample.draw(.forecast(ForecastContent(days: [day])), on: try Sample.today(.compact))
        #expect(layout.lines == ["Today", "Fog"])
    }

    @Test(arguments: ContentSizeCategory.allCases)
    func theFirstDayHasItsNameAndTemperaturesAtEveryTextSize(category: ContentSizeCategory) throws {
        let display = try Sample.display("iphone-320", .today, .compact, at: category)
        let layout = try Sample.draw(try Sample.forecast(), on: display, measurer: TextMeasurer())
        for text in ["Today", "50°", "32°"] { #expect(layout.lines.contains(text), "\(layout.lines)") }
    }

    @Test(arguments: [("iphone-320", 304.0), ("iphone-375", 359.0), ("iphone-430", 414.0)])
    func theLowTemperatureIsBeforeTheHighOneAtTheTrailingEdge(device: String, width: Double) throws {
        for category in ContentSizeCategory.allCases where category >= .accessibilityMedium {
            let display = try Sample.display(device, .today, .expanded, at: category)
            let layout = try Sample.draw(try Sample.forecast(), on: display, measurer: TextMeasurer())
            #expect(layout.rows.count > 1)
            for row in layout.rows {
                let temperatures = row.all.filter { $0.lines.first?.hasSuffix("°") == true && $0.text != nil }
                    .sorted { $0.frame.x < $1.frame.x }
                #expect(temperatures.map { $0.text?.color } == [.secondaryLabel, .label], "\(category) \(row.lines)")
                let end = temperatures.last.map { $0.frame.x + $0.frame.width } ?? 0
                #expect(abs(end - (width - 16)) <= 1, "\(category)")
            }
        }
    }

    @Test func conditionsAreShownAtTheFirstAccessibilitySize() throws {
        let display = try Sample.today(.expanded) {
            $0.contentSizeCategory = .accessibilityMedium
            $0.compactHeight = 177
        }
        let first = try Sample.day("2026-11-21")
        let days = (0..<4).map { ForecastDay(date: first.advanced(byDays: $0), condition: .rain, low: 2, high: 9) }
        let content = Content.forecast(ForecastContent(days: days))
        let layout = try Sample.draw(content, on: display, measurer: TextMeasurer())
        #expect(layout.rows.count > 1)
        for row in layout.rows { #expect(row.lines.contains("Rain")) }
    }
}
