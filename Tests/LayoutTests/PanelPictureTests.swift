// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Testing
import WidgetSchema

@testable import LayoutEngine
@testable import LayoutGallery

/// Pictures for panels have exactly the colours of the palette, in small files.
@Suite struct PanelPictureTests {
    private let painter = CairoPainter()
    private let measurer = TextMeasurer()
    private static let few = PanelPalette.allCases.filter { $0.colors != nil }

    private static let titles = [
        "Ferry timetable changes for the winter", "Library reopens after two years of renovation",
        "Parliament votes 312–298 to extend the rail subsidy", "第50回読書会、常設の部屋を確保", "Московские новости сегодня",
        "Zwölf Boxkämpfer jagen Viktor quer über den Deich", "A storm is expected on Sunday 🌧",
    ]

    /// Returns a label with one line.
    private func label(
        _ text: String,
        size: Double,
        weight: LayoutFont.Weight = .regular,
        at x: Double,
        _ y: Double,
        width: Double,
        color: LayoutText.ColorRole = .label
    ) -> LayoutView {
        let font = LayoutFont(style: .body, weight: weight, size: size, leading: (size * 1.25).rounded())
        let lines = measurer.measure(DisplayText(text), font: font, width: width, maximumLines: 1, look: .pixels)
        return LayoutView(
            kind: .label,
            frame: Rectangle(x: x, y: y, width: width, height: font.leading),
            text: LayoutText(
                lines: lines.map { TextLine(text: $0.text, x: 0, baseline: $0.baseline, width: $0.width) },
                font: font,
                color: color
            )
        )
    }

    /// Returns a cell full of text: a bar with a symbol, rows with rules between them, and a dotted line.
    private func cell(width: Double, height: Double, seed: Int = 0) -> Layout {
        var views = [LayoutView(kind: .bar, frame: Rectangle(x: 0, y: 0, width: width, height: 24))]
        views[0].views = [
            LayoutView(
                kind: .image,
                frame: Rectangle(x: 6, y: 4, width: 16, height: 16),
                image: LayoutImage(symbol: "newspaper", color: .inverse)
            ),
            label("Harbour News", size: 15, weight: .bold, at: 28, 3, width: width - 30, color: .inverse),
        ]
        var y = 28.0
        var number = seed
        while y + 20 <= height {
            let title = "\(number) " + Self.titles[number % Self.titles.count]
            let time = "\(number % 24):\(10 + number % 50)"
            views.append(
                label(title, size: 15, weight: number % 3 == 0 ? .bold : .regular, at: 0, y, width: width - 50)
            )
            views.append(label(time, size: 15, at: width - 45, y, width: 45, color: .secondaryLabel))
            views.append(LayoutView(kind: .rule, frame: Rectangle(x: 0, y: y + 20, width: width, height: 1)))
            (y, number) = (y + 22, number + 1)
        }
        views.append(LayoutView(kind: .dots, frame: Rectangle(x: width - 50, y: 28, width: 1, height: height - 28)))
        return Layout(size: Size(width: width, height: height), views: views)
    }

    private func board(_ panel: Panel, columns: Int = 6, rows: Int = 4) -> (picture: Picture, layout: Layout) {
        let size = Size(width: 800, height: 480)
        let (width, height) = ((size.width / Double(columns)).rounded(.down), size.height / Double(rows))
        let cells = (0..<(columns * rows)).map { index in
            BoardCellLayout(
                frame: Rectangle(
                    x: Double(index % columns) * width,
                    y: Double(index / columns) * height,
                    width: width - 8,
                    height: height
                ),
                layout: cell(width: width - 8, height: height, seed: index * 11)
            )
        }
        return (
            Picture(board: cells, size: size, panel: panel), Layout(size: size, views: cells.flatMap(\.layout.views))
        )
    }

    // MARK: Files

    @Test(arguments: PanelPalette.allCases.filter { $0.colors != nil })
    func aFullBoardHasOnlyThePalettesColoursAndFewBytes(_ palette: PanelPalette) throws {
        for panel in [Panel(palette: palette), Panel(palette: palette, isInverted: true, fileBits: 8)] {
            let (picture, layout) = board(panel)
            let png = try painter.png(of: picture)
            #expect(PanelPictureRules.problems(of: png, layout, on: panel) == [])
            let image = try #require(PanelPNG(png))
            #expect(image.colors.isSuperset(of: [0x00_0000, 0xFF_FFFF]))
            #expect(image.colors.count >= (palette == .gray16 ? 12 : palette == .gray4 ? 4 : 2))
            #expect(image.pixels.allSatisfy { $0 >> 24 == 0xFF })
        }
    }

