// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// A built-in word or sentence of panels, with its translations.
enum PanelWord: String, CaseIterable, Sendable {
    case since, waiting, postsToday, high
    // The names of widgets that have none.
    case posts, facts, weather, quote, documents, list
    // The causes of failures.
    case notFound, forbidden, serverError, otherStatus, tooManyRequests, unreachable, unreadable, unusable

    init(_ kind: WidgetKind) {
        switch kind {
        case .feed: self = .posts
        case .keyValue: self = .facts
        case .forecast: self = .weather
        case .quote: self = .quote
        case .documents: self = .documents
        case .json: self = .list
        }
    }

    /// Returns the word in a language, with `value` in the place of `%@`; in English if the language does not have it.
    func string(in language: WidgetLanguage, _ value: String = "") -> String {
        let text = Self.table[language]?[self] ?? Self.table[.english]?[self] ?? rawValue
        return text.replacing("%@", with: value)
    }
}
