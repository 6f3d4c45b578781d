// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Configuration
import Foundation
import TestSupport
import Testing
import WidgetSchema

@Suite struct BoardConfigurationTests {
    private static let widgets = """
        widgets:
          news: {kind: feed, source: push}
          weather: {kind: forecast, source: push}
          wisdom: {kind: quote, source: push}
          home: {kind: keyValue, source: push}
          recent: {kind: documents, source: push}
        """

    private func parse(_ boards: String, widgets: String = widgets) throws -> TidingsConfiguration {
        try TidingsConfiguration.parse(boards + "\n" + widgets, file: "t.yml")
    }

    private func boardErrors(_ boards: String) -> [String] { errors(boards + "\n" + Self.widgets) }

    private static let kitchen = """
        boards:
          kitchen:
            model: trmnl-og
            layout: two-three
            header: date
            locale: de_DE
            timeZone: Europe/Berlin
            cells:
              - {widget: news}
              - {widget: weather, name: Lissabon}
              - {widget: wisdom}
              - {widget: home}
              - {widget: recent}
        """

    // MARK: Boards

    @Test func theBoardOfTheExampleHasItsCells() throws {
        let configuration = try parse(Self.kitchen)
        let board = try #require(configuration.boards.first)
        #expect(configuration.warnings.isEmpty)
        #expect(board.width == 800 && board.height == 480 && board.panel.palette == .mono)
        #expect(board.model == "trmnl-og" && board.byteLimit == 90_000)
        #expect(board.header == .date && board.headerCell == 0)
        #expect(board.locale == "de_DE" && board.timeZone == "Europe/Berlin")
        #expect(
            board.cells.map(\.display.rawValue) == [
                "kitchen-c1r1", "kitchen-c8r1", "kitchen-c1r6", "kitchen-c5r6", "kitchen-c9r6",
            ]
        )
        #expect(board.cells[1].name == "Lissabon")
        #expect(board.revision.count == 16)
    }

    @Test func aCellIsADisplayOfItsWidgetAlone() throws {
        let configuration = try parse(Self.kitchen)
        let news = try #require(configuration.widgets.first { $0.id.rawValue == "news" })
        let displays = configuration.displays(of: news)
        #expect(displays.map(\.name.rawValue) == ["phone-classic", "phone-compact", "phone-expanded", "kitchen-c1r1"])
        #expect(!news.displays.contains { $0.rawValue == "kitchen-c1r1" })
        #expect(!configuration.displays.contains { $0.name.rawValue.hasPrefix("kitchen") })
        let cell = try #require(displays.last)
        #expect(cell.family == .panel && cell.scale == 1 && cell.insets == EdgeInsets())
        #expect(cell.width == 441 && cell.maximumHeight == 256)
        let place = try #require(cell.panel?.cell)
        #expect(
            place.place.cell == 0 && place.place.of == 5 && place.place.revision == configuration.boards[0].revision
        )
        #expect(place.header == .date && place.headerSize == Size(width: 768, height: 32))
        let weather = try #require(configuration.widgets.first { $0.id.rawValue == "weather" })
        let second = try #require(configuration.displays(of: weather).last?.panel?.cell)
        #expect(second.name == "Lissabon" && second.header == nil && second.place.hasHeader == nil)
    }

    @Test func aWidgetWithAnErrorIsNotReportedAsMissingToo() throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appending(path: "t.yml").path
        try Data("\(Self.kitchen)\nwidgets: {news: {kind: feed}}".utf8).write(to: URL(filePath: file))
        let (configuration, errors) = TidingsConfiguration.loadPartially(path: file, environment: [:])
        #expect(errors.count == 1 && configuration.warnings.isEmpty)
    }

    @Test func aWidgetThatDoesNotExistLeavesItsPlaceEmptyAndIsAWarning() throws {
        let all = try parse(Self.kitchen)
        let withoutNews = Self.widgets.replacingOccurrences(of: "  news: {kind: feed, source: push}\n", with: "")
        let configuration = try parse(Self.kitchen, widgets: withoutNews)
        #expect(
            configuration.warnings == [
                "t.yml:9:18: there is no widget 'news'; its cell on board 'kitchen' stays empty"
            ]
        )
        let board = try #require(configuration.boards.first)
        #expect(board.cells.map(\.exists) == [false, true, true, true, true])
        #expect(board.revision != all.boards[0].revision)
        #expect(board.headerCell == 1)
        #expect(board.displays.map(\.display.panel?.cell?.place.of) == [4, 4, 4, 4])
        #expect(board.cells.map(\.frame) == all.boards[0].cells.map(\.frame))
    }

    @Test func aLocaleWithoutTranslationIsAWarning() throws {
        #expect(
            try parse(Self.kitchen.replacingOccurrences(of: "de_DE", with: "eo")).warnings == [
                "t.yml:6:13: widgets have no translation for the language of 'eo'; their words are in English"
            ]
        )
    }

    @Test func theRevisionChangesWithEachPropertyOfTheBoardAndWithNothingElse() throws {
        let revision = try parse(Self.kitchen).boards[0].revision
        for (old, new) in [
            ("de_DE", "en_US"), ("Europe/Berlin", "UTC"), ("header: date", "header: none"), ("Lissabon", "Lisbon"),
            ("{widget: wisdom}", "{widget: home}"), ("trmnl-og", "trmnl-og-plus"),
            ("model: trmnl-og", "model: trmnl-og\n    inverted: true"),
        ] {
            #expect(
                try parse(Self.kitchen.replacingOccurrences(of: old, with: new)).boards[0].revision != revision,
                "\(new)"
            )
        }
        let other = Self.widgets.replacingOccurrences(of: "source: push}", with: "source: push, interval: 1h}")
        #expect(try parse(Self.kitchen, widgets: other).boards[0].revision == revision)
    }

    @Test func aTurnedModelIsReadUpright() throws {
        let board = try parse(
            "boards: {hall: {model: trmnl-og, rotation: 90, layout: halves, cells: [{widget: news}, {widget: home}]}}"
        )
        .boards[0]
        #expect(board.width == 480 && board.height == 800 && board.panel.rotation == .quarter)
        #expect(board.cells.map(\.frame.x) == [10, 10])
        let kindle = try parse("boards: {hall: {model: amazon-kindle-7, layout: full, cells: [{widget: news}]}}")
            .boards[0]
        #expect(kindle.width == 800 && kindle.panel.rotation == .quarter && kindle.panel.fileBits == 8)
    }

    @Test func cellsOfAGridHaveTheirPlacesAndSpans() throws {
        let board = try parse(
            """
            boards:
              desk:
                width: 400
                height: 300
                palette: gray4
                density: 250
                columns: 4
                rows: 3
                cells:
                  - {widget: news, at: [1, 1], span: [3, 3]}
                  - {widget: home, at: [4, 2], span: [1, 2]}
            """
        ).boards[0]
        #expect(board.panel.typeFactor == 2 && board.panel.palette == .gray4 && !board.panel.isInteractive)
        #expect(board.cells.map(\.display.rawValue) == ["desk-c1r1", "desk-c4r2"])
        #expect(board.headerFrame == nil && board.header == .none)
    }

    // MARK: Errors

    private static func board(_ lines: String...) -> String {
        "boards:\n  b:\n" + lines.map { "    " + $0 }.joined(separator: "\n")
    }

    static let faults: [(String, [String])] = [
        (
            board("layout: full", "cells: [{widget: news}]"),
            ["2:3: board 'b' has no size; give model, or width and height in pixels"]
        ),
        (
            board("width: 800", "layout: full", "cells: [{widget: news}]"),
            ["2:3: board 'b' has no size; give model, or width and height in pixels"]
        ),
        (
            board("width: 1", "height: 1", "layout: full", "cells: [{widget: news}]"),
            [
                "3:12: width must be a whole number from 16 to 4096, not '1'",
                "4:13: height must be a whole number from 16 to 4096, not '1'",
            ]
        ),
        (
            board("width: 10000", "height: 10000", "layout: full", "cells: [{widget: news}]"),
            [
                "3:12: width must be a whole number from 16 to 4096, not '10000'",
                "4:13: height must be a whole number from 16 to 4096, not '10000'",
            ]
        ),
        (
            board("model: trmnl-og", "layout: two-thre", "cells: [{widget: news}]"),
            [
                "4:13: layout must be full, halves, one-two, two-two or two-three, not 'two-thre'; did you mean 'two-three'?"
            ]
        ),
        (
            board("model: trmnl-ogg", "layout: full", "cells: [{widget: news}]"),
            ["3:12: there is no model 'trmnl-ogg'; did you mean 'trmnl-og'?"]
        ),
        (
            board("model: tidbyt", "layout: full", "cells: [{widget: news}]"),
            ["3:12: model tidbyt cannot be used: it reads pictures of type WebP, and pictures here are of type PNG"]
        ),
        (
            board("model: trmnl-og", "width: 800", "layout: full", "cells: [{widget: news}]"),
            ["4:5: model trmnl-og has a size of its own (800 x 480); remove width"]
        ),
        (
            board("model: trmnl-og", "palette: color", "layout: full", "cells: [{widget: news}]"),
            ["4:14: model trmnl-og shows mono, not color"]
        ),
        (
            board("model: trmnl-og", "layout: halves", "cells: [{widget: news}, {widget: home}, {widget: wisdom}]"),
            ["5:45: layout halves has 2 cells; remove cells, or give columns, rows and at instead of layout"]
        ),
        (
            board("model: trmnl-og", "layout: full", "columns: 3", "cells: [{widget: news}]"),
            ["5:5: layout determines the columns and rows; remove columns, or remove layout"]
        ),
        (
            board("model: trmnl-og", "layout: full", "cells: [{widget: news, at: [1, 1]}]"),
            ["5:28: layout determines the places of cells; remove at, or remove layout"]
        ),
        (
            board("model: trmnl-og", "cells: [{widget: news}]"),
            ["4:13: a cell has no place; give at: [column, row] and span: [columns, rows], or the board a layout"]
        ),
        (
            board("model: trmnl-og", "cells: [{widget: news, at: [12, 8], span: [2, 1]}]"),
            ["4:47: the cell at column 12 and row 8 ends at column 13 and row 8; the board has 12 columns and 8 rows"]
        ),
        (
            board("model: trmnl-og", "cells: [{widget: news, at: [0, 1]}]"),
            ["4:33: at: column must be a whole number from 1 to 48, not '0'"]
        ),
        (
            board("model: trmnl-og", "cells: [{widget: news, at: 3}]"),
            ["4:32: at must be [column, row], such as [1, 1] for the top left, not '3'"]
        ),
        (
            board(
                "model: trmnl-og",
                "cells:",
                "  - {widget: news, at: [1, 1], span: [6, 4]}",
                "  - {widget: home, at: [6, 4], span: [2, 2]}"
            ),
            [
                "6:18: the cell of 'home' (columns 6 to 7, rows 4 to 5) overlaps that of 'news' (columns 1 to 6, rows 1 to 4)"
            ]
        ),
        (
            board("width: 60", "height: 60", "columns: 12", "cells: [{widget: news, at: [1, 1]}]"),
            [
                "6:22: the cell of 'news' has no room: use fewer columns and rows, a larger span, or no header"
            ]
        ),
        (
            board("width: 120", "height: 120", "columns: 6", "cells: [{widget: news, at: [1, 1]}]"),
            [
                "6:22: the cell of 'news' would have 10 x 6 pixels; at least 16 x 16 are needed: use fewer columns and rows, a larger span, or no header"
            ]
        ),
        (board("model: trmnl-og", "layout: full"), ["2:3: board 'b' has no cells; write cells: [{widget: ID}]"]),
        (
            board("model: trmnl-og", "layout: full", "cells: []"),
            ["5:12: cells is an empty list; write cells: [{widget: ID}]"]
        ),
        (
            board("model: trmnl-og", "layout: full", "cells: [{name: News}]"),
            ["5:13: a cell has no widget; write {widget: ID}"]
        ),
        (
            board("model: trmnl-og", "layout: full", "header: time", "cells: [{widget: news}]"),
            ["5:13: header must be date or none, not 'time'"]
        ),
        (
            board("model: trmnl-og", "rotation: 45", "layout: full", "cells: [{widget: news}]"),
            ["4:15: rotation must be 0, 90, 180 or 270 degrees clockwise, not '45'"]
        ),
        (
            board("model: trmnl-og", "density: 5", "layout: full", "cells: [{widget: news}]"),
            ["4:14: density must be a number from 30 to 600, not '5'"]
        ),
        (
            "boards:\n  Küche: {model: trmnl-og, layout: full, cells: [{widget: news}]}",
            [
                "2:3: 'Küche' is not valid: a board's name has 1 to 56 characters from a-z, 0-9 and '-', and does not start with '-'"
            ]
        ),
        (
            "boards:\n  b: {model: trmnl-og, layout: full, cells: [{widget: news}]}\ndisplays:\n  b-c1r1: {family: today}",
            ["4:3: 'b-c1r1' is the name of a cell of board 'b'; give the display another name"]
        ),
        (
            "displays:\n  wall: {family: systemSmall, palette: mono}",
            ["2:31: family systemSmall has no palette; only panels and boards have it"]
        ),
        (
            "displays:\n  wall: {family: panel, width: 800, height: 480, palette: mono, scale: 2}",
            ["2:72: a panel with a palette, a model or a density is laid out in pixels; remove scale"]
        ),
    ]

    @Test(arguments: faults.indices)
    func eachFaultIsToldWithItsPlaceAndItsRemedy(_ index: Int) {
        let (text, expected) = Self.faults[index]
        #expect(boardErrors(text) == expected, "\(text)")
    }

    @Test func moreThanTwentyFourCellsAreAnError() {
        let cells = (0..<25).map { "{widget: news, at: [\($0 % 12 + 1), \($0 / 12 + 1)]}" }.joined(separator: ", ")
        let found = boardErrors("boards: {b: {width: 1600, height: 1200, cells: [\(cells)]}}")
        #expect(found.count == 1 && found[0].hasSuffix("a board has at most 24 cells; this one has 25"))
        let fewer = (0..<24).map { "{widget: news, at: [\($0 % 12 + 1), \($0 / 12 + 1)]}" }.joined(separator: ", ")
        #expect(boardErrors("boards: {b: {width: 1600, height: 1200, cells: [\(fewer)]}}").isEmpty)
    }

    @Test func moreThanFiveHundredBoardsAreAnError() {
        func boards(_ count: Int) -> String {
            "boards:\n"
                + (0..<count).map { "  b\($0): {model: trmnl-og, layout: full, cells: [{widget: w\($0 % 20)}]}" }
                .joined(separator: "\n")
        }
        #expect(boardErrors(boards(501)) == ["502:3: there are 501 boards; at most 500 are allowed"])
        #expect(boardErrors(boards(500)).isEmpty)
    }

    @Test func moreThanSixtyFourCellsOfAWidgetAreAnError() {
        let boards = (0..<65).map { "  b\($0): {model: trmnl-og, layout: full, cells: [{widget: news}]}" }.joined(
            separator: "\n"
        )
        let found = boardErrors("boards:\n" + boards)
        #expect(found.count == 1)
        #expect(
            found[0].hasPrefix("66:")
                && found[0].hasSuffix("widget 'news' has more than 64 cells on all boards together; remove cells")
        )
    }

    @Test func aTitleOfAMegabyteIsAShortError() {
        let title = String(repeating: "x", count: 1_000_000)
        let found = boardErrors("boards: {b: {model: trmnl-og, layout: full, cells: [{widget: news, name: \(title)}]}}")
        #expect(found.count == 1)
        #expect(found[0].hasSuffix("name has 1000000 characters; at most 60 are allowed") && found[0].count < 200)
        let word = boardErrors("boards: {b: {model: \(title), layout: full, cells: [{widget: news}]}}")
        #expect(word.allSatisfy { $0.utf8.count < 5_000 } && !word.isEmpty)
    }

    // MARK: Panels

    @Test func aPanelWithAPaletteIsLaidOutInPixels() throws {
        let displays = try TidingsConfiguration.parse(
            """
            displays:
              desk: {family: panel, width: 800, height: 480}
              wall: {family: panel, width: 800, height: 480, palette: mono, inverted: true, interactive: true}
              hall: {family: panel, model: seeed-e1003, rotation: 180, density: 226}
              kindle: {family: panel, width: 600, height: 800, palette: gray16, fileBits: 8}
              edge: {family: panel, width: 800, height: 480, palette: mono, insets: {top: 0, leading: 3}}
            """
        ).displays
        #expect(displays[0].scale == 2 && displays[0].panel == Panel())
        #expect(displays[0].panel?.isInteractive == true)
        #expect(
            displays[1].scale == 1 && displays[1].panel == Panel(palette: .mono, isInverted: true, isInteractive: true)
        )
        #expect(displays[0].insets == EdgeInsets(top: 16, leading: 16, bottom: 16, trailing: 16))
        #expect(displays[1].insets == displays[0].insets && displays[3].insets.top == 12)
        #expect(displays[4].insets == EdgeInsets(top: 0, leading: 3))
        #expect(displays[2].width == 1872 && displays[2].panel?.rotation == .half)
        #expect(displays[2].panel?.palette == .gray16 && displays[2].panel?.typeFactor == 226.0 / 125)
        #expect(displays[3].panel?.fileBits == 8 && displays[3].panel?.isInteractive == false)
    }
}
