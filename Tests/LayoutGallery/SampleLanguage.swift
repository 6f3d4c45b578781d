// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation

/// A language that samples are written in, with the locale of the displays that show them.
enum SampleLanguage: String, CaseIterable, Sendable {
    case english = "en_US"
    case german = "de_DE"
    case japanese = "ja_JP"
    case arabic = "ar_EG"
    case hindi = "hi_IN"
    case thai = "th_TH"
    case hebrew = "he_IL"
    case tamil = "ta_IN"

    /// The languages on every device; the others are shown on the narrowest one and on panels.
    static let onEveryDevice: [SampleLanguage] = [.english, .german, .japanese, .arabic]

    var title: String { "\(self)".capitalized }

    var timeZone: String {
        switch self {
        case .english: "America/New_York"
        case .german: "Europe/Berlin"
        case .japanese: "Asia/Tokyo"
        case .arabic: "Africa/Cairo"
        case .hindi, .tamil: "Asia/Kolkata"
        case .thai: "Asia/Bangkok"
        case .hebrew: "Asia/Jerusalem"
        }
    }
}
