// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import WidgetSchema

/// Contents as people see them, in one language each, for every kind of widget.
///
/// Texts of all lengths: one letter, long words that have to be broken, emoji, and other scripts among the letters.
enum SampleContents {
    /// 21 November 2026, 13:49 GMT.
    static let instant = Instant(year: 2026, month: 11, day: 21, millisecondsOfDay: 49_756_000)

    static func content(_ kind: WidgetKind, in language: SampleLanguage) -> Content {
        switch kind {
        case .feed: .feed(FeedContent(title: "Tidings", items: posts(language)))
        case .keyValue: .keyValue(KeyValueContent(pairs: facts(language)))
        case .forecast: .forecast(ForecastContent(days: days))
        case .quote: .quote(QuoteContent(quotes: [quote(language)]))
        case .documents: .documents(DocumentsContent(documents: documents(language)))
        case .json: .json(RowsContent(rows: rows(language)))
        }
    }

    static func definition(_ kind: WidgetKind, in language: SampleLanguage) -> WidgetDefinition {
        var definition = WidgetDefinition(kind: kind, name: "Lighthouse")
        if kind == .documents { definition.actions = actions(language) }
        return definition
    }

    private static func ago(hours: Int64) -> Instant { instant.advanced(byMilliseconds: -hours * 3_600_000) }

    // MARK: Feed

