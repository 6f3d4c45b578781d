// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Testing
import WidgetSchema

@testable import Layout

@Suite struct WidgetTextTests {
    private let texts: [WidgetText] = [
        .loading, .refreshing, .failed, .openFirst(name: nil), .openFirst(name: "NAME"), .noPosts, .untitled, .noFacts,
        .noForecast, .noQuotes, .noDocuments, .noRows, .showMore, .showLess, .today,
    ]

    @Test(arguments: WidgetLanguage.allCases) func everyTextIsSaidInEveryLanguage(language: WidgetLanguage) {
        let words = texts.map { $0.string(in: language) }
        #expect(words.allSatisfy { !$0.isEmpty })
        #expect(Set(words).count == texts.count)
        #expect(WidgetText.openFirst(name: "NAME").string(in: language).contains("NAME"))
        for condition in WeatherCondition.allCases { #expect(!condition.words(in: language).isEmpty) }
    }

    @Test func theEnglishTextsAreThoseOfTheWidgets() {
        #expect(
            WidgetText.openFirst(name: "Quotes").string(in: .english)
                == "Open Quotes at least once before using this widget"
        )
        #expect(WidgetText.failed.string(in: .english) == "An error occurred while retrieving data")
    }

    @Test func aLocaleSpeaksItsLanguageElseEnglish() {
        #expect(WidgetLanguage(locale: "de_AT") == .german)
        #expect(WidgetLanguage(locale: "ja") == .japanese)
        #expect(WidgetLanguage(locale: "ar-EG") == .arabic)
        #expect(WidgetLanguage(locale: "fr_FR") == .english)
        #expect(WidgetLanguage(locale: "") == .english)
    }
}
