// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import TestSupport
import Testing
import WidgetSchema

@Suite struct BoardGridTests {
    /// The sizes of panels, and odd ones.
    static let sizes = [
        (800, 480), (480, 800), (400, 300), (300, 400), (250, 122), (122, 250), (296, 128), (212, 104), (1200, 825),
        (1872, 1404), (1404, 1872), (801, 479), (397, 301), (4096, 4096),
    ]

    private func grid(_ size: (Int, Int), hasHeader: Bool, columns: Int = 12, rows: Int = 8) -> BoardGrid {
        BoardGrid(width: size.0, height: size.1, columns: columns, rows: rows, hasHeader: hasHeader)
    }

    @Test func theMockUpsHeaderAndCellsHaveTheirPlaces() {
        let grid = grid((800, 480), hasHeader: true)
        #expect(grid.header == Rectangle(x: 16, y: 10, width: 768, height: 32))
        let frames = BoardPreset.twoThree.areas(isPortrait: false).map(grid.frame)
        #expect(
            frames == [
                Rectangle(x: 16, y: 50, width: 441, height: 256), Rectangle(x: 473, y: 50, width: 311, height: 256),
                Rectangle(x: 16, y: 322, width: 245, height: 148), Rectangle(x: 277, y: 322, width: 245, height: 148),
                Rectangle(x: 538, y: 322, width: 246, height: 148),
            ]
        )
    }

    @Test(arguments: BoardPreset.allCases, sizes.indices)
    func theCellsOfAPresetFillTheBoardWithEqualGutters(_ preset: BoardPreset, _ index: Int) {
        let size = Self.sizes[index]
        for hasHeader in [false, true] {
            let grid = grid(size, hasHeader: hasHeader)
            let frames = preset.areas(isPortrait: size.1 > size.0).map(grid.frame)
            for frame in frames {
                for value in [frame.x, frame.y, frame.width, frame.height] { #expect(value == value.rounded()) }
                #expect(frame.width > 0 && frame.height > 0, "\(size)")
                #expect(frame.x >= Double(grid.horizontalMargin))
                #expect(frame.x + frame.width <= Double(size.0 - grid.horizontalMargin))
                #expect(frame.y >= (grid.header.map { $0.y + $0.height } ?? Double(grid.verticalMargin)))
                #expect(frame.y + frame.height <= Double(size.1 - grid.verticalMargin))
            }
            #expect(frames.map(\.x).min() == Double(grid.horizontalMargin))
            #expect(frames.map { $0.x + $0.width }.max() == Double(size.0 - grid.horizontalMargin))
            #expect(frames.map { $0.y + $0.height }.max() == Double(size.1 - grid.verticalMargin))
            for (index, one) in frames.enumerated() {
                for other in frames[(index + 1)...] {
                    let across = max(other.x - (one.x + one.width), one.x - (other.x + other.width))
                    let down = max(other.y - (one.y + one.height), one.y - (other.y + other.height))
                    #expect(max(across, down) >= Double(grid.gutter), "\(one) and \(other)")
                }
            }
        }
    }

    @Test(arguments: sizes.indices)
    func cellsInOneColumnBeginAndEndAtTheSamePixel(_ index: Int) {
        let grid = grid(Self.sizes[index], hasHeader: true)
        for column in 1...12 {
            let lefts = Set((1...8).map { grid.frame(of: BoardArea(column: column, row: $0)).x })
            #expect(lefts.count == 1)
            guard column < 12 else { continue }
            let frame = grid.frame(of: BoardArea(column: 1, row: 1, columns: column))
            let next = grid.frame(of: BoardArea(column: column + 1, row: 1))
            #expect(next.x - (frame.x + frame.width) == Double(grid.gutter))
        }
    }

    @Test func narrowBoardsHaveNarrowGuttersAndAtLeastTheSmallestMargin() {
        let narrow = grid((250, 122), hasHeader: true)
        #expect(narrow.gutter == 8)
        #expect(narrow.horizontalMargin == 8 && narrow.verticalMargin == 8)
        #expect(grid((400, 300), hasHeader: true).gutter == 16)
        #expect(grid((1872, 1404), hasHeader: false).horizontalMargin == 37)
    }

    @Test func aPanelOfAnotherSizeHasTheMarginsOfAPanel() throws {
        let size = PanelSize(width: 1200, height: 825, scale: 1)
        var display = Display.sample(try #require(DisplayName(rawValue: "phone"))) { $0.insets.leading = 47 }
        #expect(size.applied(to: display).insets == EdgeInsets(top: 24, leading: 24, bottom: 24, trailing: 24))
        (display.family, display.insets) = (.panel, EdgeInsets(top: 3))
        #expect(size.applied(to: display).insets == EdgeInsets(top: 3))
    }

    @Test func theNamesOfAllCellsOfABoardAreValid() throws {
        let longest = String(repeating: "b", count: 56)
        let area = BoardArea(column: BoardGrid.divisions.upperBound, row: BoardGrid.divisions.upperBound)
        #expect(BoardID(rawValue: longest) != nil && BoardID(rawValue: longest + "b") == nil)
        #expect(DisplayName(rawValue: "\(longest)-\(area.name)") != nil)
    }

    @Test func theHeaderGrowsWithTheDensity() {
        let dense = BoardGrid(width: 1872, height: 1404, hasHeader: true, typeFactor: 1.8)
        #expect(dense.header?.height == 58)
        #expect(dense.frame(of: BoardArea(column: 1, row: 1)).y == Double(dense.verticalMargin + 58 + 8))
    }

    @Test(arguments: BoardPreset.allCases, [false, true])
    func thePlacesOfAPresetCoverTheGridWithoutOverlap(_ preset: BoardPreset, _ isPortrait: Bool) {
        let areas = preset.areas(isPortrait: isPortrait)
        #expect(areas.reduce(0) { $0 + $1.columns * $1.rows } == 96)
        for (index, area) in areas.enumerated() {
            #expect(areas[(index + 1)...].allSatisfy { !$0.overlaps(area) })
        }
    }

    @Test func aPanelsTypeFactorIsBounded() {
        #expect(Panel.typeFactor(density: 125) == 1)
        #expect(Panel.typeFactor(density: 250) == 2)
        #expect(Panel.typeFactor(density: 30) == 1)
        #expect(Panel.typeFactor(density: 600) == 4)
    }

    @Test func eachModelHasAPaletteASizeAndANameOfItsOwn() {
        let models = PanelModel.all
        #expect(models.count == 48)
        #expect(Set(models.map(\.name)).count == 48 && Set(models.map(\.listName)).count == 48)
        #expect(models.map(\.name) == models.map(\.name).sorted())
        for model in models {
            #expect(!model.palettes.isEmpty && model.byteLimit >= 90_000)
            #expect(PanelModel.named(model.listName) == model && PanelModel.named(model.name) == model)
            #expect((model.refusal != nil) == ["tidbyt", "openframe"].contains(model.name))
            if model.name.contains("kindle") { #expect(model.fileBits == 8, "\(model.name)") }
        }
        let kindle = PanelModel.named("amazon-kindle-7")
        #expect(kindle?.fileBits == 8 && kindle?.rotation == .quarter)
        #expect(kindle.map { [$0.size(turnedBy: .quarter).width, $0.size(turnedBy: .none).width] } == [800, 600])
    }
}
