// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

extension WeatherCondition {
    /// In words, for the people of a language.
    func words(in language: WidgetLanguage) -> String {
        let words = words
        switch language {
        case .english: return words.english
        case .german: return words.german
        case .japanese: return words.japanese
        case .arabic: return words.arabic
        }
    }

    private var words: (english: String, german: String, japanese: String, arabic: String) {
        switch self {
        case .clear: ("Clear", "Klar", "晴れ", "صافٍ")
        case .mainlyClear: ("Mostly clear", "Überwiegend klar", "おおむね晴れ", "صافٍ غالبًا")
        case .partlyCloudy: ("Partly cloudy", "Teils bewölkt", "晴れ時々曇り", "غائم جزئيًا")
        case .cloudy: ("Cloudy", "Bedeckt", "曇り", "غائم")
        case .fog: ("Fog", "Nebel", "霧", "ضباب")
        case .drizzle: ("Drizzle", "Nieselregen", "霧雨", "رذاذ")
        case .freezingDrizzle: ("Freezing drizzle", "Gefrierender Nieselregen", "着氷性の霧雨", "رذاذ متجمد")
        case .rain: ("Rain", "Regen", "雨", "مطر")
        case .heavyRain: ("Heavy rain", "Starker Regen", "大雨", "مطر غزير")
        case .freezingRain: ("Freezing rain", "Gefrierender Regen", "着氷性の雨", "مطر متجمد")
        case .sleet: ("Sleet", "Schneeregen", "みぞれ", "مطر ثلجي")
        case .snow: ("Snow", "Schnee", "雪", "ثلج")
        case .heavySnow: ("Heavy snow", "Starker Schneefall", "大雪", "ثلج كثيف")
        case .rainShowers: ("Rain showers", "Regenschauer", "にわか雨", "زخات مطر")
        case .sleetShowers: ("Sleet showers", "Schneeregenschauer", "にわかみぞれ", "زخات مطر ثلجي")
        case .snowShowers: ("Snow showers", "Schneeschauer", "にわか雪", "زخات ثلج")
        case .thunderstorm: ("Thunderstorm", "Gewitter", "雷雨", "عاصفة رعدية")
        case .hail: ("Hail", "Hagel", "ひょう", "بَرَد")
        case .unknown: ("Unknown", "Unbekannt", "不明", "غير معروف")
        }
    }
}
