// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Testing
import WidgetSchema

@testable import LayoutEngine

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
        let text = WidgetText.openFirst(name: "Quotes").string(in: .english)
        #expect(text == "Open Quotes at least once before using this widget")
        #expect(WidgetText.failed.string(in: .english) == "An error occurred while retrieving data")
    }

    @Test(arguments: WidgetLanguage.allCases) func everyLanguageHasEveryWord(language: WidgetLanguage) throws {
        let table = try #require(WidgetWord.table[language])
        #expect(WidgetWord.allCases.filter { table[$0]?.isEmpty ?? true } == [])
        #expect(table[.openFirst]?.components(separatedBy: "%@").count == 2)
        let counts: [WidgetWord] = [.postCount, .factCount, .dayCount, .quoteCount, .documentCount, .itemCount]
        #expect(counts.filter { table[$0]?.components(separatedBy: "%@").count != 2 } == [])
        let others = Set(WidgetWord.allCases).subtracting([.openFirst] + counts)
        #expect(others.filter { table[$0]?.contains("%") == true } == [])
        // A language that was copied and not translated has the English sentences.
        let english = try #require(WidgetWord.table[.english])
        #expect(language == .english || table[.failed] != english[.failed] && table[.rain] != english[.rain])
    }

    @Test func thereAre26Languages() { #expect(WidgetLanguage.allCases.count == 26) }

    @Test func theDocumentationNamesEveryLanguage() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let text = try String(contentsOf: folder.appending(path: "docs/configuration.md"), encoding: .utf8)
        let start = try #require(text.firstRange(of: "are available in \(WidgetLanguage.allCases.count) languages: "))
        let list = text[start.upperBound...].prefix { $0 != "." }.replacing("\n", with: " ")
        let named = Set(list.replacing(" and ", with: ", ").split(separator: ", ").map(String.init))
        let english = Locale(identifier: "en")
        let names = try WidgetLanguage.allCases.map { language in
            switch language {
            // The two share a name; the words are those of the list, split as above.
            case .simplifiedChinese: "Chinese (simplified"
            case .traditionalChinese: "traditional)"
            case .norwegian: "Norwegian"
            default: try #require(english.localizedString(forLanguageCode: language.rawValue))
            }
        }
        #expect(named == Set(names))
    }

    @Test func everyWeatherConditionHasAWord() {
        #expect(WeatherCondition.allCases.filter { WidgetWord(rawValue: $0.rawValue) == nil } == [])
    }

    @Test func aLocaleSpeaksItsLanguage() {
        #expect(WidgetLanguage(locale: "de_AT") == .german)
        #expect(WidgetLanguage(locale: "ja") == .japanese)
        #expect(WidgetLanguage(locale: "ar-EG") == .arabic)
        #expect(WidgetLanguage(locale: "fr_FR") == .french)
        #expect(WidgetLanguage(locale: "pt_BR") == .portuguese)
        #expect(WidgetLanguage(locale: "nn_NO") == .norwegian)
        #expect(WidgetLanguage(locale: "zh_CN") == .simplifiedChinese)
        #expect(WidgetLanguage(locale: "zh_Hans_HK") == .simplifiedChinese)
        #expect(WidgetLanguage(locale: "zh-Hant") == .traditionalChinese)
        #expect(WidgetLanguage(locale: "zh_TW") == .traditionalChinese)
        #expect(WidgetLanguage(locale: "ta_IN") == .tamil)
        #expect(WidgetLanguage(locale: "en_US@calendar=buddhist") == .english)
        #expect(WidgetLanguage(locale: "cy_GB") == nil)
        #expect(WidgetLanguage(locale: "") == nil)
    }
}