    @Test func theRulesFindForeignColoursAndLargeFiles() throws {
        let (picture, layout) = board(Panel(palette: .gray16))
        let png = try painter.png(of: picture)
        let problems = PanelPictureRules.problems(of: png, layout, on: Panel(palette: .mono))
        #expect(problems.contains { $0.hasPrefix("has colours that are not in the palette") })
        #expect(problems.contains("has 4 bits per pixel instead of 1"))
        #expect(PanelPictureRules.problems(of: Data("no PNG".utf8), layout, on: Panel(palette: .mono)).count == 1)
        let thin = LayoutView(kind: .rule, frame: Rectangle(x: 0, y: 0, width: 9, height: 0.5))
        #expect(
            PanelPictureRules.problems(
                of: png,
                Layout(size: layout.size, views: [thin]),
                on: Panel(palette: .gray16)
            ) == ["a rule is 0.5 pixels thick"]
        )
    }

    @Test func twoPaintersDrawTheSameBytes() throws {
        for palette in Self.few {
            let picture = board(Panel(palette: palette)).picture
            #expect(try painter.png(of: picture) == CairoPainter().png(of: picture))
        }
    }

    @Test(arguments: [1, 7, 8, 9, 15, 127])
    func rowsThatDoNotFillTheirBytesAreRead(_ width: Int) throws {
        for palette in Self.few {
            let dots = (0..<width).filter { $0 % 3 == 0 }.map { x in
                LayoutView(kind: .bar, frame: Rectangle(x: Double(x), y: 1, width: 1, height: 1))
            }
            let layout = Layout(size: Size(width: Double(width), height: 3), views: dots)
            let png = try painter.png(of: Picture(layout, family: .panel, scale: 1, panel: Panel(palette: palette)))
            let image = try #require(PanelPNG(png))
            #expect((image.width, image.height) == (width, 3))
            #expect((0..<width).map { image[$0, 1] } == (0..<width).map { $0 % 3 == 0 ? 0 : 0xFF_FFFF })
            #expect(image.pixels.filter { $0 & 0xFF_FFFF == 0 }.count == dots.count)
        }
    }

    // MARK: Rotation and inversion

    @Test(arguments: PanelPalette.allCases)
    func thePictureIsTurnedClockwiseAndTheLayoutIsNot(_ palette: PanelPalette) throws {
        let layout = cell(width: 211, height: 130)
        func image(_ panel: Panel) throws -> PanelPNG {
            let picture = Picture(layout, family: .panel, scale: 1, panel: panel)
            let image = try #require(PanelPNG(try painter.png(of: picture)))
            #expect(picture.pixels == (image.width, image.height))
            return image
        }
        let upright = try image(Panel(palette: palette))
        #expect((upright.width, upright.height) == (211, 130))
        for rotation in Panel.Rotation.allCases {
            let turned = try image(Panel(palette: palette, rotation: rotation))
            let expected = (0..<130).flatMap { y in
                (0..<211).map { x in
                    switch rotation {
                    case .none: turned[x, y]
                    case .quarter: turned[129 - y, x]
                    case .half: turned[210 - x, 129 - y]
                    case .threeQuarters: turned[y, 210 - x]
                    }
                }
            }
            #expect(expected == upright.pixels.map { $0 & 0xFF_FFFF })
        }
    }

    @Test func anInvertedPanelExchangesBlackAndWhite() throws {
        let layout = cell(width: 211, height: 130)
        for palette in [PanelPalette.mono, .bwr, .bwy, .bwry] {
            let images = try [false, true].map { isInverted in
                let panel = Panel(palette: palette, isInverted: isInverted)
                return try #require(
                    PanelPNG(try painter.png(of: Picture(layout, family: .panel, scale: 1, panel: panel)))
                )
            }
            #expect(images[0].pixels.map { $0 ^ 0xFF_FFFF } == images[1].pixels)
        }
    }

    @Test func secondaryTextHasTheContrastOfText() {
        func luminance(_ color: Color) -> Double {
            func linear(_ value: UInt8) -> Double {
                let part = Double(value) / 255
                return part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
            }
            return 0.2126 * linear(color.red) + 0.7152 * linear(color.green) + 0.0722 * linear(color.blue)
        }
        for palette in Self.few {
            for isInverted in [false, true] {
                let colors = Palette.of(.light, on: Panel(palette: palette, isInverted: isInverted))
                for color in [colors.label, colors.secondaryLabel, colors.tint, colors.separator] {
                    let pair = [luminance(color), luminance(colors.background)].sorted()
                    #expect((pair[1] + 0.05) / (pair[0] + 0.05) >= 4.5)
                    let value = UInt32(color.red) << 16 | UInt32(color.green) << 8 | UInt32(color.blue)
                    #expect(palette.colors?.contains(value) == true)
                }
            }
        }
    }

    // MARK: Lines and symbols

    @Test func linesAndBarsAreWholePixels() throws {
        let views = [
            LayoutView(kind: .bar, frame: Rectangle(x: 2, y: 2, width: 30, height: 6)),
            LayoutView(kind: .badge, frame: Rectangle(x: 10, y: 3, width: 10, height: 4)),
            LayoutView(kind: .rule, frame: Rectangle(x: 0, y: 11.4, width: 40, height: 0.3)),
            LayoutView(kind: .dots, frame: Rectangle(x: 36, y: 13, width: 1, height: 9)),
        ]
        let layout = Layout(size: Size(width: 40, height: 24), views: views)
        let png = try painter.png(of: Picture(layout, family: .panel, scale: 1, panel: Panel(palette: .mono)))
        let image = try #require(PanelPNG(png))
        let rows = (0..<24).map { y in String((0..<40).map { image[$0, y] == 0 ? "#" : "." }) }
        #expect(rows[2] == ".." + String(repeating: "#", count: 30) + "........")
        #expect(rows[4] == "..########..........############........")
        #expect(rows[11] == String(repeating: "#", count: 40))
        #expect(rows[12] == String(repeating: ".", count: 40))
        let dotted = (13..<24).filter { image[36, $0] == 0 }
        #expect(dotted == [14, 16, 18, 20])
    }

    @Test func symbolsHaveLinesOfTwoThreeAndFourPixels() {
        for (side, width) in [(8.0, 1.0), (16, 2), (20, 2), (32, 3), (64, 4)] {
            #expect(PixelSymbol.lineWidth(side: side) == width)
        }
        for (name, art) in SymbolArt.all {
            for side in [12.0, 16, 20, 24, 32, 48, 64] {
                let symbol = PixelSymbol(art, in: Rectangle(x: 3, y: 5, width: side, height: side))
                let width = PixelSymbol.lineWidth(side: side)
                #expect(symbol.strokes.allSatisfy { $0.width == width || side < 24 && $0.width == 1 }, "\(name)")
                // Slanted lines are not on the grid, however short they are in a small symbol.
                let slant = VectorPath.straight * side / SymbolArt.side
                let straight = symbol.strokes.flatMap { stroke in
                    [VectorPath.Axis.x, .y].flatMap { stroke.path.fixedCoordinates(on: $0, straight: slant) }
                }
                let shift = width.truncatingRemainder(dividingBy: 2) / 2
                for coordinate in straight {
                    let distance = abs(coordinate - shift - (coordinate - shift).rounded())
                    #expect(distance < 1e-6, "\(name) at \(side): \(coordinate)")
                }
            }
        }
    }

    // MARK: Boards

    @Test func aBoardConsistsOfItsCells() throws {
        let panel = Panel(palette: .mono)
        let layouts = [cell(width: 100, height: 80), cell(width: 120, height: 80, seed: 5)]
        let frames = [Rectangle(x: 8, y: 8, width: 100, height: 80), Rectangle(x: 124, y: 8, width: 120, height: 80)]
        let cells = zip(frames, layouts).map { BoardCellLayout(frame: $0, layout: $1) }
        let board = Picture(board: cells, size: Size(width: 252, height: 96), panel: panel)
        let whole = try #require(PanelPNG(try painter.png(of: board)))
        for (frame, layout) in zip(frames, layouts) {
            let alone = Picture(layout, family: .panel, scale: 1, panel: panel)
            let part = try #require(PanelPNG(try painter.png(of: alone)))
            let shown = (0..<80).flatMap { y in
                (0..<part.width).map { x in whole[x + Int(frame.x), y + Int(frame.y)] }
            }
            #expect(shown == part.pixels.map { $0 & 0xFF_FFFF })
        }
        let svg = try SVGDocument(SVGWriter.data(of: board))
        let lines = layouts.flatMap { $0.views.flatMap { [$0] + ($0.views ?? []) } }.flatMap { $0.text?.lines ?? [] }
        #expect(svg.texts.map(\.text) == lines.map(\.text))
    }

    @Test func aBoardThatIsTooLargeIsAnError() {
        let size = Size(width: 10_000, height: 10_000)
        #expect(throws: RenderingError.tooManyPixels(width: 10_000, height: 10_000)) {
            try painter.png(of: Picture(board: [], size: size, panel: Panel(palette: .mono)))
        }
    }
}
