// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import SourceParsing
import Testing
import WidgetSchema

@Suite struct ForecastTests {
    private static func date(_ text: String) throws -> CalendarDate { try #require(CalendarDate(text)) }

    private static func day(
        _ date: String,
        _ condition: WeatherCondition,
        _ low: Double? = nil,
        _ high: Double? = nil
    ) throws -> ForecastDay {
        ForecastDay(date: try Self.date(date), condition: condition, low: low, high: high)
    }

    @Test func openMeteoGivesDaysAndPassesOverNulls() throws {
        let days = try KindSamples.days(KindSamples.openMeteo)
        #expect(
            days == [
                try Self.day("2026-11-21", .cloudy, 2.1, 8.4), try Self.day("2026-11-22", .unknown, 0.5),
                try Self.day("2026-11-23", .hail, nil, 5),
            ]
        )
    }

    @Test func whatChangesWithEveryAnswerChangesNothing() throws {
        let later = KindSamples.openMeteo.replacing("0.24", with: "17.5").replacing("40.0", with: "41")
        #expect(try KindSamples.days(later) == KindSamples.days(KindSamples.openMeteo))
    }

    @Test func fahrenheitBecomesCelsius() throws {
        let days = try KindSamples.days(
            """
            {"daily_units":{"temperature_2m_max":"°F","temperature_2m_min":"°F"},"daily":{"time":["2026-11-21"],
            "temperature_2m_max":[50],"temperature_2m_min":[33.5]}}
            """
        )
        #expect(days.map(\.high) == [10])
        #expect(days.map(\.low) == [0.8])
    }

    @Test func secondsAreDaysOfThePlace() throws {
        let daily = #"{"utc_offset_seconds":3600,"daily":{"time":[1795215600],"weathercode":[61]}}"#
        let days = try KindSamples.days(daily)
        #expect(days == [try Self.day("2026-11-21", .rain)])
    }

