// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Testing
import WidgetSchema

@testable import LayoutEngine

/// Pictures show what the tree says, where it says it.
@Suite struct RenderingTests {
    private let painter = CairoPainter()
    private let measurer = TextMeasurer()

    private func image(_ layout: Layout, _ family: Display.Family = .panel, scale: Int = 2) throws -> PixelImage {
        try PixelImage(png: painter.png(of: Picture(layout, family: family, scale: scale)))
    }

    /// Returns a label with the lines of a text at a width.
    private func label(
        _ text: String,
        _ style: LayoutFont.Style = .body,
        weight: LayoutFont.Weight = .regular,
        italic: Bool = false,
        category: ContentSizeCategory = .large,
        at origin: (x: Double, y: Double) = (20, 30),
        width: Double = 200,
        lines: Int = 3
    ) -> LayoutView {
        let font = LayoutFont(style, weight, italic: italic, in: category)
        let measured = measurer.measure(DisplayText(text), font: font, width: width, maximumLines: lines)
        return LayoutView(
            kind: .label,
            frame: Rectangle(
                x: origin.x,
                y: origin.y,
                width: width,
                height: (Double(measured.count) * font.leading).rounded(.up)
            ),
            text: LayoutText(
                lines: measured.map { TextLine(text: $0.text, x: 0, baseline: $0.baseline, width: $0.width) },
                font: font,
                color: .label
            )
        )
    }

    private static let size = Size(width: 260, height: 320)
    private static let white = PixelImage.Pixel(red: 255, green: 255, blue: 255, opacity: 255)

    // MARK: Frames

    @Test(arguments: [1, 2, 3])
    func nestedFramesAreWhereTheTreeSaysToThePixel(_ scale: Int) throws {
        let divider = LayoutView(kind: .divider, frame: Rectangle(x: 7, y: 11, width: 30, height: 2))
        let row = LayoutView(kind: .row, frame: Rectangle(x: 20, y: 40, width: 100, height: 50), views: [divider])
        let layout = Layout(size: Size(width: 150, height: 120), appearance: .light, views: [row])
        let image = try image(layout, scale: scale)
        #expect(image.width == 150 * scale)
        #expect(image.height == 120 * scale)
        let ink = try #require(image.ink(on: Self.white))
        #expect(ink == (27 * scale, 51 * scale, 57 * scale, 53 * scale))
        // 29 % of (60, 60, 67) on white.
        let pixel = image[30 * scale, 52 * scale - 1]
        #expect(abs(Int(pixel.red) - 198) <= 1 && abs(Int(pixel.blue) - 200) <= 1)
    }

    @Test func aHairlineIsOnePixelHighAndSharp() throws {
        let divider = LayoutView(kind: .divider, frame: Rectangle(x: 0, y: 10 - 1.0 / 3, width: 40, height: 1.0 / 3))
        let image = try image(Layout(size: Size(width: 40, height: 20), views: [divider]), scale: 3)
        let ink = try #require(image.ink(on: Self.white))
        #expect(ink == (0, 29, 120, 30))
        #expect(Set((0..<120).map { image[$0, 29] }).count == 1)
    }

    @Test func halfPointsOfAHeightGetTheirPixels() throws {
        let picture = Picture(Layout(size: Size(width: 496, height: 383.75), views: []), family: .today, scale: 2)
        #expect(picture.pixels == (992, 768))
        let image = try PixelImage(png: painter.png(of: picture))
        #expect(image.height == 768)
    }

    // MARK: Texts

    /// Letters of Inter reach a little beyond their advance, and stacked marks above it.
    @Test(arguments: [
        "Hamburgefonstiv jÄg", "Donaudampfschifffahrtsgesellschaftskapitän", "明日の天気は晴れのち曇り、ところにより一時雨",
        "مرحبا بالعالم، هذا خبر جديد", "👩‍👩‍👧 family 🇩🇪 flag", "Éé Åå Çç – “quoted” … ½",
    ])
    func theInkOfALabelLiesInItsFrame(_ text: String) throws {
        for category in [ContentSizeCategory.extraSmall, .large, .accessibilityExtraExtraExtraLarge] {
            let view = label(text, category: category, lines: 2)
            let image = try image(Layout(size: Self.size, views: [view]))
            let ink = try #require(image.ink(on: Self.white))
            let overhang = 0.12 * (view.text?.font.size ?? 0)
            let frame = view.frame
            #expect(Double(ink.left) / 2 >= frame.x - overhang)
            #expect(Double(ink.right) / 2 <= frame.x + frame.width + overhang)
            #expect(Double(ink.top) / 2 >= frame.y - overhang)
            #expect(Double(ink.bottom) / 2 <= frame.y + frame.height + overhang)
        }
    }

