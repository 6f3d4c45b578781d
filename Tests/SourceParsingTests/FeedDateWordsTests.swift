// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Testing
import WidgetSchema

@testable import SourceParsing

/// Dates in the words, the digits and the zones of many languages and programs.
@Suite struct FeedDateWordsTests {
    private static let day = Instant(year: 2026, month: 7, day: 5, millisecondsOfDay: 10 * 3_600_000)

    @Test(arguments: [
        "su, 5 heinä 2026 10:00:00 +0000", "sunnuntai 5. heinäkuuta 2026 klo 10.00", "Dum, 05 Iul 2026 10:00:00 GMT",
        "duminică, 5 iulie 2026, ora 10:00", "нд, 05 юли 2026 10:00:00 +0000", "неделя, 5 юли 2026 г. 10:00",
        "ne, 05 čvc 2026 10:00:00 GMT", "neděle 5. července 2026 v 10:00 hod.", "CN, 05 thg 7 2026 10:00:00 GMT",
        "Chủ Nhật, ngày 5 tháng 7 năm 2026 10:00", "Chủ Nhật, 5 tháng bảy 2026 10:00", "05 Th7 2026 10:00",
        "Th 2, 05 thg 7 2026 10:00", "อาทิตย์, 5 กรกฎาคม 2569 10:00 น.", "อา. 05 ก.ค. 2569 10:00:00 +0000",
        "อา. 05 ก.ค. 2026 10:00", "रवि, 05 जुल॰ 2026 10:00:00 +0000", "रविवार, ५ जुलाई २०२६ १०:००",
        "ஞாயிறு, 5 ஜூலை 2026 10:00", "יום ראשון, 5 ביולי 2026 בשעה 10:00", "א, 05 יול׳ 2026 10:00:00 GMT",
        "الأحد، ٥ يوليو ٢٠٢٦ ١٠:٠٠ ص", "الأحد, 05 تموز 2026 10:00:00 +0000", "нд, 05 лип. 2026 10:00:00 +0000",
        "неділя, 5 липня 2026 р. о 10:00", "Paz, 05 Tem 2026 10:00:00 GMT", "5 TEMMUZ 2026 Pazar 10:00",
        "Min, 05 Jul 2026 10:00:00 GMT", "zo, 05 jul 2026 10:00:00 GMT", "dg., 5 de jul. de 2026, 10h",
        "dim. 5 juil. 2026 à 10h00", "domingo, 5 de julho de 2026 às 10h", "nedjelja, 5. srpnja 2026. 10:00",
        "sekm., 2026 m. liepos 5 d. 10:00", "svētd., 2026. gada 5. jūl. 10:00", "pühapäev, 5. juuli 2026 kell 10:00",
        "日, 05 7月 2026 10:00:00 +0000", "星期日, 05 七月 2026 10:00:00 GMT", "周日, 5 7月 2026 10:00",
        "일, 05 7월 2026 10:00", "T2, 05 thg 7 2026 10:00:00 GMT", "Thứ 2, 05 thg 7 2026 10:00",
        "T2 05 thg 7 2026 10:00", "5 липня 2026 року, 10:00", "5 تموز/يوليو 2026م 10:00", "05/Jul/2026 10:00",
        "5η Ιουλίου 2026 10:00", "5º de julio de 2026 10:00",
        "5 ก.ค. 69 10:00", "Κυρ, 05 Ιουλ 2026 10:00:00 GMT", "sön, 5 juli 2026 kl. 10.00",
        "vasárnap, 2026. július 5. 10:00",
    ])
    func aDateIsReadInEveryLanguage(text: String) { #expect(FeedDate.parse(text) == Self.day) }

    @Test(arguments: [
        "05.07.2026, 10 Uhr", "5. Juli 2026, 10 Uhr", "10 Uhr, 5. Juli 2026", "Sun, 05 Jul 2026 10 h GMT",
        "5 juillet 2026 à 10 h", "5 juillet 2026 à 10 h 00", "5 juil. 2026, 10 h 00 min 00 s", "2026-07-05 10 h 00",
        "10h le 5 juillet 2026", "5 июля 2026 10 ч", "5 กรกฎาคม 2569 10 นาฬิกา 00 นาที", "05 Jul 2026 10am",
        "July 5, 2026, 10 a.m.", "10 AM, 5 July 2026", "ngày 5 tháng 7 năm 2026, 10 giờ",
    ])
    func anHourMayStandAlone(text: String) { #expect(FeedDate.parse(text) == Self.day) }

    @Test(arguments: [
        "5 Jul 2026 10:00 μ.μ.", "dimanche 5/7/2026 22:00", "T7, 05/07/2026 22:00",
        "Chủ Nhật, 05/07/2026 22:00", "segunda-feira, 05/07/2026 22:00", "5 يوليو 2026 10:00 م",
        "الأحد 5/7/2026، 10:00 م", "2026-07-05 下午10:00", "2026/7/5 下午10:00", "2026/07/05(日) 22:00",
        "2026-07-05(日) 22:00",
        "2026年7月5日 下午10:00", "2026年7月5日(日) 午後10時", "2026年7月5日（日）22時00分00秒 更新", "2026. 7. 5. 오후 10:00",
        "2026년 7월 5일 일요일 오후 10시 UTC", "2026년 7월 6일 오전 7시", "2026年7月6日 07:00 JST", "2026年7月6日 7時0分 +0900",
        "2026年7月6日 06:00:00 GMT+0800", "Sun, 05 Jul 2026 22:00 +0000 UTC", "Mon, 06 Jul 2026 00:00:00 +0200 CEST",
        "пн, 6 июля 2026 01:00 МСК",
    ])
    func theEveningIsRead(text: String) { #expect(FeedDate.parse(text) == Self.day.advanced(by: .seconds(12 * 3_600))) }

    @Test(arguments: [
        ("1900-01-01T00:00:00+14:00", false), ("1900-06-01T00:00:00Z", true), ("1899-12-31T23:00:00-05:00", false),
        ("Sat, 30 Dec 1899 00:00:00 GMT", false), ("May 2026", false), ("Juli 2026", false), ("about 20260705", false),
        ("Thu 5 Nov 2026", true), ("2026年13月1日", false), ("2026年7月", false),
        ("2026年", false), ("年2026", false), ("2026 foo", false),
    ])
    func onlyAWholeDateAfter1900IsADate(text: String, isDate: Bool) { #expect((FeedDate.parse(text) != nil) == isDate) }

    @Test func englishPutsTheMonthBeforeTheDay() {
        #expect(FeedDate.parse("Sun, 07/05/2026 10:00") == Self.day)
        #expect(FeedDate.parse("Posted 07/05/2026 10:00") == Self.day)
        #expect(FeedDate.parse("07/05/2026 10:00") == Self.day)
        #expect(FeedDate.parse("Sonntag, 05/07/2026 10:00") == Self.day)
    }

    @Test(arguments: [
        "Sun, 05 Jul 2026 12:00:00 Europe/Berlin", "2026-07-05T12:00:00[Europe/Berlin]",
        "2026-07-05T12:00:00+02:00[Europe/Berlin]", "2026-07-05T10:00:00Z[UTC]", "2026-07-05 12:00 Europe/Berlin",
        "Sun, 05 Jul 2026 10:00:00 GMT Daylight Time", "Sun, 05 Jul 2026 12:00:00 W. Europe Daylight Time",
        "Sun, 05 Jul 2026 12:00:00 Central European Summer Time", "Sun, 05 Jul 2026 06:00:00 Eastern Daylight Time",
        "2026-07-05 05:00:00 Eastern Standard Time", "Sun, 05 Jul 2026 10:00:00 Coordinated Universal Time",
        "Sun, 05 Jul 2026 17:00:00 (GMT+7)", "2026-07-05T12:00:00[UTC+02:00]", "Thứ 2, ngày 05/07/2026, 17:00 (GMT+7)",
        "Sun, 05 Jul 2026 11:00:00 (British Summer Time)", "Sun Jul 05 2026 12:00:00 GMT+0200 (Mitteleuropäische Zeit)",
        "05.07.2026, 10:00 Uhr", "Sonntag, 05.07.2026 um 10.00 Uhr", "5. 7. 2026 10:00", "2026. 07. 05. 10:00",
        "Sun, 05 Jul 2026 12.00.00 +0200", "2026-07-05T10.00.00Z", "Sun, 2026-07-05 10:00:00",
        "2026-07-05 Sunday 10:00", "10:00 Uhr, 5. Juli 2026", "\u{200F}05\u{200F}.07.2026 10:00",
        "Sun,\u{A0}05\u{A0}Jul\u{202F}2026\u{2009}10:00:00\u{A0}GMT", "２０２６年７月５日 １０：００",
        "2026-07-05T08:00:00\u{2212}02:00", "Sun, 05 Jul 2026 10:00:00.000 UTC",
    ])
    func aZoneAndItsTimeAreRead(text: String) { #expect(FeedDate.parse(text) == Self.day) }

    @Test(arguments: [
        ("2026-10-25T02:30:00 Europe/Berlin", "2026-10-25T00:30:00Z"),
        ("2026-03-29T02:30:00 Europe/Berlin", "2026-03-29T01:30:00Z"),
        ("2026-01-05T12:00:00 America/New_York", "2026-01-05T17:00:00Z"),
        ("Mon, 05 Jan 2026 12:00:00 Asia/Kolkata", "2026-01-05T06:30:00Z"),
    ])
    func aPlaceHasTheOffsetOfItsSeason(text: String, instant: String) {
        #expect(FeedDate.parse(text) == Instant(instant))
    }

    @Test(arguments: 0..<12)
    func everyNameIsThatOfItsMonth(month: Int) {
        for list in [MonthNames.common, MonthNames.further] {
            #expect(list.count == 12)
            for name in list[month].split(separator: " ") {
                #expect(DateWords.month(String(name)) == Int64(month + 1), "\(name)")
            }
        }
    }

    @Test func aMonthOfACommonLanguageHasPriority() {
        // October in Croatian, November in Polish, Czech and Ukrainian.
        #expect(FeedDate.parse("30 listopada 2026") == Instant("2026-11-30T00:00:00Z"))
        // The beginning of the Finnish word for November.
        #expect(FeedDate.parse("30 mar 2026") == Instant("2026-03-30T00:00:00Z"))
    }
}
