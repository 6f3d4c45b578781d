// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Testing
import WidgetSchema

@testable import LayoutEngine

@Suite struct BoardComposerTests {
    private let composer = BoardComposer()

    private func request(_ locale: String = "en_US", header: BoardCell.Header = .date) throws -> BoardRequest {
        let grid = BoardGrid(width: 800, height: 480, hasHeader: header != .none)
        let frames = BoardPreset.halves.areas(isPortrait: false).map(grid.frame)
        let board = Board(
            id: try #require(BoardID(rawValue: "kitchen")),
            revision: "r",
            width: 800,
            height: 480,
            panel: Panel(palette: .mono),
            header: header,
            headerFrame: grid.header,
            locale: locale,
            timeZone: "Europe/Berlin",
            hourCycle: .twentyFourHour,
            cells: try frames.enumerated().map { index, frame in
                Board.Cell(
                    widget: try Sample.widget(),
                    display: try Sample.name("kitchen-c\(index + 1)r1"),
                    frame: frame
                )
            }
        )
        let text = LayoutText(
            lines: [TextLine(text: "Saturday", x: 0, baseline: 24, width: 100)],
            font: LayoutFont(style: .title2, weight: .bold, size: 24, leading: 30),
            color: .label
        )
        let date = LayoutView(kind: .label, frame: Rectangle(x: 0, y: 0, width: 100, height: 30), text: text)
        let bar = LayoutView(kind: .bar, frame: Rectangle(x: 0, y: 0, width: 376, height: 24))
        let cells = [0, 1].map { index in
            let layout = Layout(
                size: Size(width: 376, height: 412),
                views: [bar],
                header: index == 0 && header != .none ? date : nil
            )
            return BoardRequest.Cell(cell: index, layout: layout)
        }
        // 2026-11-28T07:41:00Z
        return BoardRequest(board: board, cells: cells, lastChange: Instant(milliseconds: 1_795_851_660_000))
    }

    private func lines(_ picture: Picture) -> [Picture.Line] {
        picture.elements.compactMap { if case .line(let line) = $0 { line } else { nil } }
    }

    private func rectangles(_ picture: Picture) -> [Rectangle] {
        picture.elements.compactMap { if case .rectangle(let frame, _) = $0 { frame } else { nil } }
    }

    @Test func cellsAreDrawnAtTheirPlaces() throws {
        let picture = composer.picture(try request())
        #expect(picture.pixels.width == 800 && picture.pixels.height == 480)
        #expect(
            rectangles(picture) == [
                Rectangle(x: 16, y: 50, width: 376, height: 24), Rectangle(x: 408, y: 50, width: 376, height: 24),
            ]
        )
    }

    @Test func theDateIsLeftAndTheLastChangeRightOnOneBaseline() throws {
        let lines = lines(composer.picture(try request()))
        #expect(lines.map(\.text) == ["Saturday", "Changed 08:41"])
        #expect(lines[0].x == 16 && lines[0].baseline == lines[1].baseline)
        #expect(lines[1].x + lines[1].width <= 784 && lines[1].x + lines[1].width > 782)
        #expect(lines[0].baseline > 10 && lines[0].baseline < 42)
    }

    @Test func theWordsAreThoseOfTheBoardsLanguageAndDirection() throws {
        #expect(lines(composer.picture(try request("de_DE"))).last?.text == "Geändert 08:41")
        let hebrew = lines(composer.picture(try request("he_IL")))
        #expect(hebrew[0].x == 684 && hebrew[1].x == 16)
        for language in WidgetLanguage.allCases {
            #expect(BoardWord.changed(at: "08:41", in: language).contains("08:41"))
            if language != .english { #expect(!BoardWord.changed(at: "1", in: language).hasPrefix("Changed")) }
        }
    }

    @Test func aBoardWithoutAHeaderOrAKnownChangeShowsNoTime() throws {
        #expect(lines(composer.picture(try request(header: .none))).isEmpty)
        var unknown = try request()
        unknown.lastChange = nil
        #expect(lines(composer.picture(unknown)).map(\.text) == ["Saturday"])
        unknown.lastChange = Instant(milliseconds: .max)
        #expect(lines(composer.picture(unknown)).map(\.text) == ["Saturday"])
    }

    @Test func equalRequestsHaveEqualPictures() throws {
        #expect(composer.picture(try request()) == BoardComposer().picture(try request()))
    }

    @Test func faultyRequestsAreRefused() throws {
        var request = try request()
        #expect(request.fault == nil)
        request.format = .layout
        #expect(request.fault != nil)
        request.format = .png
        request.cells[1].cell = 2
        #expect(request.fault != nil)
        request.cells[1].cell = 0
        #expect(request.fault != nil)
        request.cells.removeLast()
        #expect(request.fault == nil)
        request.board.width = 10_000
        #expect(request.fault != nil)
    }
}
