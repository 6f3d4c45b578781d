// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The languages that widgets speak; displays of any other locale get English.
enum WidgetLanguage: String, CaseIterable, Sendable {
    case english = "en"
    case german = "de"
    case japanese = "ja"
    case arabic = "ar"

    /// By the locale's first part, `de_AT`.
    init(locale: String) {
        let code = locale.prefix { $0 != "_" && $0 != "-" }
        self = WidgetLanguage(rawValue: code.lowercased()) ?? .english
    }
}
