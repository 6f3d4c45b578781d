// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import TestSupport
import Testing
import WidgetSchema

@testable import LayoutGallery

/// The rules hold for everything that the gallery shows; nothing is drawn here.
@Suite struct GalleryTests {
    private static let items =
        TestExtent.some(of: Gallery.onPhonesAndTablets, each: 13) + TestExtent.some(of: Gallery.allPanels, each: 61)
    /// The layout of each item; they are made once, because they take longer than all checks.
    private static let layouts: [Layout] = {
        let renderer = SampleRenderer()
        return items.map { renderer.layout(of: $0.sample) }
    }()

    @Test func noSpecimenBreaksARule() {
        for (item, layout) in zip(Self.items, Self.layouts) {
            let check = LayoutCheck(display: item.display, definition: item.sample.definition)
            #expect(check.problems(of: layout) == [], "\(item.name)")
        }
    }

    @Test func everySpecimenIsFitToBeShown() {
        for (item, layout) in zip(Self.items, Self.layouts) {
            #expect(GalleryRules.problems(of: item, layout) == [], "\(item.name)")
        }
    }

    @Test func everySpecimenIsGoodToRead() {
        let renderer = SampleRenderer()
        for (item, layout) in zip(Self.items, Self.layouts) {
            let rules = ReadingRules(item: item, layout: layout, renderer: renderer)
            #expect(rules.problems == [], "\(item.name)")
        }
    }

    // The gallery checks all lengths and devices.
    @Test func noTypeIsSmallerAndNoTextIsCutEarlierAtALargerTextSize() {
        let renderer = SampleRenderer()
        let devices = Gallery.devices.filter { $0.name == "iphone-375" }
        for series in TextSizeSeries.all(lengths: [20, 60, 180], devices: devices) {
            #expect(TextSizeRules(series, renderer: renderer).problems == [])
        }
    }

    @Test(arguments: [
        (device: "ipad-1024", display: "systemextralarge", lengths: [140, 160, 280, 400]),
        ("ipad-1024", "systemlarge", [160]), ("iphone-320", "expanded", [15, 20, 80]),
        ("iphone-375", "compact", [240]), ("iphone-430", "compact", [280]),
    ])
    func nothingFallsWhereRowsOrLinesBarelyFit(_ sample: (device: String, display: String, lengths: [Int])) {
        let renderer = SampleRenderer()
        let devices = Gallery.devices.filter { $0.name == sample.device }
        let series = TextSizeSeries.all(lengths: sample.lengths, devices: devices)
            .filter { $0.name.contains(sample.display) }
        #expect(!series.isEmpty)
        for series in series { #expect(TextSizeRules(series, renderer: renderer).problems == []) }
    }

    // The gallery checks more lengths and devices.
    @Test func aQuoteIsNotSmallerAtALargerTextSizeBecauseOfTheNamesBelowIt() {
        let renderer = SampleRenderer()
        let devices = Gallery.devices.filter { $0.name == "iphone-320" }
        let names = [1, 34, 54, 90]
        let all = TextSizeSeries.withNames(lengths: [40, 120], names: names, devices: devices)
        for series in all where series.items.first?.sample.definition.kind == .quote {
            #expect(TextSizeRules(series, renderer: renderer).problems == [])
        }
    }

    @Test func noCellOfABoardBreaksARule() {
        let renderer = SampleRenderer()
        for board in TestExtent.some(of: SampleBoard.all, each: 401) {
            for cell in board.cells {
                let (item, layout) = (cell.item, renderer.layout(of: cell.item.sample))
                let check = LayoutCheck(display: item.display, definition: item.sample.definition)
                #expect(check.problems(of: layout) == [], "\(item.name)")
                #expect(GalleryRules.problems(of: item, layout) == [], "\(item.name)")
            }
        }
    }

    @Test(arguments: PanelPalette.allCases)
    func thePictureOfABoardHasOnlyThePalettesColoursAndFewBytes(_ palette: PanelPalette) throws {
        let renderer = SampleRenderer()
        let panels = Gallery.panels.prefix(3) + [Gallery.panels[7]]
        var boards = [SampleBoard.kitchen(palette), .kitchenOnGrid(palette)]
        for (index, panel) in panels.enumerated() {
            for language in TestExtent.of([SampleLanguage.arabic], nightly: [.english, .japanese, .arabic]) {
                boards.append(SampleBoard(panel, palette, language, cells: 1 + index % 2)?.withStates)
            }
        }
        let drawn = boards.compactMap(\.self)
        #expect(drawn.count == TestExtent.of(6, nightly: 14))
        for board in drawn {
            let problems = PanelPictureRules.problems(of: try renderer.png(of: board), renderer.picture(of: board))
            #expect(problems == [], "\(board.name)")
        }
    }

    // The nightly form draws each size with each number of cells and in each language.
    @Test func thePicturesOfTheGalleryHaveOnlyThePalettesColours() throws {
        let renderer = SampleRenderer()
        let boards = TestExtent.some(of: SampleBoard.all, each: 211)
        for board in boards {
            let problems = PanelPictureRules.problems(of: try renderer.png(of: board), renderer.picture(of: board))
            #expect(problems == [], "\(board.name)")
        }
        #expect(Set(boards.map(\.board.panel.palette)).count > 3)
    }

    @Test func theMatrixIsWhole() {
        let today = Gallery.all.filter { $0.display.family == .today && $0.language == .english }
        #expect(Gallery.devices.count == 4)
        #expect(today.count == WidgetKind.allCases.count * 2 * 4 * 4 * 2)
        let names = Gallery.all.map(\.name)
        #expect(Set(names).count == names.count)
        #expect(SampleLanguage.allCases.count == 10)
        #expect(Gallery.allPanels.count == WidgetKind.allCases.count * 14 * 10 * 2)
        #expect(Set(SampleBoard.all.map(\.cells.count)) == Set(1...6))
    }
}
