// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import WidgetSchema

/// Days as an app lists them, `{"days": [{"date": "2026-11-21", "condition": "rain", "low": 3, "high": 9}]}`, and the
/// inner part of content in its own form.
enum DayListForm {
    private static let maximumEntries = 1_000

    static func read(_ value: JSONValue, days zone: LocalDays) throws(JSONFault) -> ForecastContent {
        var list = value
        if value.kind != .array {
            try value.expectObject()
            guard let days = value["days"] else { throw value.fault("there are no 'days' in it") }
            list = days
        }
        try list.expectList()
        var days: [ForecastDay] = []
        try list.forEachElement { _, entry throws(JSONFault) in
            days.append(try day(entry, zone: zone))
            return days.count < maximumEntries
        }
        return ForecastReader.content(days)
    }

    private static func day(_ entry: JSONValue, zone: LocalDays) throws(JSONFault) -> ForecastDay {
        try entry.expectObject()
        let members = entry.members("date", "condition", "low", "high")
        guard let date = members["date"] else { throw entry.fault("there is no 'date' in it") }
        return ForecastDay(
            date: try self.date(date, zone: zone),
            condition: try condition(members["condition"]),
            low: try temperature(members["low"]),
            high: try temperature(members["high"])
        )
    }

    private static func temperature(_ value: JSONValue?) throws(JSONFault) -> Double? {
        guard let value else { return nil }
        return try Temperature.celsius(value, unit: nil)
    }

    /// A day, or an instant on it, as property lists have it.
    private static func date(_ value: JSONValue, zone: LocalDays) throws(JSONFault) -> CalendarDate {
        let text = try value.expectString()
        if let date = CalendarDate(text) { return date }
        guard let instant = Instant(text) else {
            throw value.fault("'\(text.prefix(100))' is no date such as 2026-11-21")
        }
        return zone.date(at: instant)
    }

    /// A condition by its name, or by its code.
    private static func condition(_ value: JSONValue?) throws(JSONFault) -> WeatherCondition {
        guard let value else { return .unknown }
        if let code = value.number { return WeatherCondition(code: code) }
        let word = try value.expectString()
        guard let condition = WeatherCondition(rawValue: word) else {
            let words = WeatherCondition.allCases.map(\.rawValue).joined(separator: ", ")
            throw value.fault("'\(word.prefix(100))' is no condition; there are \(words)")
        }
        return condition
    }
}