    private static func posts(_ language: SampleLanguage) -> [FeedItem] {
        let texts: [(title: String, author: String?)] =
            switch language {
            case .english:
                [
                    ("Ferry timetable changes for the winter, with fewer sailings on Sundays", "Harbour Office"),
                    ("🎉 Library reopens", "Ada Whitfield"),
                    ("Pneumonoultramicroscopicsilicovolcanoconiosis, explained for everyone", "Dr. Priya Venkataraman"),
                    ("Moon tonight", nil),
                    ("How the 日本語 reading group found its fiftieth member — and a permanent room", "Jun Watanabe"),
                    ("X", "A"),
                    ("Seven walks under five miles", "Marta Lindqvist"),
                ]
            case .german:
                [
                    (
                        "Donaudampfschifffahrtsgesellschaft erneuert ihre Flotte bis zum kommenden Frühjahr",
                        "Jürgen Großmann"
                    ),
                    ("Straßenbahn fährt wieder", "Stadtwerke"),
                    (
                        "Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz aufgehoben",
                        "Amt für Öffentliches"
                    ),
                    ("Nebel 🌫️ am Morgen", nil),
                    ("Die schönsten Weihnachtsmärkte zwischen Flensburg und Füssen", "Käthe Müller-Lüdenscheidt"),
                    ("Ö", "Ä"),
                    ("Wochenmarkt zieht um", "Redaktion"),
                ]
            case .japanese:
                [
                    ("明日から三連休、各地の紅葉が見頃を迎え、行楽地は大変な混雑が予想されています", "気象センター"),
                    ("図書館が再開しました🎉", "田中さくら"),
                    ("新しい路線バスの時刻表を公開", "交通局"),
                    ("今夜の月", nil),
                    ("Swiftで書かれたウィジェットのためのメッセージバスを試してみた", "山本健太郎"),
                    ("雨", "あ"),
                    ("商店街の秋祭り、今年は週末の二日間にわたって開催", "編集部"),
                ]
            case .arabic:
                [
                    ("افتتاح المكتبة العامة الجديدة في وسط المدينة بحضور مئات القراء من جميع الأعمار", "هيئة التحرير"),
                    ("قمر الليلة 🌙", nil),
                    ("جدول العبّارات لفصل الشتاء", "مكتب الميناء"),
                    ("كيف تتعلم Swift في عشرة أيام", "ليلى عبد الرحمن"),
                    ("طقس معتدل", "الأرصاد"),
                    ("ن", "م"),
                    ("مهرجان الخريف يعود هذا الأسبوع", "المحرر"),
                ]
            case .hindi:
                [
                    ("सर्दियों के लिए नौका सेवा का समय बदला, रविवार को कम फेरे होंगे", "बंदरगाह कार्यालय"),
                    ("पुस्तकालय फिर खुला 🎉", "आदित्य शर्मा"),
                    ("अंतरराष्ट्रीय सम्मेलन में भाग लेने वाले प्रतिनिधियों का स्वागत", "डॉ. प्रिया वेंकटरमन"),
                    ("आज रात का चाँद", nil),
                    ("Swift में लिखी गई संदेश बस आज़माई", "रोहन"),
                    ("क", "अ"),
                    ("मेला इस सप्ताहांत लौट रहा है", "संपादक"),
                ]
            case .thai:
                [
                    ("เปลี่ยนตารางเดินเรือข้ามฟากช่วงฤดูหนาว ลดเที่ยวเรือวันอาทิตย์", "สำนักงานท่าเรือ"),
                    ("ห้องสมุดเปิดอีกครั้ง 🎉", "สมชาย ใจดี"),
                    ("กรุงเทพมหานครจัดเทศกาลดนตรีริมแม่น้ำเจ้าพระยาตลอดสุดสัปดาห์นี้", "กองบรรณาธิการ"),
                    ("คืนนี้พระจันทร์เต็มดวง", nil),
                    ("ลองใช้ Swift เขียนระบบส่งข้อความ", "นภา"),
                    ("ก", "ข"),
                    ("ตลาดนัดย้ายที่", "บรรณาธิการ"),
                ]
            case .hebrew:
                [
                    ("לוח הזמנים של המעבורת משתנה בחורף, ופחות הפלגות יוצאות בימי ראשון", "משרד הנמל"),
                    ("הספרייה נפתחת מחדש 🎉", "עדה לוי"),
                    ("ההתמודדות עם השיטפונות והתארגנויותיהם של התושבים", "ד״ר נועה בן־ארי"),
                    ("הירח הלילה", nil),
                    ("איך כותבים ב־Swift מערכת הודעות בעשרה ימים", "יונתן"),
                    ("א", "ב"),
                    ("השוק השבועי עובר דירה", "המערכת"),
                ]
            case .tamil:
                [
                    ("குளிர்காலத்தில் படகுச் சேவையின் நேரம் மாறுகிறது, ஞாயிறன்று குறைவான பயணங்கள்", "துறைமுக அலுவலகம்"),
                    ("நூலகம் மீண்டும் திறப்பு 🎉", "கவிதா"),
                    ("தொழில்நுட்பக் கண்டுபிடிப்பாளர்களுக்கான பன்னாட்டு மாநாடு தொடக்கம்", "முனைவர் பிரியா வெங்கடராமன்"),
                    ("இன்றிரவு நிலவு", nil),
                    ("Swift மொழியில் எழுதிய செய்திப் பேருந்து", "அருண்"),
                    ("அ", "ஆ"),
                    ("வாரச்சந்தை இடம் மாறுகிறது", "ஆசிரியர்"),
                ]
            }
        return texts.enumerated().map { index, text in
            FeedItem(
                id: "post-\(index)",
                title: text.title,
                author: text.author,
                published: ago(hours: Int64(index) * 31 + 2),
                link: "https://example.org/posts/\(index)"
            )
        }
    }

    // MARK: Facts

    private static func facts(_ language: SampleLanguage) -> [KeyValuePair] {
        switch language {
        case .english: [KeyValuePair(key: "city", value: "Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch")]
        case .german: [KeyValuePair(key: "Zeitzone", value: "Europe/Berlin (Mitteleuropäische Normalzeit)")]
        case .japanese: [KeyValuePair(key: "地域", value: "東京都千代田区丸の内一丁目")]
        case .arabic: [KeyValuePair(key: "المدينة", value: "القاهرة الجديدة")]
        case .hindi: [KeyValuePair(key: "समय क्षेत्र", value: "एशिया/कोलकाता (भारतीय मानक समय)")]
        case .hebrew: [KeyValuePair(key: "אזור זמן", value: "אסיה/ירושלים (שעון ישראל)")]
        case .tamil: [KeyValuePair(key: "நேர மண்டலம்", value: "ஆசியா/கொல்கத்தா (இந்திய நேரம்)")]
        case .thai: [KeyValuePair(key: "เขตเวลา", value: "เอเชีย/กรุงเทพฯ (เวลาอินโดจีน)")]
        }
    }