    @Test(arguments: LayoutFont.Weight.allCases, [false, true])
    func aLineIsDrawnAsWideAsItWasMeasured(_ weight: LayoutFont.Weight, _ italic: Bool) throws {
        let view = label("HamburgefonstivH", .title3, weight: weight, italic: italic, lines: 1)
        let line = try #require(view.text?.lines.first)
        for scale in 1...3 {
            let ink = try #require(try image(Layout(size: Self.size, views: [view]), scale: scale).ink(on: Self.white))
            #expect(abs(Double(ink.right - ink.left) / Double(scale) - line.width) <= 5)
            // H stands on the baseline.
            let plain = label("HHH", .title3, weight: weight, italic: italic, lines: 1)
            let box = try #require(try image(Layout(size: Self.size, views: [plain]), scale: scale).ink(on: Self.white))
            #expect(abs(Double(box.bottom) / Double(scale) - (plain.frame.y + line.baseline)) <= 1)
        }
    }

    @Test func lettersStandAtEqualDistancesAtOnePixelPerPoint() throws {
        let count = 12
        let view = label(String(repeating: "I", count: count), .body, lines: 1)
        let image = try image(Layout(size: Self.size, views: [view]), scale: 1)
        let advance = try #require(view.text?.lines.first).width / Double(count)
        let centres = (0..<count).map { index in
            let start = view.frame.x + Double(index) * advance
            var (ink, moment) = (0.0, 0.0)
            for x in Int(start.rounded())..<Int((start + advance).rounded()) {
                let darkness = (0..<image.height).reduce(0.0) { $0 + 255 - Double(image[x, $1].red) }
                ink += darkness
                moment += darkness * (Double(x) + 0.5)
            }
            return moment / ink - start
        }
        #expect(try #require(centres.max()) - #require(centres.min()) < 0.3)
    }

    @Test func heavierIsDarkerAndItalicIsOther() throws {
        func ink(_ view: LayoutView) throws -> Int {
            let image = try image(Layout(size: Self.size, views: [view]))
            return (0..<image.height).reduce(0) { sum, y in
                sum + (0..<image.width).reduce(0) { $0 + 255 - Int(image[$1, y].red) }
            }
        }
        let weights = try LayoutFont.Weight.allCases.map { try ink(label("HHH", weight: $0)) }
        #expect(weights == weights.sorted())
        #expect(Set(weights).count == 3)
        #expect(try ink(label("HHH", italic: true)) != weights[0])
    }

    @Test func aLineThatBeginsWithAForeignWordRunsAsItsParagraph() {
        // Wrapped, the second line begins with an English word.
        let lines = label("مرحبا بالعالم خبر Swift خبر جديد", width: 120).text?.lines.map(\.text) ?? []
        #expect(lines.count > 1)
        #expect(lines.allSatisfy { TextDirection(of: $0) == .rightToLeft })
        let english = label("The word مرحبا", width: 90).text?.lines.map(\.text) ?? []
        #expect(english == ["The word", "\u{200E}مرحبا"])
    }

    @Test(arguments: [
        ("abc", TextDirection.leftToRight), ("", .leftToRight), ("123 …", .leftToRight), ("12 שלום", .rightToLeft),
        ("«مرحبا» abc", .rightToLeft), ("日本", .leftToRight), ("\u{200F}abc", .rightToLeft),
        ("\u{200E}שלום", .leftToRight),
    ])
    func theFirstLetterGivesTheDirection(_ text: String, _ direction: TextDirection) {
        #expect(TextDirection(of: text) == direction)
    }

