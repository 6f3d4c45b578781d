// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import JSON
internal import WidgetSchema

/// The form of a list of days: `{"days": [{"date": "2026-11-21", "condition": "rain", "low": 3, "high": 9}]}`.
///
/// Apps send this list as a document, or inside content of kind `forecast`. The member `days` may also be named
/// `forecast`.
///
/// The condition of a day may also be named `forecast` or `weather`. It is a word, or a code of the WMO's table 4677.
///
/// A day may have a number `daysFromNow` instead of `date`. It is the number of days after the `date` of the whole
/// document. If the document has no `date`, it is the number of days after the document was received.
struct DayListForm {
    private static let maximumEntries = 1_000
    private static let maximumDaysFromNow = 365

    private let zone: LocalDays
    /// The day from which `daysFromNow` counts; nil if the document has no date and its time of receipt is unknown.
    private var firstDay: CalendarDate?
    /// A Boolean value that indicates whether `firstDay` is the day of receipt.
    private var countsFromReceipt = true
    private var dependsOnReceipt = false

    private init(zone: LocalDays, received: Instant?) {
        self.zone = zone
        firstDay = received.map { zone.date(at: $0) }
    }

    static func read(
        _ value: JSONValue,
        days zone: LocalDays,
        received: Instant?
    ) throws(JSONFault) -> ForecastReader.Reading {
        var list = value
        var form = DayListForm(zone: zone, received: received)
        if value.kind != .array {
            try value.expectObject()
            let members = value.members("days", "forecast", "date")
            guard let days = members["days"] ?? members["forecast"] else {
                throw value.fault("the object has neither 'days' nor 'forecast'")
            }
            list = days
            if let date = members["date"] {
                form.firstDay = try Self.date(date, zone: zone)
                form.countsFromReceipt = false
            }
        }
        try list.expectList()
        var days: [ForecastDay] = []
        try list.forEachElement { _, entry throws(JSONFault) in
            days.append(try form.day(entry))
            return days.count < maximumEntries
        }
        let content = try ForecastReader.content(days, of: list)
        return ForecastReader.Reading(content: content, dependsOnReceipt: form.dependsOnReceipt)
    }

    private mutating func day(_ entry: JSONValue) throws(JSONFault) -> ForecastDay {
        try entry.expectObject()
        let members = entry.members(
            "date",
            "daysFromNow",
            "condition",
            "forecast",
            "weather",
            "conditionText",
            "low",
            "lowTemperature",
            "high",
            "highTemperature"
        )
        let date: CalendarDate
        if let value = members["date"] {
            date = try Self.date(value, zone: zone)
        } else if let value = members["daysFromNow"] {
            date = try relativeDate(value)
        } else {
            throw entry.fault("the day has neither 'date' nor 'daysFromNow'")
        }
        let named = ["condition", "forecast", "weather"].lazy.compactMap { members[$0] }.first { !$0.isNull }
        var (condition, text) = try Self.condition(named)
        if condition == .unknown, text == nil {
            text = members["conditionText"]?.line(atMost: ForecastDay.maximumConditionCharacters)
        }
        return ForecastDay(
            date: date,
            condition: condition,
            conditionText: text,
            low: try Self.temperature(members["low"] ?? members["lowTemperature"]),
            high: try Self.temperature(members["high"] ?? members["highTemperature"])
        )
    }

    private static func temperature(_ value: JSONValue?) throws(JSONFault) -> Double? {
        guard let value else { return nil }
        return try Temperature.celsius(value, unit: nil)
    }

    private mutating func relativeDate(_ value: JSONValue) throws(JSONFault) -> CalendarDate {
        let number = try value.expectNumber()
        let range = 0...Double(Self.maximumDaysFromNow)
        guard range.contains(number), number.rounded() == number else {
            throw value.fault("\(number) is not a whole number of days from 0 to \(Self.maximumDaysFromNow)")
        }
        guard let firstDay else {
            throw value.fault(
                "'daysFromNow' counts from the document's 'date', which is missing; add a 'date' such as 2026-11-21"
            )
        }
        dependsOnReceipt = dependsOnReceipt || countsFromReceipt
        return firstDay.advanced(byDays: Int(number))
    }

    /// Parses a date such as `2026-11-21`; an instant, as in property lists, is converted to its day in `zone`.
    private static func date(_ value: JSONValue, zone: LocalDays) throws(JSONFault) -> CalendarDate {
        let text = try value.expectString()
        if let date = CalendarDate(text) { return date }
        guard let instant = Instant(text) else {
            throw value.fault("'\(text.prefix(100))' is not a date such as 2026-11-21")
        }
        return zone.date(at: instant)
    }

    /// Parses a condition, which is a name or a code.
    ///
    /// If the name is unknown, the condition is `unknown`, and `text` is the name; otherwise, `text` is nil. If `value`
    /// is nil or null, the condition is `unknown`.
    private static func condition(_ value: JSONValue?) throws(JSONFault) -> (WeatherCondition, text: String?) {
        guard let value, !value.isNull else { return (.unknown, nil) }
        if let code = value.number { return (WeatherCondition(code: code), nil) }
        let word = try value.expectString()
        if let condition = WeatherCondition(word: word) { return (condition, nil) }
        if let code = Double(PlainText.trimmed(word)) { return (WeatherCondition(code: code), nil) }
        return (.unknown, value.line(atMost: ForecastDay.maximumConditionCharacters))
    }
}
