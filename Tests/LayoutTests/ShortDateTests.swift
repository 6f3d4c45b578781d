// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Testing
import WidgetSchema

@testable import LayoutEngine

/// Short dates, which are those of Apple's systems for each locale.
@Suite struct ShortDateTests {
    private static let instant = Instant(year: 2026, month: 11, day: 20, millisecondsOfDay: 49_740_000)

    /// 20 November 2026 in the short formats of Apple's ICU: those of CLDR, as Babel 2.19 writes them, but for Czech and
    /// Korean, which have all digits of the year.
    private static let dates: [(locale: String, date: String)] = [
        ("en_US", "11/20/26"), ("en_GB", "20/11/2026"), ("de_DE", "20.11.26"), ("ja_JP", "2026/11/20"),
        ("es_ES", "20/11/26"), ("fr_FR", "20/11/2026"), ("it_IT", "20/11/26"), ("pt_BR", "20/11/2026"),
        ("pt_PT", "20/11/26"),
        ("nl_NL", "20-11-2026"), ("sv_SE", "2026-11-20"), ("da_DK", "20.11.2026"), ("nb_NO", "20.11.2026"),
        ("fi_FI", "20.11.2026"), ("pl_PL", "20.11.2026"), ("cs_CZ", "20.11.2026"), ("uk_UA", "20.11.26"),
        ("ru_RU", "20.11.2026"), ("tr_TR", "20.11.2026"), ("el_GR", "20/11/26"), ("he_IL", "20.11.2026"),
        ("hi_IN", "20/11/26"), ("ta_IN", "20/11/26"), ("ko_KR", "2026. 11. 20."), ("zh_CN", "2026/11/20"),
        ("zh_TW", "2026/11/20"),
    ]

    @Test(arguments: dates) func aShortDateIsThatOfTheLocale(locale: String, date: String) {
        let formats = LocaleFormats()
        let place = formats.place(locale: locale, timeZone: "UTC", hourCycle: nil)
        #expect(formats.shortDate(Self.instant, at: place) == date)
    }

    @Test func theTimeOfAShortDateHasTheHourCycleOfTheDisplay() {
        let formats = LocaleFormats()
        func text(_ hourCycle: Display.HourCycle?) -> String? {
            let place = formats.place(locale: "en_US", timeZone: "UTC", hourCycle: hourCycle)
            return formats.shortDateAndTime(Self.instant, at: place)?.replacing("\u{202F}", with: " ")
        }
        #expect(text(nil) == "11/20/26, 1:49 PM")
        #expect(text(.twentyFourHour) == "11/20/26, 13:49")
    }
}
