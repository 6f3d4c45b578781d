// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import JSON
internal import WidgetSchema

/// The form of MET Norway's locationforecast (https://api.met.no/weatherapi/locationforecast/2.0).
///
/// It contains hours instead of days. The low and the high of a day are the lowest and the highest temperature of its
/// hours. The weather symbol of a day is the symbol of the hour that is nearest to noon. The first day may be
/// incomplete; the last day is dropped if it has no hours from noon on.
enum LocationForecastForm {
    private static let maximumEntries = 2_000
    private static let noon: Int64 = 12 * 3_600_000
    /// The members of an hour's `data` that may contain a weather symbol, in order of preference.
    ///
    /// Each member describes a period that begins at this hour. The six hours from noon on describe a day best.
    private static let periods = ["next_6_hours", "next_12_hours", "next_1_hours"]

    /// The values that were read so far for one day.
    ///
    /// `symbol` is the weather symbol of one hour of the day. Its `distance` is the time between this hour and noon, in
    /// milliseconds.
    private struct Day {
        var low: Double?
        var high: Double?
        var symbol: (distance: Int64, name: String)?
        var lastTime: Int64 = 0

        mutating func take(_ temperature: Double) {
            low = min(low ?? temperature, temperature)
            high = max(high ?? temperature, temperature)
        }
    }

    static func read(_ series: JSONValue, days zone: LocalDays) throws(JSONFault) -> ForecastContent {
        try series.expectList()
        var days: [CalendarDate: Day] = [:]
        try series.forEachElement { index, entry throws(JSONFault) in
            try take(entry, zone: zone, into: &days)
            return index + 1 < maximumEntries
        }
        if let last = days.max(by: { $0.key < $1.key }), days.count > 1, last.value.lastTime < noon {
            days[last.key] = nil
        }
        return try ForecastReader.content(
            days.map { date, day in
                ForecastDay(
                    date: date,
                    condition: day.symbol.map { WeatherCondition(symbol: $0.name) } ?? .unknown,
                    low: day.low,
                    high: day.high
                )
            },
            of: series
        )
    }

    private static func take(
        _ entry: JSONValue,
        zone: LocalDays,
        into days: inout [CalendarDate: Day]
    ) throws(JSONFault) {
        try entry.expectObject()
        let members = entry.members("time", "data")
        guard let time = members["time"] else { throw entry.fault("the entry has no 'time'") }
        let text = try time.expectString()
        guard let instant = Instant(text) else {
            throw time.fault("'\(text.prefix(100))' is not a time such as 2026-11-21T12:00:00Z")
        }
        guard let data = members["data"] else { throw entry.fault("the entry has no 'data'") }
        try data.expectObject()
        let parts = data.members("instant", "next_1_hours", "next_6_hours", "next_12_hours")
        let date = zone.date(at: instant)
        let timeOfDay = zone.millisecondsOfDay(at: instant)
        var day = days[date] ?? Day()
        if let temperature = parts["instant"]?["details"]?["air_temperature"],
            let celsius = try Temperature.celsius(temperature, unit: nil)
        {
            day.take(celsius)
        }
        // The complete form of the forecast also has the extreme temperatures of the next six hours.
        if timeOfDay <= noon + noon / 2, let details = parts["next_6_hours"]?["details"] {
            for (_, value) in details.members("air_temperature_max", "air_temperature_min") {
                if let celsius = try Temperature.celsius(value, unit: nil) { day.take(celsius) }
            }
        }
        day.lastTime = max(day.lastTime, timeOfDay)
        let distance = abs(timeOfDay - noon)
        if distance < day.symbol?.distance ?? .max {
            for period in periods {
                guard let symbol = parts[period]?["summary"]?["symbol_code"] else { continue }
                day.symbol = (distance, try symbol.expectString())
                break
            }
        }
        days[date] = day
    }
}
