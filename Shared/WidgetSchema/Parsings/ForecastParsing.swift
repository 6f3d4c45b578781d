// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The options for parsing a forecast.
public struct ForecastParsing: Hashable, Sendable {
    /// The time zone for whose days hourly forecasts are summarised; nil for UTC.
    public var timeZone: String?

    public init(timeZone: String? = nil) { self.timeZone = timeZone }

    static let optionNames = ["timeZone"]

    public init(options: [String: String]) throws(ParsingOptionError) {
        timeZone = options["timeZone"]
        if let timeZone, LocalDays(identifier: timeZone) == nil {
            throw ParsingOptionError(option: "timeZone", "'\(timeZone)' is not a time zone such as Europe/Berlin")
        }
    }

    public var options: [String: String] { timeZone.map { ["timeZone": $0] } ?? [:] }

    /// The days of the time zone.
    public var days: LocalDays { LocalDays(identifier: timeZone ?? "UTC") ?? .utc }
}
