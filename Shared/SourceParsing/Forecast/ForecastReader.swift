// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import JSON
internal import WidgetSchema

/// A reader for forecasts in all supported forms; the JSON members of a document determine its form.
enum ForecastReader {
    struct Reading {
        var content: ForecastContent
        /// A Boolean value that indicates whether days were counted from the day of receipt.
        var dependsOnReceipt = false
    }

    /// Reads the forecast in a document.
    ///
    /// Relative days count from the date in the document, or else from the day of `received`.
    static func read(
        _ document: SourceDocument,
        _ parsing: ForecastParsing,
        received: Instant?
    ) throws(JSONFault) -> Reading {
        let root = document.root
        if let own = try root.ownForm(of: .forecast) {
            return try DayListForm.read(own, days: parsing.days, received: received)
        }
        if root.kind == .array { return try DayListForm.read(root, days: parsing.days, received: received) }
        if let refusal = OriginRefusal.find(in: root) { throw refusal }
        let members = root.members("days", "forecast", "daily", "daily_units", "utc_offset_seconds", "properties")
        if members["days"] != nil || members["forecast"]?.kind == .array {
            return try DayListForm.read(root, days: parsing.days, received: received)
        }
        if let daily = members["daily"] {
            let content = try OpenMeteoForm.read(
                daily,
                units: members["daily_units"],
                offset: members["utc_offset_seconds"]?.number ?? 0
            )
            return Reading(content: content)
        }
        if let series = members["properties"]?["timeseries"] {
            return Reading(content: try LocationForecastForm.read(series, days: parsing.days))
        }
        throw root.fault(
            "the document is not a forecast; expected one of these members: 'days', 'forecast', "
                + "'properties.timeseries' of MET Norway, or 'daily' of Open-Meteo; for 'daily', request the URL with "
                + "&daily=weather_code,temperature_2m_max,temperature_2m_min"
        )
    }

    /// Returns the content with one forecast per date, in calendar order.
    ///
    /// Throws if there are days, but nothing is known of any of them: such a document must not replace a forecast. `list`
    /// is the part of the document that contains the days, for the error.
    ///
    /// If several elements of `days` have the same date, the first one is used. If there are more than
    /// ``ForecastContent/maximumDays`` dates, the latest ones are dropped.
    static func content(_ days: [ForecastDay], of list: JSONValue) throws(JSONFault) -> ForecastContent {
        guard days.isEmpty || days.contains(where: \.isKnown) else {
            throw list.fault(
                "no day has a condition or a temperature; expected members such as 'condition', 'low' and 'high'"
            )
        }
        var seen: Set<CalendarDate> = []
        let sorted = days.filter { seen.insert($0.date).inserted }.sorted { $0.date < $1.date }
        return ForecastContent(days: Array(sorted.prefix(ForecastContent.maximumDays)))
    }
}

extension ForecastDay {
    /// A Boolean value that indicates whether the day has anything to show besides its name.
    fileprivate var isKnown: Bool { condition != .unknown || conditionText != nil || low != nil || high != nil }
}