    @Test func daysOfWhichNothingIsKnownAreLeftOut() throws {
        let days = try KindSamples.days(#"{"daily":{"time":["2026-11-21","2026-11-22"],"weather_code":[0,null]}}"#)
        #expect(days.map(\.condition) == [.clear])
    }

    @Test func anErrorIsNoForecast() throws {
        let fault = try #require(KindSamples.fault(#"{"error":true,"reason":"Latitude must be in range"}"#, .forecast))
        #expect(fault.kind == .refused)
        #expect(fault.message == "/error: the origin says: Latitude must be in range")
        #expect(fault.line == 1)
        #expect(fault.column == 10)
        let reason = #"{"error":true,"reason":"Hourly API request limit exceeded. Please try again."}"#
        let limited = KindSamples.fault(reason, .forecast)
        #expect(limited?.kind == .rateLimited)
    }

    @Test(arguments: SampleText.all("faults of forecasts"))
    func aFaultNamesItsPlace(_ forecast: SampleText) throws {
        let fault = try #require(KindSamples.fault(forecast.text, .forecast))
        let expected = try #require(forecast.expected)
        #expect(fault.message.contains(expected), "\(fault.message)")
        #expect(fault.line == 1 && fault.column != nil)
    }

    // MARK: MET Norway

    private static func entry(_ time: String, _ temperature: Double, _ periods: [String: String] = [:]) -> String {
        let summaries = periods.sorted { $0.key < $1.key }.map {
            #","next_\#($0.key)_hours":{"summary":{"symbol_code":"\#($0.value)"},"details":{}}"#
        }.joined()
        return #"{"time":"\#(time)","data":{"instant":{"details":{"air_temperature":\#(temperature)}}\#(summaries)}}"#
    }

    private static func location(_ entries: [String]) -> String {
        #"{"type":"Feature","properties":{"meta":{"updated_at":"2026-11-21T10:00:00Z"},"timeseries":["#
            + entries.joined(separator: ",") + "]}}"
    }

    private static let hours = location([
        entry("2026-11-21T09:00:00Z", 3, ["1": "fog", "6": "rain", "12": "cloudy"]),
        entry("2026-11-21T12:00:00Z", 7.5, ["1": "fog", "6": "partlycloudy_day", "12": "cloudy"]),
        entry("2026-11-21T23:30:00Z", -2, ["1": "clearsky_night"]),
        entry("2026-11-22T06:00:00Z", 0, ["6": "lightsnowshowers_day", "12": "snow"]),
        entry("2026-11-22T12:00:00Z", 1.5, ["12": "heavyrainandthunder"]),
        entry("2026-11-22T18:00:00Z", 4, ["6": "lightssnowshowersandthunder_night"]), entry("2026-11-23T00:00:00Z", 9),
        entry("2026-11-23T06:00:00Z", 9),
    ])

    @Test func hoursBecomeDaysWithTheSymbolOfNoon() throws {
        let days = try KindSamples.days(Self.hours, timeZone: "UTC")
        let first = try Self.day("2026-11-21", .partlyCloudy, -2, 7.5)
        #expect(days == [first, try Self.day("2026-11-22", .thunderstorm, 0, 4)])
    }

    @Test func daysAreThoseOfTheTimeZone() throws {
        let days = try KindSamples.days(Self.hours, timeZone: "Europe/Berlin")
        #expect(days.map(\.low) == [3, -2])
        #expect(days.map(\.date.description) == ["2026-11-21", "2026-11-22"])
        let west = try KindSamples.days(Self.hours, timeZone: "America/Los_Angeles")
        // What is the morning of the 23rd in Greenwich is the evening of the 22nd there.
        #expect(west.map(\.high) == [7.5, 9])
    }

    @Test func theOnlyDayStaysThoughItsNoonIsOver() throws {
        let days = try KindSamples.days(Self.location([Self.entry("2026-11-21T03:00:00Z", 3, ["1": "sleet_night"])]))
        #expect(days.map(\.condition) == [.sleet])
        #expect(try KindSamples.days(Self.location([])).isEmpty)
    }

    @Test func theCompleteFormHasExtremes() throws {
        let days = try KindSamples.days(
            """
            {"properties":{"timeseries":[{"time":"2026-11-21T12:00:00Z","data":{"instant":{"details":
            {"air_temperature":5}},"next_6_hours":{"details":{"air_temperature_max":8,"air_temperature_min":4}}}}]}}
            """
        )
        #expect(days.map(\.high) == [8])
        #expect(days.map(\.low) == [4])
    }

    @Test func anUnknownTimeZoneIsSaid() {
        let fault = KindSamples.fault(Self.hours, .forecast, options: ["timeZone": "Mars/Base"])
        #expect(fault?.message.contains("timeZone: 'Mars/Base' is not a time zone") == true)
    }

    // MARK: Lists of days

    @Test(arguments: [
        #"{"days":[%@]}"#, "[%@]", #"{"kind":"forecast","forecast":{"days":[%@]}}"#, #"{"updated":1,"days":[%@]}"#,
    ])
    func anAppListsItsDays(form: String) throws {
        let list =
            #"{"date":"2026-11-22","condition":"snow","low":-3,"high":0.5},"#
            + #"{"date":"2026-11-21","condition":61,"low":null,"high":"4"},{"date":"2026-11-23"}"#
        let days = try KindSamples.days(form.replacing("%@", with: list))
        #expect(
            days == [
                try Self.day("2026-11-21", .rain, nil, 4), try Self.day("2026-11-22", .snow, -3, 0.5),
                try Self.day("2026-11-23", .unknown),
            ]
        )
    }

    @Test func contentOfAnotherKindIsSaid() {
        let fault = KindSamples.fault(#"{"kind":"quote","quote":{"quotes":[]}}"#, .forecast)
        #expect(fault?.message == "/kind: the content is of kind quote; kind forecast was expected")
    }

    private static func days(_ text: String, received: Instant? = nil) throws -> [ForecastDay] {
        let content = try SourceParser.parse(
            SourceBody(Data(text.utf8), contentType: nil, documentURL: "file:forecast", received: received),
            parsing: Parsing(kind: .forecast, options: ["timeZone": "Europe/Berlin"])
        )
        guard case .forecast(let forecast) = content else { return [] }
        return forecast.days
    }

    @Test func anUnknownConditionIsKeptAsItIsGiven() throws {
        let days = try Self.days(
            #"{"days":[{"date":"2026-11-21","condition":" Volcanic  ash "},{"date":"2026-11-22","condition":"Partly Cloudy"}]}"#
        )
        #expect(
            days == [
                ForecastDay(date: try Self.date("2026-11-21"), condition: .unknown, conditionText: "Volcanic ash"),
                try Self.day("2026-11-22", .partlyCloudy),
            ]
        )
    }

