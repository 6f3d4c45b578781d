// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// A built-in word or sentence of widgets, such as "Show more", with its translations.
enum WidgetWord: String, CaseIterable, Sendable {
    case loading, refreshing, failed, openFirst, openAppFirst
    case noPosts, untitled, noFacts, noForecast, noQuotes, noDocuments, noRows
    case showMore, showLess, today
    // The numbers of items of private widgets. The forms need no plural: the number stands alone, or the language has none.
    case postCount, factCount, dayCount, quoteCount, documentCount, itemCount
    // Weather conditions, with the names of `WeatherCondition`.
    case clear, mainlyClear, partlyCloudy, cloudy, fog, drizzle, freezingDrizzle, rain, heavyRain, freezingRain
    case sleet, snow, heavySnow, rainShowers, sleetShowers, snowShowers, thunderstorm, hail, unknown

    /// Returns the word in a language; in English if the language does not have it.
    func string(in language: WidgetLanguage) -> String {
        Self.table[language]?[self] ?? Self.table[.english]?[self] ?? rawValue
    }
}

extension WeatherCondition {
    /// Returns the name of the weather condition in a language.
    func words(in language: WidgetLanguage) -> String {
        (WidgetWord(rawValue: rawValue) ?? .unknown).string(in: language)
    }
}

extension ForecastDay {
    /// Returns the name of the weather condition of this day in a language.
    ///
    /// If the property `condition` is `unknown` and the property `conditionText` is not empty, returns `conditionText`,
    /// whatever the language is.
    func conditionWords(in language: WidgetLanguage) -> String {
        if condition == .unknown, let text = conditionText, !text.isEmpty { return text }
        return condition.words(in: language)
    }
}