    // MARK: Forecast

    private static var days: [ForecastDay] {
        let first = LocalDays(.gmt).date(at: instant)
        let weather: [(WeatherCondition, Double?, Double?)] = [
            (.partlyCloudy, 4.2, 11.8), (.rainShowers, 6, 9.4), (.thunderstorm, -11, -3), (.heavySnow, -12.5, -8.8),
            (.clear, -0.4, 38), (.fog, 2, 7),
        ]
        return weather.enumerated().map { index, day in
            ForecastDay(date: first.advanced(byDays: index), condition: day.0, low: day.1, high: day.2)
        }
    }

    // MARK: Quote

    private static func quote(_ language: SampleLanguage) -> Quote {
        switch language {
        case .english:
            Quote(
                text:
                    "It is a capital mistake to theorize before one has data. Insensibly one begins to twist facts to "
                    + "suit theories, instead of theories to suit facts.",
                author: "Arthur Conan Doyle",
                source: "A Scandal in Bohemia"
            )
        case .german:
            Quote(
                text: "Es irrt der Mensch, solang er strebt.",
                author: "Johann Wolfgang von Goethe",
                source: "Faust. Der Tragödie erster Teil"
            )
        case .japanese:
            Quote(text: "吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。", author: "夏目漱石", source: "吾輩は猫である")
        case .arabic:
            Quote(
                text: "على قدر أهل العزم تأتي العزائم وتأتي على قدر الكرام المكارم",
                author: "المتنبي",
                source: "ديوان المتنبي"
            )
        case .hindi:
            Quote(
                text: "धीरे-धीरे रे मना, धीरे सब कुछ होय। माली सींचे सौ घड़ा, ऋतु आए फल होय।",
                author: "कबीर",
                source: "कबीर के दोहे"
            )
        case .hebrew:
            Quote(
                text: "אם אין אני לי, מי לי? וכשאני לעצמי, מה אני? ואם לא עכשיו, אימתי?",
                author: "הלל הזקן",
                source: "פרקי אבות"
            )
        case .tamil:
            Quote(text: "கற்க கசடறக் கற்பவை கற்றபின் நிற்க அதற்குத் தக.", author: "திருவள்ளுவர்", source: "திருக்குறள்")
        case .thai:
            Quote(text: "รู้สิ่งไรไม่สู้รู้วิชา รู้รักษาตัวรอดเป็นยอดดี", author: "สุนทรภู่", source: "พระอภัยมณี")
        }
    }

    // MARK: Documents

    private static func documents(_ language: SampleLanguage) -> [RecentDocument] {
        let titles: [String] =
            switch language {
            case .english:
                [
                    "Minutes of the harbour committee, third quarter, final version (2).pdf", "Budget 2027",
                    "🏕️ Packing list",
                    "supercalifragilisticexpialidocious_backup_of_backup.tar.gz", "Letter",
                ]
            case .german:
                [
                    "Steuererklärungsunterlagenzusammenfassung für das Jahr 2026.pdf", "Einkaufszettel", "🏕️ Packliste",
                    "Geschwindigkeitsbegrenzungsschilder.xlsx", "Brief",
                ]
            case .japanese: ["第三四半期港湾委員会議事録最終版の二.pdf", "予算二〇二七", "🏕️持ち物リスト", "旅行の写真と日程表", "手紙"]
            case .arabic:
                ["محضر اجتماع لجنة الميناء للربع الثالث (نسخة نهائية).pdf", "ميزانية ٢٠٢٧", "🏕️ قائمة الرحلة", "رسالة"]
            case .hindi:
                ["बंदरगाह समिति की बैठक का कार्यवृत्त, अंतिम संस्करण.pdf", "बजट 2027", "🏕️ सामान की सूची", "पत्र"]
            case .hebrew:
                ["פרוטוקול ישיבת ועדת הנמל, רבעון שלישי, נוסח סופי.pdf", "תקציב 2027", "🏕️ רשימת ציוד", "מכתב"]
            case .tamil:
                ["துறைமுகக் குழுவின் கூட்டக் குறிப்பு, இறுதிப் பதிப்பு.pdf", "நிதிநிலை 2027", "🏕️ பொருள் பட்டியல்", "கடிதம்"]
            case .thai:
                ["รายงานการประชุมคณะกรรมการท่าเรือ ฉบับสมบูรณ์.pdf", "งบประมาณ 2570", "🏕️ รายการสิ่งของ", "จดหมาย"]
            }
        let icons = ["doc.richtext", "tablecells", nil, "no.such.symbol", "doc.text"]
        return titles.enumerated().map { index, title in
            RecentDocument(
                id: "document-\(index)",
                title: title,
                link: "exampleapp://documents/\(index)",
                openedAt: ago(hours: Int64(index) * 17),
                icon: icons[index]
            )
        }
    }

