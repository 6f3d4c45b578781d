// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import TestSupport
import Testing
import WidgetSchema

@testable import LayoutEngine

@Suite struct TextMeasurerTests {
    private let measurer = TextMeasurer()
    private let body = LayoutFont(.body, .regular, in: .large)

    private func measure(_ text: String, width: Double = 200, lines: Int = 1) -> [MeasuredLine] {
        measurer.measure(DisplayText(text), font: body, width: width, maximumLines: lines)
    }

    @Test func aShortTextIsOneLineOfItsOwnWidth() throws {
        let line = try #require(measure("Hello").first)
        #expect(line.text == "Hello")
        #expect((30...60).contains(line.width))
        #expect((10...20).contains(line.baseline))
    }

    @Test func aLongTextEndsInAnEllipsisWithinTheWidth() throws {
        let lines = measure("The quick brown fox jumps over the lazy dog and runs away from it")
        let line = try #require(lines.first)
        #expect(lines.count == 1)
        #expect(line.text.hasPrefix("The quick"))
        #expect(line.text.hasSuffix("…"))
        #expect(line.width <= 200)
        #expect(line.width > 150)
    }

    @Test func linesBreakBetweenWordsAndFollowEachOtherAtTheLeading() throws {
        let lines = measure("The quick brown fox jumps over the lazy dog and runs away", lines: 3)
        #expect(lines.count == 3)
        #expect(lines.map(\.text).joined(separator: " ") == "The quick brown fox jumps over the lazy dog and runs away")
        #expect(abs(lines[1].baseline - lines[0].baseline - 22) < 0.001)
        #expect(abs(lines[2].baseline - lines[1].baseline - 22) < 0.001)
    }

    @Test func scriptsOfTheWorldAreShownInTheirLogicalOrder() throws {
        for text in ["שלום עולם", "مرحبا بالعالم", "日本語の見出し", "👨‍👩‍👧‍👦 family 🇩🇪", "Grüße aus Köln", "ภาษาไทย"] {
            let line = try #require(measure(text, width: 400).first)
            #expect(line.text == text)
            #expect(line.width > 20)
        }
    }

