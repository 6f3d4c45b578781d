// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The weather of several days, ascending by date.
///
/// Widgets do not show days that have passed.
public struct ForecastContent: Codable, Hashable, Sendable {
    public static let maximumDays = 50

    public var days: [ForecastDay]

    /// A Boolean value that indicates whether displays should show the widget; nil if the content says nothing about it.
    public var hasContent: Bool?

    public init(days: [ForecastDay], hasContent: Bool? = nil) {
        self.days = days
        self.hasContent = hasContent
    }
}

/// The weather of one day.
public struct ForecastDay: Codable, Hashable, Sendable {
    public static let maximumConditionCharacters = 100

    /// The local date at the place of the forecast; unique within the content.
    public var date: CalendarDate
    public var condition: WeatherCondition
    /// The origin's own words for the weather condition; nil if the origin sent none.
    ///
    /// Widgets show this text only if ``condition`` is `unknown`.
    public var conditionText: String?
    /// The lowest temperature in degrees Celsius; nil if unknown.
    public var low: Double?
    /// The highest temperature in degrees Celsius; nil if unknown.
    public var high: Double?

    public init(
        date: CalendarDate,
        condition: WeatherCondition,
        conditionText: String? = nil,
        low: Double? = nil,
        high: Double? = nil
    ) {
        self.date = date
        self.condition = condition
        self.conditionText = conditionText
        self.low = low
        self.high = high
    }
}

/// A weather condition.
///
/// Except for `unknown`, each case is a group of codes in the WMO's code table 4677. Only groups that occur in
/// forecasts have a case.
public enum WeatherCondition: String, Codable, CaseIterable, Sendable {
    case clear
    case mainlyClear
    case partlyCloudy
    case cloudy
    case fog
    case drizzle
    case freezingDrizzle
    case rain
    case heavyRain
    case freezingRain
    case sleet
    case snow
    case heavySnow
    case rainShowers
    case sleetShowers
    case snowShowers
    case thunderstorm
    case hail
    case unknown
}
