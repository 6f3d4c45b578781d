// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import TestSupport
import Testing
import WidgetSchema

@testable import LayoutEngine

/// On panels with few colours, text is on whole pixels, and as wide as it was measured.
@Suite struct PixelTextTests {
    private let measurer = TextMeasurer(memory: nil)
    private let painter = CairoPainter()

    private static let texts = [
        "Ferry timetable changes for the winter, with fewer sailings on Sundays", "AV To. W. 11 – 14° “quoted” fi ffl",
        "Straße für Älpler, Œuvre, ĳs", "Московские новости сегодня", "Ειδήσεις της ημέρας", "第50回読書会、常設の部屋を確保",
        "한국어 제목", "שלום עולם 12", "مرحبا بالعالم 12", "नमस्ते दुनिया", "ภาษาไทย", "Rain 🌧 sun ☀️ ok 👍🏽",
    ]

    private func font(_ size: Double, _ weight: LayoutFont.Weight = .regular, italic: Bool = false) -> LayoutFont {
        LayoutFont(style: .body, weight: weight, italic: italic, size: size, leading: (size * 1.25).rounded())
    }

    private func lines(
        _ text: String,
        _ font: LayoutFont,
        width: Double = 2000,
        lines: Int = 1
    ) -> [MeasuredLine] {
        measurer.measure(DisplayText(text), font: font, width: width, maximumLines: lines, look: .pixels)
    }

    @Test(arguments: [PanelPalette.mono, .gray4])
    func everyLineIsDrawnAsWideAsItWasMeasuredAndOnWholePixels(_ palette: PanelPalette) {
        for size in stride(from: 13, through: 60, by: TestExtent.of(5, nightly: 1)) {
            for weight in [LayoutFont.Weight.regular, .bold] {
                let font = font(Double(size), weight, italic: size % 7 == 0)
                let measured = Self.texts.flatMap { lines($0, font, width: 330, lines: 3) }
                let view = LayoutView(
                    kind: .label,
                    frame: Rectangle(x: 0, y: 0, width: 330, height: 400),
                    text: LayoutText(
                        lines: measured.map { TextLine(text: $0.text, x: 0, baseline: $0.baseline, width: $0.width) },
                        font: font,
                        color: .label
                    )
                )
                let layout = Layout(size: Size(width: 330, height: 400), views: [view])
                let picture = Picture(layout, family: .panel, scale: 1, panel: Panel(palette: palette))
                let drawn = painter.lineWidths(of: picture)
                #expect(drawn == measured.map(\.width), "\(size) \(weight)")
                let numbers = measured.flatMap { [$0.width, $0.baseline] }
                #expect(numbers.allSatisfy { $0 == $0.rounded() }, "\(size) \(weight)")
            }
        }
    }

    @Test func wordsAreWrappedAsPangoWrapsThem() {
        let wrapper = LineBreaker(for: .measuring, look: .pixels)
        let pango = LineBreaker(for: .measuring, look: .pixels, wrapsWords: false)
        for (index, text) in (Self.texts + ["A V T W Y a v To. Ya. We. 1 2 A1 1A L’V", "Tea, Yes; To: Va! Po? (W)"])
            .enumerated()
        {
            for width in stride(from: 61, through: 420, by: 13) {
                let question = TextMemory.Question(
                    text: DisplayText(text),
                    size: [13, 15, 16, 18, 24, 30][index % 6],
                    leading: 20,
                    weight: .bold,
                    italic: false,
                    look: .pixels,
                    width: Double(width),
                    maximumLines: 3
                )
                #expect(wrapper.lines(of: question) == pango.lines(of: question), "\(text) in \(width)")
            }
        }
    }

    @Test(arguments: [
        ("Rain 🌧 today", "Rain 🌧 today"), ("ok 👍🏽!", "ok 👍!"), ("1️⃣ first", "1 first"), ("fam 👨‍👩‍👧 x", "fam 👨 x"),
        // No font in one colour has emoji of Unicode 10 and later.
        ("new 🥰 face", "new face"), ("🦠", ""), ("no emoji – “at all” ½", "no emoji – “at all” ½"),
    ])
    func emojiAreGlyphsInOneColourOrLeftOut(_ text: String, _ shown: String) {
        let lines = lines(text, font(16)).map { $0.text.replacing("\u{FE0F}", with: "") }
        #expect(lines == (shown.isEmpty ? [] : [shown]))
    }

    // MARK: Texts without glyphs

    private func layout(
        _ content: Content,
        height: Double = 250,
        _ change: (inout WidgetMoment) -> Void = { _ in }
    ) throws -> Layout {
        let display = try Sample.panel(464, height) { ($0.panel, $0.locale) = (Panel(palette: .mono), "en_GB") }
        return try Sample.drawing(content, on: display, measurer, change).layout
    }

    @Test func aTitleOfEmojiThatNoFontHasHidesNoOtherRow() throws {
        let items = [
            FeedItem(id: "a", title: "🦠", summary: "Cases fall again"), FeedItem(id: "b", title: "Harbour"),
            FeedItem(id: "c", title: "🦠", summary: "🦠"), FeedItem(id: "d", title: "Ferry"),
        ]
        let rows = try layout(Sample.posts(items)).rows
        #expect(rows.map(\.lines) == [["Cases fall again"], ["Harbour"], ["Untitled"], ["Ferry"]])
    }

    @Test func aValueWithoutGlyphsHidesNoOtherFact() throws {
        let pairs = [KeyValuePair(key: "Virus", value: "🦠"), KeyValuePair(key: "City", value: "Berlin")]
        let rows = try layout(.keyValue(KeyValueContent(pairs: pairs))) { $0.definition.show = .all }.rows
        #expect(rows.map(\.lines) == [["Virus", "–"], ["City", "Berlin"]])
        #expect(try layout(Sample.fact("Virus", "🦠")).lines.suffix(2) == ["Virus", "–"])
    }

    @Test func aQuoteWithoutGlyphsHidesNotItsAuthor() throws {
        #expect(try layout(Sample.quote("🦠", author: "Ada")).lines.suffix(2) == ["–", "Ada"])
    }

    @Test func aNameWithoutGlyphsHidesNoContent() throws {
        let low = try layout(Sample.fact("City", "Berlin"), height: 100) { $0.definition.name = "🦠" }
        #expect(low.lines.contains("Berlin"), "\(low.lines)")
    }

    @Test func aTextIsRememberedForEachLook() {
        let memory = TextMemory()
        let measurer = TextMeasurer(memory: memory)
        let widths = (0..<2).flatMap { _ in
            TextLook.allCases.map { look in
                measurer.measure(DisplayText("Harbour"), font: font(15), width: 200, maximumLines: 1, look: look)
                    .first?.width
            }
        }
        #expect(widths[0] != widths[1])
        #expect(Array(widths[2...]) == Array(widths[..<2]))
        #expect(memory.counts == (2, 2, 0))
    }

    @Test func onlyPanelsOfFewColoursHavePixelText() throws {
        var display = try Sample.classic()
        #expect(TextLook(on: display) == .smooth)
        display.panel = Panel()
        #expect(TextLook(on: display) == .smooth)
        for palette in PanelPalette.allCases where palette != .color {
            display.panel = Panel(palette: palette)
            #expect(TextLook(on: display) == .pixels)
        }
    }
}
