// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import JSON
internal import WidgetSchema

/// The form of Open-Meteo's daily forecasts (https://open-meteo.com/en/docs): one array per variable, with null for
/// missing values.
enum OpenMeteoForm {
    private static let maximumEntries = 1_000
    private static let codes = ["weather_code", "weathercode"]

    static func read(_ daily: JSONValue, units: JSONValue?, offset: Double) throws(JSONFault) -> ForecastContent {
        try daily.expectObject()
        let columns = daily.members("time", "weather_code", "weathercode", "temperature_2m_max", "temperature_2m_min")
        guard let time = columns["time"] else { throw daily.fault("the object has no 'time'") }
        let code = codes.lazy.compactMap { columns[$0] }.first
        let (high, low) = (columns["temperature_2m_max"], columns["temperature_2m_min"])
        guard code != nil || high != nil || low != nil else {
            throw daily.fault(
                "the object has none of 'weather_code', 'temperature_2m_max' and 'temperature_2m_min'; "
                    + "request them with &daily= in the URL"
            )
        }
        let names = units?.members("temperature_2m_max", "temperature_2m_min") ?? [:]
        let dates = try column(time) { value throws(JSONFault) in try date(value, offset: offset) }
        let conditions = try column(code) { value throws(JSONFault) in
            value.isNull ? nil : WeatherCondition(code: try value.expectNumber())
        }
        let highUnit = names["temperature_2m_max"]?.string
        let highs = try column(high) { value throws(JSONFault) in try Temperature.celsius(value, unit: highUnit) }
        let lowUnit = names["temperature_2m_min"]?.string
        let lows = try column(low) { value throws(JSONFault) in try Temperature.celsius(value, unit: lowUnit) }
        func entry<Entry>(_ column: [Entry?], _ index: Int) -> Entry? { index < column.count ? column[index] : nil }
        var days: [ForecastDay] = []
        for (index, date) in dates.enumerated() {
            let (condition, high, low) = (entry(conditions, index), entry(highs, index), entry(lows, index))
            // Skip a day without any values.
            guard let date, condition != nil || high != nil || low != nil else { continue }
            days.append(ForecastDay(date: date, condition: condition ?? .unknown, low: low, high: high))
        }
        if days.isEmpty, dates.contains(where: { $0 != nil }) {
            throw daily.fault("no day has a value; every condition and every temperature is null")
        }
        return try ForecastReader.content(days, of: daily)
    }

    private static func column<Entry>(
        _ column: JSONValue?,
        _ read: (JSONValue) throws(JSONFault) -> Entry?
    ) throws(JSONFault) -> [Entry?] {
        guard let column else { return [] }
        try column.expectList()
        var entries: [Entry?] = []
        try column.forEachElement { _, value throws(JSONFault) in
            entries.append(try read(value))
            return entries.count < maximumEntries
        }
        return entries
    }

    /// Parses a date such as `2026-11-21`, with or without a time of day; returns nil if the value is null.
    ///
    /// If the request had `timeformat=unixtime`, the value is the beginning of the day in seconds since 1970. `offset`
    /// is the offset of the time zone from UTC in seconds.
    private static func date(_ value: JSONValue, offset: Double) throws(JSONFault) -> CalendarDate? {
        guard !value.isNull else { return nil }
        if let seconds = value.number {
            let days = ((seconds + offset) / 86_400).rounded(.down)
            guard (-100_000.0...2_900_000.0).contains(days) else {
                throw value.fault("\(seconds) seconds since 1970 are not a supported date")
            }
            return CalendarDate(daysSince1970: Int(days))
        }
        let text = try value.expectString()
        guard let date = CalendarDate(text.prefix(10)), text.utf8.count == 10 || text.dropFirst(10).first == "T" else {
            throw value.fault("'\(text.prefix(100))' is not a date such as 2026-11-21")
        }
        return date
    }
}
