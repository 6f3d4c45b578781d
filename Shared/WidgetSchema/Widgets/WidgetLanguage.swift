// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The languages of the texts that widgets show in addition to their content, such as "Show more".
///
/// Displays with a locale in any other language show these texts in English.
public enum WidgetLanguage: String, CaseIterable, Sendable {
    case english = "en"
    case german = "de"
    case japanese = "ja"
    case arabic = "ar"
    case spanish = "es"
    case french = "fr"
    case italian = "it"
    case portuguese = "pt"
    case dutch = "nl"
    case swedish = "sv"
    case danish = "da"
    case norwegian = "nb"
    case finnish = "fi"
    case polish = "pl"
    case czech = "cs"
    case ukrainian = "uk"
    case russian = "ru"
    case turkish = "tr"
    case greek = "el"
    case hebrew = "he"
    case hindi = "hi"
    case thai = "th"
    case tamil = "ta"
    case korean = "ko"
    case simplifiedChinese = "zh-Hans"
    case traditionalChinese = "zh-Hant"

    /// Creates the language of a locale such as `de_AT` or `zh-Hant-HK`; nil if that language is not available.
    public init?(locale: String) {
        let parts = locale.prefix { $0 != "@" && $0 != "." }.lowercased().split { $0 == "_" || $0 == "-" }
        switch parts.first {
        case "zh":
            let rest = parts.dropFirst()
            let isTraditional =
                rest.contains("hant") || !rest.contains("hans") && rest.contains { ["tw", "hk", "mo"].contains($0) }
            self = isTraditional ? .traditionalChinese : .simplifiedChinese
        case "no", "nn": self = .norwegian
        case "iw": self = .hebrew
        case let code?:
            guard let language = WidgetLanguage(rawValue: String(code)) else { return nil }
            self = language
        case nil: return nil
        }
    }
}
