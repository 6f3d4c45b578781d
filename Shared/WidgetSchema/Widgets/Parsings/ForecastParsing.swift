// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The options for parsing a forecast.
public struct ForecastParsing: Hashable, Sendable {
    /// The time zone in which the hours of an hourly forecast are grouped into days; nil for UTC.
    public var timeZone: String?

    public init(timeZone: String? = nil) { self.timeZone = timeZone }

    init(options: [String: String]) throws(ParsingOptionError) {
        timeZone = options["timeZone"]
        if let timeZone, LocalDays(identifier: timeZone) == nil {
            throw ParsingOptionError(option: "timeZone", "'\(timeZone)' is not a time zone such as Europe/Berlin")
        }
    }

    var options: [String: String] { timeZone.map { ["timeZone": $0] } ?? [:] }

    /// The local days in ``timeZone``, for converting between instants and dates; days in UTC if ``timeZone`` is nil or
    /// unknown.
    public var days: LocalDays { LocalDays(identifier: timeZone ?? "UTC") ?? .utc }
}
