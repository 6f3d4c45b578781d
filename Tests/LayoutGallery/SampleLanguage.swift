// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// A language that samples are written in, with the locale of the displays that show them.
enum SampleLanguage: String, CaseIterable, Sendable {
    case english = "en_US"
    case german = "de_DE"
    case japanese = "ja_JP"
    case arabic = "ar_EG"

    var title: String {
        switch self {
        case .english: "English"
        case .german: "German"
        case .japanese: "Japanese"
        case .arabic: "Arabic"
        }
    }

    var timeZone: String {
        switch self {
        case .english: "America/New_York"
        case .german: "Europe/Berlin"
        case .japanese: "Asia/Tokyo"
        case .arabic: "Africa/Cairo"
        }
    }
}