    @Test(arguments: [
        "جدول العبّارات لفصل الشتاء ابتداء من يوم الأحد القادم", "לוח הזמנים של המעבורות לחורף החל מיום ראשון הקרוב",
    ])
    func aCutLineThatRunsFromRightToLeftIsFlushInPNGAndSVG(title: String) throws {
        let content = Content.documents(DocumentsContent(documents: [RecentDocument(id: "1", title: title)]))
        let display = try Sample.classic {
            $0.locale = "ar_EG"
            $0.width = 220
            $0.insets = EdgeInsets()
        }
        let row = try #require(try Sample.draw(content, on: display, measurer: measurer).rows.first)
        var label = try #require(row.all.first { $0.lines.last?.hasSuffix("…") == true && $0.text != nil })
        (label.frame.x, label.frame.y) = (20, 20)
        let edge = 20 + label.frame.width
        let layout = Layout(size: Self.size, views: [label])
        let ink = try #require(try image(layout).ink(on: Self.white))
        #expect(abs(Double(ink.right) / 2 - edge) <= 2)
        let text = try SVGDocument(SVGWriter.data(of: Picture(layout, family: .panel, scale: 1))).texts[0].attributes
        let (x, length) = (text["x"].flatMap(Double.init) ?? 0, text["textLength"].flatMap(Double.init) ?? 0)
        #expect(text["direction"] == "rtl")
        #expect(abs(x + length - edge) <= 0.5)
        // The ink is as wide as the SVG says.
        #expect(abs(Double(ink.right - ink.left) / 2 - length) <= 3)
    }

    // MARK: Colours and grounds

    @Test(arguments: Appearance.allCases)
    func theAppearanceChoosesGroundAndInk(_ appearance: Appearance) throws {
        let palette = Palette.of(appearance)
        let view = label("█████", .largeTitle)
        let image = try image(Layout(size: Self.size, appearance: appearance, views: [view]))
        #expect(image[2, 2] == PixelImage.Pixel(palette.background))
        let middle = Int(view.frame.y + (view.text?.lines[0].baseline ?? 0) - 8) * 2
        #expect((0..<image.width).contains { image[$0, middle] == PixelImage.Pixel(palette.label) })
    }

    @Test(arguments: Appearance.allCases)
    func secondaryLabelsHaveAContrastOfFourAndAHalfToOneAndOfSevenOnPanels(_ appearance: Appearance) {
        /// Returns the relative luminance of a colour on a background (WCAG 2.2).
        func luminance(_ color: Color, on background: Color) -> Double {
            func channel(_ path: KeyPath<Color, UInt8>) -> Double {
                let opacity = color.opacity
                let value = (Double(color[keyPath: path]) * opacity + Double(background[keyPath: path]) * (1 - opacity))
                let part = value / 255
                return part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
            }
            return 0.2126 * channel(\.red) + 0.7152 * channel(\.green) + 0.0722 * channel(\.blue)
        }
        func contrast(_ color: Color, _ background: Color) -> Double {
            let both = [luminance(color, on: background), luminance(background, on: background)]
            return ((both.max() ?? 0) + 0.05) / ((both.min() ?? 0) + 0.05)
        }
        let palette = Palette.of(appearance)
        for background in [palette.background, palette.material] {
            #expect(contrast(palette.secondaryLabel, background) >= 4.5)
        }
        #expect(contrast(Palette.of(appearance, on: .panel).secondaryLabel, palette.background) >= 7)
    }