    @Test func relativeDaysCountFromTheDocumentsDayElseFromTheDayOfReceipt() throws {
        let list =
            #""forecast":[{"daysFromNow":1,"condition":"rain","lowTemperature":3,"highTemperature":9},{"daysFromNow":0}]"#
        let expected = [try Self.day("2026-11-21", .unknown), try Self.day("2026-11-22", .rain, 3, 9)]
        #expect(try Self.days(#"{"date":"2026-11-21",\#(list)}"#) == expected)
        // 23:30 in UTC is the next day in Berlin.
        let received = try #require(Instant("2026-11-20T23:30:00Z"))
        #expect(try Self.days("{\(list)}", received: received) == expected)
        #expect(throws: ParsingError.self) { try Self.days("{\(list)}") }
        let fault = KindSamples.fault(#"{"forecast":[{"daysFromNow":-1}]}"#, .forecast)
        #expect(fault?.message.contains("/forecast/0/daysFromNow") == true)
    }

    @Test(arguments: ["condition", "forecast", "weather"], [#""Light rain""#, #""rain""#, "61", #""61""#])
    func aConditionHasOneOfThreeNames(name: String, value: String) throws {
        let received = try #require(Instant("2026-11-21T12:00:00Z"))
        let days = try Self.days(#"[{"daysFromNow":0,"\#(name)":\#(value)}]"#, received: received)
        let isKnown = value != #""Light rain""#
        #expect(days.map(\.condition) == [isKnown ? .rain : .unknown])
        #expect(days.map(\.conditionText) == [isKnown ? nil : "Light rain"])
    }

    @Test(arguments: [
        #"[{"date":"2026-11-21","cond":"rain"},{"date":"2026-11-22"}]"#,
        #"{"days":[{"date":"2026-11-21","high":null}]}"#,
        #"{"forecast":[{"date":"2026-11-21","condition":null,"low":null}]}"#,
        #"{"daily":{"time":["2026-11-21","2026-11-22"],"weather_code":[null,null]}}"#,
        #"{"properties":{"timeseries":[{"time":"2026-11-21T12:00:00Z","data":{"instant":{"details":{}}}}]}}"#,
    ])
    func aDocumentInWhichNothingIsKnownOfAnyDayIsNoForecast(text: String) throws {
        let fault = try #require(KindSamples.fault(text, .forecast))
        #expect(fault.kind == .wrongFormat)
        #expect(fault.message.contains("no day has"), "\(fault.message)")
        #expect(try KindSamples.days(#"{"days":[]}"#).isEmpty)
    }

    @Test func columnsOfDifferentLengthLeaveTemperaturesOut() throws {
        let days = try KindSamples.days(
            """
            {"daily":{"time":["2026-11-21","2026-11-22","2026-11-23"],"temperature_2m_max":[7],
            "temperature_2m_min":[null,1,-2]}}
            """
        )
        #expect(days.map(\.high) == [7, nil, nil])
        #expect(days.map(\.low) == [nil, 1, -2])
    }

    @Test func aPropertyListHasRelativeDays() throws {
        let text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <plist version="1.0"><dict><key>forecast</key><array>
            <dict><key>daysFromNow</key><integer>0</integer><key>condition</key><string>Sunny</string>
            <key>high</key><real>7.5</real></dict></array></dict></plist>
            """
        let received = try #require(Instant("2026-11-21T12:00:00Z"))
        let expected = try Self.day("2026-11-21", .clear, nil, 7.5)
        #expect(try Self.days(text, received: received) == [expected])
    }
}
