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
    case russian = "ru_RU"
    case chinese = "zh_CN"

    /// The languages on every device; the others are shown on the narrowest one and on panels, or on panels only.
    static let onEveryDevice: [SampleLanguage] = [.english, .german, .japanese, .arabic]

    static let onPanelsOnly: [SampleLanguage] = [.russian, .chinese]

    var isRightToLeft: Bool { self == .arabic || self == .hebrew }

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
        case .russian: "Europe/Moscow"
        case .chinese: "Asia/Shanghai"
        }
    }
}