    @Test(.timeLimit(.minutes(3))) func manyThreadsMeasureAtTheSameTime() {
        // More fonts than a library keeps open, so that each thread's are opened and closed beside the others'.
        let texts = ["Harbour", "東京で測る", "مرحبا بالعالم", "שלום", "👍🏽 😀", "ελληνικά", "♞ ⌘ ⇧", "한국어", "ภาษาไทย"]
        @Sendable func lines() -> [[MeasuredLine]] {
            let measurer = TextMeasurer(memory: nil)
            return LayoutFont.Weight.allCases.flatMap { weight in
                ContentSizeCategory.allCases.flatMap { size in
                    texts.map { text in
                        let font = LayoutFont(.body, weight, italic: size >= .large, in: size)
                        return measurer.measure(DisplayText(text), font: font, width: 120, maximumLines: 2)
                    }
                }
            }
        }
        let alone = lines()
        DispatchQueue.concurrentPerform(iterations: TestExtent.of(4, nightly: 16)) { _ in #expect(lines() == alone) }
    }

    @Test func linesAreTheSameHoweverManyThreadsLoadTheirFontsAtOnce() {
        // With the letter of "2 x 4" at the end of a line, the line is narrower than with both numbers.
        let texts = ["A board of 8 x 12 feet, 2 x 4 x 6 metres", "हिन्दी में एक लंबा शीर्षक", "مرحبا بالعالم هذا عنوان"].map(
            DisplayText.init
        )
        let font = body
        @Sendable func lines() -> [[MeasuredLine]] {
            let measurer = TextMeasurer(memory: nil)
            return texts.flatMap { text in
                stride(from: 90.0, through: 300, by: 7.3).map {
                    measurer.measure(text, font: font, width: $0, maximumLines: 9)
                }
            }
        }
        let alone = lines()
        DispatchQueue.concurrentPerform(iterations: TestExtent.of(100, nightly: 400)) { _ in #expect(lines() == alone) }
    }

    @Test func anEllipsisCutsRightToLeftTextAtItsEnd() throws {
        let text = String(repeating: "שלום עולם ", count: 10)
        let line = try #require(measure(text).first)
        #expect(line.text.hasPrefix("שלום"))
        #expect(line.text.hasSuffix("…"))
    }

    @Test func newlinesAndControlCharactersAreNoLines() throws {
        #expect(measure("one\r\ntwo\u{0}\u{2028}three\u{7}", lines: 5).map(\.text) == ["one two three"])
    }

    @Test func nothingIsMeasuredWhereThereIsNoRoomOrNoText() {
        #expect(measure("", lines: 3).isEmpty)
        #expect(measure("text", width: 0).isEmpty)
        #expect(measure("text", width: -1).isEmpty)
        #expect(measure("text", width: .infinity).isEmpty)
        #expect(measure("text", lines: 0).isEmpty)
    }

    @Test func aSecondQuestionIsAnsweredFromMemoryWhoeverAsksIt() {
        let memory = TextMemory()
        let text = DisplayText("Remember me")
        let first = TextMeasurer(memory: memory).measure(text, font: body, width: 200, maximumLines: 1)
        #expect(memory.counts == (1, 0, 0))
        #expect(TextMeasurer(memory: memory).measure(text, font: body, width: 200, maximumLines: 1) == first)
        #expect(memory.counts == (1, 1, 0))
        #expect(TextMeasurer(memory: nil).measure(text, font: body, width: 200, maximumLines: 1) == first)
    }

    @Test func aTextWithFewerLinesThanAllowedIsMeasuredOnceForThoseLines() {
        let text = DisplayText("A headline of some words that needs two lines of this width")
        for (asked, measured) in [(2, Int64(1)), (1, 2)] {
            let memory = TextMemory()
            let measurer = TextMeasurer(memory: memory)
            #expect(measurer.measure(text, font: body, width: 300, maximumLines: 3).count == 2)
            let lines = measurer.measure(text, font: body, width: 300, maximumLines: asked)
            #expect(memory.counts.measured == measured)
            #expect(lines == TextMeasurer(memory: nil).measure(text, font: body, width: 300, maximumLines: asked))
        }
    }

    @Test func theMemoryOfTextsIsBounded() {
        let memory = TextMemory(maximumBytes: 10_000)
        let measurer = TextMeasurer(memory: memory)
        for number in 0..<200 { _ = measurer.measure(DisplayText("\(number)"), font: body, width: 99, maximumLines: 1) }
        #expect(memory.counts.forgotten > 100)
    }

    @Test func italicsAreAnotherFont() throws {
        let text = DisplayText("A slanted headline of some words")
        let italic = LayoutFont(.body, .regular, italic: true, in: .large)
        let upright = try #require(measurer.measure(text, font: body, width: 400, maximumLines: 1).first)
        let slanted = try #require(measurer.measure(text, font: italic, width: 400, maximumLines: 1).first)
        #expect(upright.text == slanted.text && upright.width != slanted.width)
    }

    @Test func theFontsHaveOneDigest() throws {
        let digest = try #require(FontIdentity.digest())
        #expect(FontIdentity.digest() == digest)
    }

    @Test func digitsAreOfTheTextsFontAndNotOfTheEmojis() throws {
        let digits = try #require(measure("0123456789").first)
        #expect(digits.width < 10 * 0.7 * body.size)
        let date = try #require(measure("Nov 21, 2026").first)
        #expect((95...115).contains(date.width))
    }

    @Test func semiboldIsWiderThanRegular() throws {
        let text = DisplayText("A headline of some words")
        let semibold = LayoutFont(.body, .semibold, in: .large)
        let regular = try #require(measurer.measure(text, font: body, width: 400, maximumLines: 1).first)
        let bold = try #require(measurer.measure(text, font: semibold, width: 400, maximumLines: 1).first)
        #expect(bold.width > regular.width)
    }

    @Test func aHugeTextCostsNoMoreThanALongOne() throws {
        let text = DisplayText(String(repeating: "lorem ipsum ", count: 200_000))
        #expect(text.string.unicodeScalars.count == DisplayText.maximumScalars + 1)
        #expect(text.string.hasSuffix("…"))
        #expect(measurer.measure(text, font: body, width: 300, maximumLines: 2).count == 2)
    }

    @Test func linesEndWithAHyphenAtSoftHyphensAndNowhereElse() throws {
        let measurer = TextMeasurer(memory: nil)
        let font = LayoutFont(.body, .regular, in: .large)
        let text = DisplayText("Voll\u{AD}text\u{AD}durch\u{AD}suchung \u{AD}neu\u{AD}")
        let lines = measurer.measure(text, font: font, width: 80, maximumLines: 9)
        #expect(lines.map(\.text) == ["Volltext\u{2010}", "durch\u{2010}", "suchung", "neu"])
        for line in lines {
            let alone = measurer.measure(DisplayText(line.text), font: font, width: 1000, maximumLines: 1)
            #expect(abs(line.width - alone[0].width) < 0.5)
        }
        let wide = measurer.measure(text, font: font, width: 1000, maximumLines: 1)
        #expect(wide.map(\.text) == ["Volltextdurchsuchung neu"])
        #expect(!WordBreaks.isBroken(lines: lines.map(\.text), of: text.string))
        #expect(WordBreaks.isBroken(lines: ["Volltext\u{2010}", "durchsu", "chung neu"], of: text.string))
        #expect(Summary(text.string).text == "Volltextdurchsuchung neu")
    }
}
