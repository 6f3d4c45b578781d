// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import WidgetSchema

extension WeatherCondition {
    /// Creates the condition for a code of the WMO's table 4677.
    ///
    /// Supports the codes that Open-Meteo sends, and the codes for sleet; any other code becomes `unknown`.
    init(code: Double) {
        switch code {
        case 0: self = .clear
        case 1: self = .mainlyClear
        case 2: self = .partlyCloudy
        case 3: self = .cloudy
        case 45, 48: self = .fog
        case 51, 53, 55: self = .drizzle
        case 56, 57: self = .freezingDrizzle
        case 61, 63: self = .rain
        case 65: self = .heavyRain
        case 66, 67: self = .freezingRain
        case 68, 69: self = .sleet
        case 71, 73, 77: self = .snow
        case 75: self = .heavySnow
        case 80, 81, 82: self = .rainShowers
        case 83, 84: self = .sleetShowers
        case 85, 86: self = .snowShowers
        case 95: self = .thunderstorm
        case 96, 99: self = .hail
        default: self = .unknown
        }
    }

    /// Creates the condition from the name of its case or from another common English word; nil for an unknown word.
    ///
    /// Case, spaces and punctuation are ignored: `Partly cloudy` is `partlyCloudy`.
    init?(word: String) {
        let letters = word.lowercased().filter(\.isLetter)
        switch letters {
        case "sunny", "fair", "clearsky": self = .clear
        case "mostlysunny", "mostlyclear": self = .mainlyClear
        case "partlysunny", "partiallycloudy": self = .partlyCloudy
        case "overcast", "mostlycloudy": self = .cloudy
        case "foggy", "mist", "haze": self = .fog
        case "rainy": self = .rain
        case "showers": self = .rainShowers
        case "snowy": self = .snow
        case "thunderstorms", "stormy": self = .thunderstorm
        default:
            guard let condition = Self.allCases.first(where: { $0.rawValue.lowercased() == letters }) else {
                return nil
            }
            self = condition
        }
    }

    /// Creates the condition for a symbol of MET Norway, such as `lightrainshowers_day`
    /// (https://api.met.no/weatherapi/weathericon/2.0).
    ///
    /// If the symbol is not known, the condition is `unknown`.
    init(symbol: some StringProtocol) {
        let name = symbol.prefix { $0 != "_" }
        guard !name.hasSuffix("andthunder") else {
            self = .thunderstorm
            return
        }
        switch name {
        case "clearsky": self = .clear
        case "fair": self = .mainlyClear
        case "partlycloudy": self = .partlyCloudy
        case "cloudy": self = .cloudy
        case "fog": self = .fog
        case "lightrain", "rain": self = .rain
        case "heavyrain": self = .heavyRain
        case "lightrainshowers", "rainshowers", "heavyrainshowers": self = .rainShowers
        case "lightsleet", "sleet", "heavysleet": self = .sleet
        case "lightsleetshowers", "sleetshowers", "heavysleetshowers": self = .sleetShowers
        case "lightsnow", "snow": self = .snow
        case "heavysnow": self = .heavySnow
        case "lightsnowshowers", "snowshowers", "heavysnowshowers": self = .snowShowers
        default: self = .unknown
        }
    }
}
