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

    @Test func aWordThatIsLongerThanALineIsNotDecided() {
        #expect(wrapped(words(4), width: 25) == nil)
    }

    @Test func aLineThatWouldEndBehindADependentWordIsNotDecided() {
        var dependent = words(4)
        dependent[1].isIndependent = false
        #expect(wrapped(dependent, width: 75) == nil)
        #expect(wrapped(dependent, width: 115) != nil, "the second word is within a line")
    }

    /// Pango's own lines are the reference, for texts of several scripts in many widths.
    @Test func linesBrokenBetweenWordsAreThoseOfPango() throws {
        let own = LineBreaker(for: .measuring)
        let reference = LineBreaker(for: .measuring, wrapsWords: false)
        let texts = [
            "The council opens a library in the harbour again, and closes the market for one evening",
            "Die Straße führt über grüne Hügel nach Österreich, wo der Zug um fünf Uhr früh hält.",
            "Съешь же ещё этих мягких французских булок, да выпей чаю, пока не остыл совсем.",
            "Prices rose 3.5% — from $1,200 to $1,242 — in Q3/2026 (see pp. 12–14), said well-known sources",
            "A board of 8 x 12 feet, 2 x 4 x 6 metres, AV To Yo We. T. P, F. L’été, “quoted” words – ‘yes’ …",
            "https://example.org/a/long/path/without/any/space?with=query&and=more see there, Windows-Taste",
            "harbour 東京 forgets quietly, 日本語の見出し、二行以上になる。 東京で測る again and again",
            "한국어 제목은 길어서 두 줄 이상이 될 수도 있습니다 그리고 더 길어질 수 있습니다",
            "हिन्दी में एक लंबा शीर्षक जो दो पंक्तियों से अधिक हो सकता है और जारी रहता है",
            "Mixed שלום עולם and English text with مرحبا بالعالم inside the line and more words",
            "مرحبا بالعالم هذا عنوان طويل يحتاج إلى أكثر من سطر واحد على الشاشة",
            "👨‍👩‍👧‍👦 families 🇩🇪 travel to 🇯🇵 with 👍🏽 and return home 😀 after a long day",
            "Donau\u{AD}dampf\u{AD}schiff\u{AD}fahrt on the river, with soft hyphens",
        ].map { DisplayText($0) }
        for text in texts {
            for (size, weight) in [(12, .regular), (15, .semibold), (17, .bold)] as [(Double, LayoutFont.Weight)] {
                for width in stride(from: 90.0, through: 400, by: 7.3) {
                    for lines in [2, 3, 60] {
                        let question = TextMemory.Question(
                            text: text,
                            size: size,
                            leading: 20,
                            weight: weight,
                            italic: false,
                            width: width,
                            maximumLines: lines
                        )
                        #expect(
                            own.lines(of: question, takesUnknown: true)
                                == reference.lines(of: question, takesUnknown: true),
                            "\(text.string), \(size) pt, \(width) pt wide, at most \(lines) lines"
                        )
                    }
                }
            }
        }
    }
}
