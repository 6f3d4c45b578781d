// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// The built-in symbols of widgets, with their names on Apple's platforms.
///
/// Documents, quick actions and pushed contents may use other symbols.
enum SymbolName: String, CaseIterable, Sendable {
    case refresh = "arrow.clockwise"
    case document = "doc"
    case feed = "newspaper"
    case fact = "info.circle"
    case quote = "quote.opening"
    case list = "list.bullet"
    case sun = "sun.max"
    case sunBehindCloud = "cloud.sun"
    case cloud = "cloud"
    case fog = "cloud.fog"
    case drizzle = "cloud.drizzle"
    case rain = "cloud.rain"
    case heavyRain = "cloud.heavyrain"
    case sleet = "cloud.sleet"
    case snow = "cloud.snow"
    case heavySnow = "snowflake"
    case sunBehindRain = "cloud.sun.rain"
    case thunderstorm = "cloud.bolt.rain"
    case hail = "cloud.hail"
    case unknown = "thermometer"
}

extension SymbolName {
    /// Creates the symbol of a kind of widget.
    init(_ kind: WidgetKind) {
        switch kind {
        case .feed: self = .feed
        case .keyValue: self = .fact
        case .forecast: self = .sunBehindCloud
        case .quote: self = .quote
        case .documents: self = .document
        case .json: self = .list
        }
    }
}

extension WeatherCondition {
    var symbol: SymbolName {
        switch self {
        case .clear, .mainlyClear: .sun
        case .partlyCloudy: .sunBehindCloud
        case .cloudy: .cloud
        case .fog: .fog
        case .drizzle: .drizzle
        case .freezingDrizzle, .freezingRain, .sleet, .sleetShowers: .sleet
        case .rain: .rain
        case .heavyRain: .heavyRain
        case .snow, .snowShowers: .snow
        case .heavySnow: .heavySnow
        case .rainShowers: .sunBehindRain
        case .thunderstorm: .thunderstorm
        case .hail: .hail
        case .unknown: .unknown
        }
    }
}
