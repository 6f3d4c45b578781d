// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// The built-in texts that widgets show in addition to their content.
enum WidgetText: Hashable, Sendable {
    case loading
    case refreshing
    case failed
    /// The text for a widget whose app has not sent content yet.
    ///
    /// If `name` is nil, the text calls the app "the app".
    case openFirst(name: String?)
    case noPosts
    case untitled
    case noFacts
    case noForecast
    case noQuotes
    case noDocuments
    case noRows
    case showMore
    case showLess
    case today
    /// The number of items of a private widget; the associated number is formatted for the display's locale.
    case count(WidgetKind, String)

    func string(in language: WidgetLanguage) -> String {
        if case .openFirst(let name?) = self {
            return WidgetWord.openFirst.string(in: language).replacing("%@", with: name)
        }
        if case .count(_, let number) = self { return word.string(in: language).replacing("%@", with: number) }
        return word.string(in: language)
    }

    private var word: WidgetWord {
        switch self {
        case .loading: .loading
        case .refreshing: .refreshing
        case .failed: .failed
        case .openFirst: .openAppFirst
        case .noPosts: .noPosts
        case .untitled: .untitled
        case .noFacts: .noFacts
        case .noForecast: .noForecast
        case .noQuotes: .noQuotes
        case .noDocuments: .noDocuments
        case .noRows: .noRows
        case .showMore: .showMore
        case .showLess: .showLess
        case .today: .today
        case .count(.feed, _): .postCount
        case .count(.keyValue, _): .factCount
        case .count(.forecast, _): .dayCount
        case .count(.quote, _): .quoteCount
        case .count(.documents, _): .documentCount
        case .count(.json, _): .itemCount
        }
    }
}