    @Test func cornersAreRoundAsTheFamilyHasThemAndClearOutside() throws {
        let layout = Layout(size: Size(width: 155, height: 155), appearance: .dark, views: [])
        for family in [Display.Family.systemSmall, .today, .accessoryCircular] {
            let image = try image(layout, family)
            #expect(image[0, 0].opacity == 0)
            #expect(image[image.width - 1, image.height - 1].opacity == 0)
            #expect(image[155, 1].opacity == (family.isAccessory ? 102 : 255))
        }
        for family in [Display.Family.accessoryRectangular, .accessoryInline] {
            #expect(try image(layout, family).ink(on: PixelImage.Pixel(red: 0, green: 0, blue: 0, opacity: 0)) == nil)
        }
        for family in [Display.Family.panel, .todayClassic] { #expect(try image(layout, family)[0, 0].opacity == 255) }
    }

    // MARK: Symbols

    @Test(arguments: SymbolName.allCases)
    func everySymbolOfTheWidgetsIsDrawnWithinItsFrame(_ name: SymbolName) throws {
        #expect(SymbolArt.known(name.rawValue) != nil)
        let frame = Rectangle(x: 30, y: 40, width: 48, height: 48)
        let view = LayoutView(kind: .image, frame: frame, image: LayoutImage(symbol: name.rawValue, color: .tint))
        let image = try image(Layout(size: Size(width: 120, height: 120), views: [view]))
        let ink = try #require(image.ink(on: Self.white))
        #expect(ink.left >= 60 && ink.top >= 80 && ink.right <= 156 && ink.bottom <= 176)
        // It uses its room, and stands in the middle of it.
        #expect(ink.right - ink.left >= 40 || ink.bottom - ink.top >= 60)
        #expect(abs((ink.left + ink.right) / 2 - 108) <= 8)
        #expect(abs((ink.top + ink.bottom) / 2 - 128) <= 10)
    }

    @Test func aVariantLooksLikeItsBaseAndAStrangerLikeNothingElse() {
        #expect(SymbolArt.named("doc.text.fill") == SymbolArt.known("doc.text"))
        #expect(SymbolArt.named("folder.badge.plus") == SymbolArt.known("folder"))
        #expect(SymbolArt.named("no.such.thing") == SymbolArt.unknown)
        #expect(SymbolArt.named("") == SymbolArt.unknown)
        #expect(SymbolArt.named("...") == SymbolArt.unknown)
    }

    // MARK: SVG

    @Test func theTextsOfAnSVGAreTextsWithTheirPlaces() throws {
        let views = [
            label("Fish & <chips> \"here\"", lines: 1),
            label("مرحبا بالعالم", at: (20, 80), lines: 1),
            LayoutView(kind: .divider, frame: Rectangle(x: 5, y: 120, width: 90, height: 0.5)),
            LayoutView(
                kind: .image,
                frame: Rectangle(x: 5, y: 130, width: 24, height: 24),
                image: LayoutImage(symbol: "sun.max", color: .label)
            ),
        ]
        let picture = Picture(Layout(size: Self.size, views: views), family: .systemSmall, scale: 2)
        let document = try SVGDocument(SVGWriter.data(of: picture))
        #expect(document.root["viewBox"] == "0 0 260 320")
        #expect(document.texts.map(\.text) == ["Fish & <chips> \"here\"", "مرحبا بالعالم"])
        let line = try #require(views[0].text?.lines.first)
        let text = document.texts[0].attributes
        #expect(text["x"] == "20")
        #expect(abs((text["y"].flatMap(Double.init) ?? 0) - (30 + line.baseline)) < 0.001)
        #expect(abs((text["textLength"].flatMap(Double.init) ?? 0) - line.width) < 0.001)
        #expect(text["font-size"] == "17")
        #expect(document.texts[1].attributes["direction"] == "rtl")
        #expect(document.texts[1].attributes["text-anchor"] == "end")
        #expect(document.elements == ["svg", "rect", "text", "text", "rect", "g", "path"])
        #expect(!String(decoding: SVGWriter.data(of: picture), as: UTF8.self).contains("href"))
    }

    @Test func hostileTextMakesNoBrokenSVG() throws {
        var view = label("a")
        for text in ["\u{0}\u{1B}]]>\u{FFFE}<script>", "&#0;", "\u{202E}abc", String(repeating: "&", count: 5000)] {
            view.text?.lines = [TextLine(text: text, x: 0, baseline: 12, width: 30)]
            let picture = Picture(Layout(size: Self.size, views: [view]), family: .panel, scale: 1)
            let document = try SVGDocument(SVGWriter.data(of: picture))
            #expect(document.texts.count == 1)
            #expect(!document.elements.contains("script"))
            #expect(try !painter.png(of: picture).isEmpty)
        }
    }

    // MARK: Limits

    @Test func aPictureOfTooManyPixelsIsRefusedInWords() {
        let layout = Layout(size: Size(width: 16_384, height: 16_384), views: [])
        let picture = Picture(layout, family: .panel, scale: 3)
        #expect(throws: RenderingError.tooManyPixels(width: 49_152, height: 49_152)) { try painter.png(of: picture) }
        #expect(!SVGWriter.data(of: picture).isEmpty)
        let empty = Picture(Layout(size: Size(width: 0, height: 0), views: []), family: .today, scale: 1)
        #expect(throws: Never.self) { try painter.png(of: empty) }
    }
}
