// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Testing
import WidgetSchema

@testable import LayoutEngine

@Suite struct WordWrapTests {
    private typealias Word = WordWrap.Word

    /// Words of three letters and a space, each 10 units wide, and a last word without a space.
    private func words(_ count: Int) -> [Word] {
        (1...count).map { number in
            let isLast = number == count
            return Word(
                end: number * 4 - (isLast ? 1 : 0),
                width: isLast ? 30 : 40,
                space: isLast ? nil : 10,
                isIndependent: true
            )
        }
    }

    private func wrapped(_ words: [Word], width: Int32, lines: Int = 9) -> WordWrap? {
        WordWrap(words, width: width, uncertainty: 2, maximumLines: lines)
    }

    @Test func aLineGetsAsManyWordsAsFitWithoutTheSpaceAtItsEnd() throws {
        let wrap = try #require(wrapped(words(5), width: 75))
        #expect(
            wrap.lines == [
                WordWrap.Line(bytes: 0..<7, width: 70), WordWrap.Line(bytes: 8..<15, width: 70),
                WordWrap.Line(bytes: 16..<19, width: 30),
            ]
        )
        #expect(wrap.cutLine == nil)
    }

    @Test func theLastAllowedLineIsCutAndItsBytesEndEarly() throws {
        let wrap = try #require(wrapped(words(20), width: 75, lines: 2))
        #expect(wrap.lines == [WordWrap.Line(bytes: 0..<7, width: 70)])
        // Beyond one and a half lines, more text changes nothing.
        #expect(wrap.cutLine == 8..<20)
    }

    @Test(arguments: [68, 69, 70, 71, 72] as [Int32])
    func aWidthThatDiffersFromALineByLessThanTheUncertaintyIsNotDecided(width: Int32) {
        // Two words are 70 units wide.
        #expect((wrapped(words(4), width: width) == nil) == (69...71).contains(width))
    }

    @Test func aWordThatIsLongerThanALineIsNotDecided() { #expect(wrapped(words(4), width: 25) == nil) }

    @Test func aLineThatWouldEndBehindADependentWordIsNotDecided() {
        var dependent = words(4)
        dependent[1].isIndependent = false
        #expect(wrapped(dependent, width: 75) == nil)
        #expect(wrapped(dependent, width: 115) != nil, "the second word is within a line")
    }

    private static let spacedTexts = [
        "The council opens a library in the harbour again, and closes the market for one evening",
        "Die Straße führt über grüne Hügel nach Österreich, wo der Zug um fünf Uhr früh hält.",
        "Съешь же ещё этих мягких французских булок, да выпей чаю, пока не остыл совсем.",
        "Η γρήγορη αλεπού πηδάει πάνω από το τεμπέλικο σκυλί και γυρίζει πίσω στο σπίτι",
        "हिन्दी में एक लंबा शीर्षक जो दो पंक्तियों से अधिक हो सकता है और जारी रहता है",
    ]

    private static let otherTexts = [
        "Prices rose 3.5% — from $1,200 to $1,242 — in Q3/2026 (see pp. 12–14), said well-known sources",
        "A board of 8 x 12 feet, 2 x 4 x 6 metres, AV To Yo We. T. P, F. L’été, “quoted” words – ‘yes’ …",
        "https://example.org/a/long/path/without/any/space?with=query&and=more see there, Windows-Taste",
        "foo – Bar and NASA – moon, a non-breaking\u{A0}space, and 100\u{202F}km of road → to the end",
        "Caution ⚠ \u{FE0F}Warning, marks \u{301}x behind \u{301}x each \u{301}x space \u{301}x of \u{301}x this \u{301}x text",
        "हिन्दी \u{93F}में \u{93F}एक \u{94D}लंबा \u{93F}शीर्षक \u{94D}जो \u{93F}दो \u{94D}पंक्तियों \u{93F}से \u{93F}अधिक \u{93F}है",
        "An unknown character \u{E123} within a text of many words, and another one at its end \u{E124}",
        "harbour 東京 forgets quietly, 日本語の見出し、二行以上になる。 東京で測る again and again",
        "新闻 标题 很长， 可能 超过 两行。 北京 今天 开放 图书馆， 晚上 关闭 市场 和 港口",
        "한국어 제목은 길어서 두 줄 이상이 될 수도 있습니다 그리고 더 길어질 수 있습니다",
        "ภาษาไทยเป็นภาษาที่ไม่มีการเว้นวรรค ระหว่างคำดังนั้นการตัดคำจึงยาก มาก",
        "Mixed שלום עולם and English text with مرحبا بالعالم inside the line and more words",
        "مرحبا بالعالم هذا عنوان طويل يحتاج إلى أكثر من سطر واحد على الشاشة",
        "👨‍👩‍👧‍👦 families 🇩🇪 travel to 🇯🇵 with 👍🏽 and return home 😀 after a long day",
        "Donau\u{AD}dampf\u{AD}schiff\u{AD}fahrt on the river, with soft hyphens",
    ]

    private static let widths = Array(stride(from: 90.0, through: 400, by: 7.3))

    private func question(
        _ text: DisplayText,
        _ font: (size: Double, weight: LayoutFont.Weight, italic: Bool),
        width: Double,
        lines: Int
    ) -> TextMemory.Question {
        TextMemory.Question(
            text: text,
            size: font.size,
            leading: font.size * 1.25,
            weight: font.weight,
            italic: font.italic,
            look: .smooth,
            width: width,
            maximumLines: lines
        )
    }

    // Pango's own lines are the reference.
    @Test(arguments: spacedTexts + otherTexts) func linesBrokenByWordWrapAreThoseOfPango(text: String) {
        let own = LineBreaker(for: .measuring)
        let reference = LineBreaker(for: .measuring, wrapsWords: false)
        let fonts: [(Double, LayoutFont.Weight, Bool)] = [
            (12, .regular, false), (15, .semibold, false), (17, .bold, true), (60, .regular, false),
        ]
        let text = DisplayText(text)
        for font in fonts {
            for width in Self.widths {
                for lines in [2, 3, 60] {
                    let question = question(text, font, width: width, lines: lines)
                    #expect(
                        own.lines(of: question, takesUnknown: true)
                            == reference.lines(of: question, takesUnknown: true),
                        "\(font), \(width) pt wide, at most \(lines) lines"
                    )
                }
            }
        }
    }

    @Test(arguments: spacedTexts) func mostTextsWithSpacesAreShapedOnce(text: String) {
        let breaker = LineBreaker(for: .measuring)
        let text = DisplayText(text)
        let wrapped = Self.widths.count { width in
            // The text and the font of the line breaker are then those of the question.
            _ = breaker.lines(of: question(text, (15, .regular, false), width: width, lines: 60))
            return text.string.withBytes { bytes in
                breaker.wrapWords(
                    of: UnsafeRawBufferPointer(bytes),
                    width: Int32(width * 1024),
                    maximumLines: 60
                ) != nil
            }
        }
        #expect(wrapped > Self.widths.count * 3 / 4)
    }

    @Test func measuredLinesAreThoseOfTheirFontAndWidthOnly() {
        let font = LayoutFont(.body, .regular, in: .large)
        func lines(_ count: Int, isCut: Bool) -> [MeasuredLine] {
            (1...count).map { MeasuredLine(text: "", width: 1, baseline: 1, isCut: isCut && $0 == count) }
        }
        let whole = MeasuredText(lines: lines(2, isCut: false), font: font, width: 100)
        #expect(whole.lines(font: font, width: 100, maximumLines: 2)?.count == 2)
        #expect(whole.lines(font: font, width: 100, maximumLines: 5)?.count == 2)
        #expect(whole.lines(font: font, width: 100, maximumLines: 1) == nil)
        #expect(whole.lines(font: font, width: 99, maximumLines: 2) == nil)
        #expect(whole.lines(font: LayoutFont(.body, .bold, in: .large), width: 100, maximumLines: 2) == nil)
        let cut = MeasuredText(lines: lines(2, isCut: true), font: font, width: 100)
        #expect(cut.lines(font: font, width: 100, maximumLines: 2)?.count == 2)
        #expect(cut.lines(font: font, width: 100, maximumLines: 3) == nil)
    }
}