    private static func actions(_ language: SampleLanguage) -> [QuickAction] {
        let titles =
            switch language {
            case .english: ["New Document", "Scan", "Search Everything"]
            case .german: ["Neues Dokument", "Einscannen", "Volltext\u{AD}durchsuchung"]
            case .japanese: ["新規書類", "スキャン", "すべてを検索"]
            case .arabic: ["مستند جديد", "مسح", "بحث"]
            case .hindi: ["नया दस्तावेज़", "स्कैन करें", "सब कुछ खोजें"]
            case .hebrew: ["מסמך חדש", "סריקה", "חיפוש בכל המסמכים"]
            case .tamil: ["புதிய ஆவணம்", "ஸ்கேன்", "எங்கும் தேடு"]
            case .thai: ["เอกสารใหม่", "สแกน", "ค้นหาทั้งหมด"]
            }
        return zip(titles, ["square.and.pencil", "doc.viewfinder", "magnifyingglass"]).map { title, icon in
            QuickAction(title: title, icon: icon, url: "exampleapp://\(icon)")
        }
    }

    // MARK: Rows

    private static func rows(_ language: SampleLanguage) -> [ContentRow] {
        let titles: [String] =
            switch language {
            case .english:
                ["main: build and test on every platform that we ship to", "release/2.1", "docs", "nightly", "fuzzing"]
            case .german:
                [
                    "Hauptzweig: Übersetzung und Prüfung", "Veröffentlichung 2.1", "Handbuch", "nächtlich",
                    "Zufallsprüfung",
                ]
            case .japanese: ["メインブランチのビルドとテスト", "リリース二・一", "文書", "夜間", "ファジング"]
            case .arabic: ["الفرع الرئيسي: البناء والاختبار", "إصدار ٢٫١", "الوثائق", "ليلي"]
            case .hindi: ["मुख्य शाखा: हर मंच पर निर्माण और परीक्षण", "संस्करण 2.1", "दस्तावेज़", "रात का निर्माण"]
            case .hebrew: ["הענף הראשי: בנייה ובדיקה בכל הפלטפורמות", "גרסה 2.1", "תיעוד", "לילי"]
            case .tamil: ["முதன்மைக் கிளை: எல்லாத் தளங்களிலும் கட்டமைப்பு", "பதிப்பு 2.1", "கையேடு", "இரவுக் கட்டமைப்பு"]
            case .thai: ["สาขาหลัก: สร้างและทดสอบทุกแพลตฟอร์ม", "รุ่น 2.1", "เอกสาร", "รายคืน"]
            }
        let values: [RowValue] = [
            .number(RowNumber(0.9375, .percent)), .number(RowNumber(1_234_567, .bytes)), .text("ok"),
            .number(RowNumber(-1234.5, .decimal)), .date(ago(hours: 90)),
        ]
        return titles.enumerated().map { index, title in
            ContentRow(
                id: "row-\(index)",
                title: .text(title),
                subtitle: values[index],
                date: index == 2 ? nil : ago(hours: Int64(index) * 5),
                link: "https://example.org/builds/\(index)"
            )
        }
    }
}
