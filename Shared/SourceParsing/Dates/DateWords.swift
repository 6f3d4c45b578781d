// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The words that occur in dates, in several languages; all words are in lower case.
enum DateWords {
    /// Returns the number of the month that a word names, 1 for January to 12 for December; nil if it names no month.
    ///
    /// The word must be in lower case. It is the name of a month, or at least the first three letters of the name. The
    /// result is nil if the names of several months begin with these letters.
    static func month(_ word: String) -> Int64? {
        named(word, in: months)
    }

    /// Returns whether a word is a day of the week.
    static func isWeekday(_ word: String) -> Bool {
        named(word, in: weekdays) != nil
    }

    /// Returns whether a word in a date has no meaning and can be skipped.
    static func isFiller(_ word: String) -> Bool {
        fillers.contains(word)
    }

    private static func named(_ word: String, in table: [String: Int64]) -> Int64? {
        word.utf8.count >= 3 ? table[word] : nil
    }

    private static let fillers: Set<String> = [
        "st", "nd", "rd", "th", "at", "of", "on", "um", "uhr", "den", "der", "le", "à", "er", "el", "de", "del", "las",
        "il", "di", "alle", "ore", "em", "às", "op", "om", "kl", "г", "в", "день", "posted", "published", "updated",
        "–", "—",
        // Days of the week in two letters.
        "mo", "di", "mi", "do", "fr", "sa", "so", "пн", "вт", "ср", "чт", "пт", "сб", "вс", "po", "út", "čt", "pá",
        "ne", "lu", "ma", "me", "je", "ve",
    ]

    private static let months = table([
        // English, German, French, Spanish, Italian, Portuguese, Dutch, the Scandinavian languages, Polish, Czech,
        // Hungarian, Turkish, Russian, Greek.
        "january januar jänner janvier enero gennaio janeiro januari styczeń stycznia leden ledna január ocak январь января ιανουάριος ιανουαρίου gen sty led",
        "february februar feber février fevrier febrero febbraio fevereiro februari luty lutego únor února február şubat февраль февраля φεβρουάριος φεβρουαρίου",
        "march märz maerz mars marzo março marco maart marts marzec marca březen března március mart март марта μάρτιος μαρτίου",
        "april avril abril aprile kwiecień kwietnia duben dubna április nisan апрель апреля απρίλιος απριλίου abr",
        "may mai mayo maggio maio mei maj květen května május mayıs май мая μάιος μαΐου μαϊ mag",
        "june juni juin junio giugno junho czerwiec czerwca červen června június haziran июнь июня ιούνιος ιουνίου",
        "july juli juillet julio luglio julho lipiec lipca červenec července július temmuz июль июля ιούλιος ιουλίου lug",
        "august août aout agosto augustus augusti sierpień sierpnia srpen srpna augusztus ağustos август августа αύγουστος αυγούστου",
        "september septembre septiembre settembre setembro wrzesień września září szeptember eylül сентябрь сентября σεπτέμβριος σεπτεμβρίου sept set",
        "october oktober octobre octubre ottobre outubro październik października říjen října október ekim октябрь октября οκτώβριος οκτωβρίου oct okt",
        "november novembre noviembre novembro listopad listopada listopadu kasım ноябрь ноября νοέμβριος νοεμβρίου",
        "december dezember décembre decembre diciembre dicembre dezembro desember grudzień grudnia prosinec prosince aralık декабрь декабря δεκέμβριος δεκεμβρίου",
    ])

    private static let weekdays = table([
        "monday montag lundi lunes lunedì lunedi segunda maandag mandag måndag poniedziałek pondělí hétfő pazartesi понедельник δευτέρα",
        "tuesday dienstag mardi martes martedì martedi terça dinsdag tirsdag tisdag wtorek úterý kedd salı вторник τρίτη",
        "wednesday mittwoch mercredi miércoles miercoles mercoledì mercoledi quarta woensdag onsdag środa středa szerda çarşamba среда τετάρτη",
        "thursday donnerstag jeudi jueves giovedì giovedi quinta donderdag torsdag czwartek čtvrtek csütörtök perşembe четверг πέμπτη",
        "friday freitag vendredi viernes venerdì venerdi sexta vrijdag fredag piątek pátek péntek cuma пятница παρασκευή",
        "saturday samstag sonnabend samedi sábado sabado sabato zaterdag lørdag lördag sobota szombat cumartesi суббота σάββατο",
        "sunday sonntag dimanche domingo domenica zondag søndag söndag niedziela neděle vasárnap pazar воскресенье κυριακή",
    ])

    /// Returns a table from each name to the number of its row, counted from 1.
    ///
    /// A row contains names with the same meaning, separated by spaces. The table also contains each prefix of a name
    /// with at least three letters. A prefix of names in different rows is left out, unless it is itself a name.
    private static func table(_ rows: [String]) -> [String: Int64] {
        var numbers: [String: Int64] = [:]
        var doubtful: Set<String> = []
        let names = rows.enumerated().flatMap { row in
            row.element.split(separator: " ").map { (String($0), Int64(row.offset + 1)) }
        }
        for (name, number) in names {
            for length in 3...max(3, name.count) {
                let prefix = String(name.prefix(length))
                if let other = numbers[prefix], other != number { doubtful.insert(prefix) }
                numbers[prefix] = numbers[prefix] ?? number
            }
        }
        for prefix in doubtful { numbers[prefix] = nil }
        // A whole name counts even if it is the prefix of another one.
        for (name, number) in names { numbers[name] = number }
        return numbers
    }
}
