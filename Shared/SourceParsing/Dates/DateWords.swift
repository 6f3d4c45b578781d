// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The words that occur in dates, in many languages; all words are in lower case.
enum DateWords {
    /// The maximum number of words in the name of a month.
    static let maximumMonthWords = 3

    /// Returns the number of the month that a word names, 1 for January to 12 for December; nil if it names no month.
    ///
    /// The word must be in lower case. It is the name of a month, or at least the first three letters of the name. The
    /// result is nil if the names of several months begin with these letters. A name of several words has `_` between
    /// them.
    static func month(_ word: String) -> Int64? {
        word.utf8.count >= 3 ? months[word] : nil
    }

    /// Returns whether a word is a day of the week in one of the common languages.
    ///
    /// Before a date, words of every language are days of the week.
    static func isWeekday(_ word: String) -> Bool {
        word.utf8.count >= 3 && weekdays[word] != nil
    }

    /// Returns whether a word in a date has no meaning and can be skipped.
    static func isFiller(_ word: String) -> Bool {
        fillers.contains(word)
    }

    /// Returns whether a word says that the number of a month follows, as in Vietnamese: `tháng 7`.
    static func announcesMonth(_ word: String) -> Bool { ["tháng", "thang", "thg", "th"].contains(word) }

    /// Returns whether a word after a number says that it is the number of a month: `7月`.
    static func isMonthUnit(_ word: String) -> Bool { word == "月" || word == "월" }

    /// Returns `am` or `pm` for a word with this meaning in another language; nil for any other word.
    static func dayPeriod(_ word: String) -> String? {
        switch word {
        case "ص", "πμ", "öö", "pg", "pd": "am"
        case "م", "μμ", "ös", "ptg", "md": "pm"
        default: leadingDayPeriod(word)
        }
    }

    /// Returns `am` or `pm` for a word with this meaning that stands before the time; nil for any other word.
    static func leadingDayPeriod(_ word: String) -> String? {
        switch word {
        case "上午", "午前", "오전", "凌晨", "早上": "am"
        case "下午", "午後", "오후", "晚上": "pm"
        default: nil
        }
    }

    /// Returns whether a word after a number says that it is the hour: `10 Uhr`.
    static func isHourUnit(_ word: String) -> Bool { hourUnits.contains(word) }

    /// Returns whether a word after a number says that it is the minute or the second: `05 min`.
    static func isMinuteOrSecondUnit(_ word: String) -> Bool { minuteAndSecondUnits.contains(word) }

    /// Returns whether a word is a day of the week or a filler in English.
    ///
    /// In English, the month is the first of three numbers with slashes; in other languages, it is the second one.
    static func isEnglish(_ word: String) -> Bool {
        english.contains(word)
            || word.utf8.count >= 3
                && ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"].contains {
                    $0.hasPrefix(word)
                }
    }

    private static let english: Set<String> = ["posted", "published", "updated", "created", "date", "on", "at", "the"]

    private static let hourUnits: Set<String> = [
        "h", "hs", "hr", "hrs", "uhr", "u", "uur", "ч", "час", "часа", "часов", "giờ", "นาฬิกา",
    ]

    private static let minuteAndSecondUnits: Set<String> = [
        "m", "mn", "min", "minuten", "s", "sec", "sek", "phút", "giây", "นาที", "วินาที", "мин", "сек", "хв",
    ]

    private static let fillers: Set<String> = Set(
        """
        st nd rd th at of on the hr hrs hs hours posted published updated um uhr den der le à h er el de d del las a \
        les los horas il di alle ore em às op om uur kl klo kello kell klockan godz r roku o v hod ve ora la saat da \
        pukul pada tanggal ngày năm lúc giờ t m gada g n i ei án én ές ης η \
        στις ώρα г р в о об у год года году час року ч по \
        часов день го на เวลา น พ.ศ ค.ศ ที่ ปี في الساعة عام ساعت م בשעה ב של को बजे – — ª º թ ж \
        mo mi do fr sa so пн вт ср чт пт сб вс нд po út čt pá so ne lu ma me je
        """.split(separator: " ").map(String.init)
    )

    private static let months = table([MonthNames.common, MonthNames.further])

    private static let weekdays = table([
        [
            "monday montag lundi lunes lunedì lunedi segunda maandag mandag måndag poniedziałek pondělí hétfő pazartesi понедельник δευτέρα",
            "tuesday dienstag mardi martes martedì martedi terça dinsdag tirsdag tisdag wtorek úterý kedd salı вторник τρίτη",
            "wednesday mittwoch mercredi miércoles miercoles mercoledì mercoledi quarta woensdag onsdag środa středa szerda çarşamba среда τετάρτη",
            "thursday donnerstag jeudi jueves giovedì giovedi quinta donderdag torsdag czwartek čtvrtek csütörtök perşembe четверг πέμπτη",
            "friday freitag vendredi viernes venerdì venerdi sexta vrijdag fredag piątek pátek péntek cuma пятница παρασκευή",
            "saturday samstag sonnabend samedi sábado sabado sabato zaterdag lørdag lördag sobota szombat cumartesi суббота σάββατο",
            "sunday sonntag dimanche domingo domenica zondag søndag söndag niedziela neděle vasárnap pazar воскресенье κυριακή",
        ]
    ])

    /// Returns a table from each name to the number of its row, counted from 1.
    ///
    /// A row contains names with the same meaning, separated by spaces. The table also contains each beginning of a
    /// name with at least three letters, unless names in different rows begin with it. Names and their beginnings in an
    /// earlier group have priority.
    private static func table(_ groups: [[String]]) -> [String: Int64] {
        let groups = groups.map { rows in
            rows.enumerated().flatMap { row in
                row.element.split(separator: " ").map { (name: String($0), number: Int64(row.offset + 1)) }
            }
        }
        var numbers = Dictionary(groups.joined().map { ($0.name, $0.number) }) { first, _ in first }
        for group in groups {
            var beginnings: [String: Int64] = [:]
            var ambiguous: Set<String> = []
            for (name, number) in group where !name.contains("_") && name.count > 3 {
                for length in 3..<name.count {
                    let beginning = String(name.prefix(length))
                    guard numbers[beginning] == nil else { continue }
                    if beginnings.updateValue(number, forKey: beginning) ?? number != number {
                        ambiguous.insert(beginning)
                    }
                }
            }
            for (beginning, number) in beginnings where !ambiguous.contains(beginning) { numbers[beginning] = number }
        }
        return numbers
    }
}
