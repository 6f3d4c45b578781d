// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Testing
import WidgetSchema

/// Tests of the boards that updates describe, also if updates arrive late or out of order.
@Suite struct BoardViewTests {
    /// The view, which tests change.
    private final class Model {
        var view = BoardView()
    }

    private let kitchen: BoardID
    private let model = Model()
    private var view: BoardView { model.view }

    init() throws { kitchen = try #require(BoardID(rawValue: "kitchen")) }

    private func widget(_ name: String) throws -> WidgetID { try #require(WidgetID(rawValue: name)) }

    private func digest(_ digit: Character) throws -> ContentDigest {
        try #require(ContentDigest(rawValue: String(repeating: digit, count: 64)))
    }

    private func instant(_ minute: Int64) -> Instant { Instant(milliseconds: minute * 60_000) }

    /// Returns the display of a cell with its state.
    private func cell(
        _ index: Int,
        of count: Int = 2,
        revision: String = "r1",
        digest digit: Character = "a",
        changed: Int64? = nil,
        next: Int64? = nil,
        hasHeader: Bool? = nil,
        board: String = "kitchen"
    ) throws -> [DisplayName: DisplayState] {
        let id = try #require(BoardID(rawValue: board))
        let place = BoardPlace(id: id, revision: revision, cell: index, of: count, hasHeader: hasHeader)
        return [
            try #require(DisplayName(rawValue: "\(board)-c\(index + 1)r1")): DisplayState(
                digest: try digest(digit),
                height: 100,
                nextChange: next.map(instant),
                changed: changed.map(instant),
                board: place
            )
        ]
    }

    /// Takes an update and returns whether the board looks different.
    @discardableResult
    private func take(
        _ name: String,
        _ sequence: UInt64,
        _ displays: [DisplayName: DisplayState]
    ) throws -> Bool {
        model.view.take(try widget(name), SequenceNumber(sequence), displays).contains(kitchen)
    }

    @Test func aBoardIsCompleteWithItsLastCell() throws {
        #expect(try !take("news", 1, cell(0)))
        #expect(view[kitchen] == nil && !view.isComplete(kitchen))
        #expect(try take("weather", 2, cell(1, digest: "b")))
        let state = try #require(view[kitchen])
        #expect(state.cells.map(\.widget.rawValue) == ["news", "weather"])
        #expect(state.cells.map(\.sequence) == [1, 2])
        #expect(view.isComplete(kitchen))
    }

    // The cache may raise the numbers of a single widget above the clock.
    @Test func aWidgetWithAHighNumberThatLeavesTheBoardDoesNotHoldItsPicture() throws {
        try take("news", 1, cell(0))
        try take("weather", 90_000, cell(1))
        try take("news", 2, cell(0, of: 1, revision: "r2", digest: "c"))
        #expect(view[kitchen]?.revision == "r1")
        #expect(try take("weather", 90_001, [:]))
        #expect(view[kitchen]?.revision == "r2" && view.isComplete(kitchen))
        #expect(try take("news", 3, cell(0, of: 1, revision: "r2", digest: "d")))
    }

    @Test func aStateOfAnEarlierRevisionDoesNotComeBack() throws {
        try take("news", 1, cell(0))
        try take("weather", 2, cell(1))
        try take("facts", 3, cell(0, revision: "r2"))
        try take("quote", 4, cell(1, revision: "r2"))
        #expect(view[kitchen]?.revision == "r2")
        #expect(try !take("quote", 5, cell(1, revision: "r3")))
        #expect(view[kitchen]?.revision == "r2")
    }

    @Test func onlyAnotherDigestChangesTheBoard() throws {
        try take("news", 1, cell(0))
        try take("weather", 2, cell(1))
        let before = try #require(view[kitchen])
        #expect(try !take("news", 3, cell(0)))
        #expect(view[kitchen]?.cells.map(\.sequence) == [3, 2])
        #expect(view[kitchen]?.visibleText == before.visibleText)
        #expect(try take("news", 4, cell(0, digest: "c")))
        #expect(view[kitchen]?.visibleText != before.visibleText)
    }

    @Test func anEarlierUpdateThatArrivesLateIsIgnored() throws {
        try take("news", 5, cell(0, digest: "c"))
        try take("weather", 2, cell(1))
        #expect(try !take("news", 4, cell(0, digest: "d")))
        #expect(view[kitchen]?.cells.first?.sequence == 5)
        #expect(try !take("news", 3, [:]))
        #expect(view.isComplete(kitchen))
    }

    @Test func theLastCompleteStateRemainsWhileANewRevisionArrives() throws {
        try take("news", 1, cell(0))
        try take("weather", 2, cell(1))
        let before = try #require(view[kitchen])
        #expect(try !take("weather", 3, cell(0, revision: "r2")))
        #expect(view[kitchen] == before && !view.isComplete(kitchen))
        // A change in a cell of the earlier revision is not shown beside cells of the new one.
        #expect(try !take("news", 4, cell(0, digest: "f")))
        #expect(view[kitchen] == before)
        #expect(try take("news", 5, cell(1, revision: "r2")))
        #expect(view[kitchen]?.revision == "r2" && view.isComplete(kitchen))
        #expect(view[kitchen]?.cells.map(\.widget.rawValue) == ["weather", "news"])
    }

    @Test func ofTwoCompleteRevisionsTheOneWithTheNewestCycleCounts() throws {
        try take("news", 1, cell(0, of: 1))
        #expect(view[kitchen]?.revision == "r1")
        // The board shows another widget now; the update of the earlier one is still to come.
        #expect(try take("quote", 2, cell(0, of: 1, revision: "r0")))
        #expect(view[kitchen]?.revision == "r0")
        #expect(try !take("news", 3, [:]))
        #expect(view[kitchen]?.revision == "r0" && view.isComplete(kitchen))
    }

    @Test func anEarlierRevisionDoesNotComeBackWhenANewOneIsIncomplete() throws {
        try take("old", 1, cell(0, of: 1))
        try take("news", 2, cell(0, revision: "r2"))
        try take("weather", 3, cell(1, revision: "r2"))
        #expect(view[kitchen]?.revision == "r2")
        // The widget `old` still tells its cell of the first revision.
        #expect(try !take("weather", 4, cell(1, of: 2, revision: "r3")))
        #expect(view[kitchen]?.revision == "r2")
    }

    @Test func aRemovedWidgetLeavesTheLastStateUntilTheNewRevision() throws {
        try take("news", 1, cell(0))
        try take("weather", 2, cell(1))
        #expect(try !take("weather", 3, [:]))
        #expect(view[kitchen]?.cells.count == 2 && !view.isComplete(kitchen))
        #expect(try take("news", 4, cell(0, of: 1, revision: "r2")))
        #expect(view[kitchen]?.cells.map(\.widget.rawValue) == ["news"])
        #expect(try !take("weather", 2, cell(1)))
        #expect(view[kitchen]?.revision == "r2")
    }

    @Test func aWidgetMayHaveSeveralCellsAndSeveralBoards() throws {
        let cells = try cell(0).merging(cell(1, digest: "b")) { first, _ in first }
        #expect(try take("news", 1, cells))
        let both = try cells.merging(cell(0, of: 1, board: "hall")) { first, _ in first }
        let hall = try #require(BoardID(rawValue: "hall"))
        let changed = model.view.take(try widget("news"), 2, both)
        #expect(changed == [hall])
        #expect(view[hall]?.cells.count == 1 && view[kitchen]?.cells.count == 2)
    }

    @Test func cellsWithTheSameIndexAreNoCompleteBoard() throws {
        try take("news", 1, cell(0))
        #expect(try !take("weather", 2, [try #require(DisplayName(rawValue: "other")): #require(cell(0).values.first)]))
        #expect(view[kitchen] == nil)
    }

    @Test func theHeaderShowsTheLastChangeToTheMinute() throws {
        try take("news", 1, cell(0, changed: 10, hasHeader: true))
        try take("weather", 2, cell(1, changed: 20))
        let state = try #require(view[kitchen])
        #expect(state.lastChange == instant(20))
        #expect(state.visibleText.hasSuffix("changed 1970-01-01T00:20\n"))
        // The cell looked different in between: the time in the header remains different.
        #expect(try take("weather", 3, cell(1, changed: 21)))
    }

    @Test func withoutAHeaderTheTimeOfTheLastChangeIsNotShown() throws {
        try take("news", 1, cell(0, changed: 10))
        try take("weather", 2, cell(1, changed: 20))
        #expect(try !take("weather", 3, cell(1, changed: 21)))
        #expect(view[kitchen]?.lastChange == instant(21))
        #expect(view[kitchen]?.visibleText.contains("changed") == false)
    }

    @Test func theNextCertainChangeIsTheEarliestOfAllCells() throws {
        try take("news", 1, cell(0, next: 50))
        try take("weather", 2, cell(1, next: 30))
        #expect(view[kitchen]?.nextCertainChange == instant(30))
        try take("weather", 3, cell(1))
        #expect(view[kitchen]?.nextCertainChange == instant(50))
    }

    @Test func aNewEpochReplacesAllStatesAlsoByLowerNumbers() throws {
        try take("news", 10, cell(0, digest: "c"))
        try take("weather", 20, cell(1))
        let changed = model.view.replace(by: [
            (try widget("news"), SequenceNumber(3), try cell(0, digest: "d")),
            (try widget("weather"), SequenceNumber(4), try cell(1)),
        ])
        #expect(changed == [kitchen])
        #expect(view[kitchen]?.cells.map(\.sequence) == [3, 4])
        #expect(try take("news", 5, cell(0, digest: "e")))
    }

    @Test func inANewEpochTheLastStateRemainsUntilTheBoardIsCompleteAgain() throws {
        try take("news", 10, cell(0))
        try take("weather", 20, cell(1))
        let before = view[kitchen]
        let changed = model.view.replace(by: [(try widget("news"), SequenceNumber(3), try cell(0))])
        #expect(changed.isEmpty)
        #expect(view[kitchen] == before && !view.isComplete(kitchen))
        #expect(try !take("weather", 4, cell(1)))
        #expect(view[kitchen]?.cells.map(\.sequence) == [3, 4])
    }

    @Test func theOrderOfUpdatesDoesNotMatterForTheState() throws {
        let updates: [(String, UInt64, [DisplayName: DisplayState])] = try [
            ("news", 1, cell(0)), ("weather", 2, cell(1)), ("news", 3, cell(0, digest: "b")),
            ("weather", 4, cell(1, digest: "c")), ("news", 5, cell(1, revision: "r2")),
            ("weather", 6, cell(0, revision: "r2", digest: "d")), ("news", 7, cell(1, revision: "r2", digest: "e")),
        ]
        for update in updates { try take(update.0, update.1, update.2) }
        let expected = view[kitchen]
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<50 {
            model.view = BoardView()
            for update in updates.shuffled(using: &generator) { try take(update.0, update.1, update.2) }
            #expect(view[kitchen] == expected)
        }
    }

    @Test func boardsThatNoWidgetShowsAreForgottenWhenThereAreManyOthers() throws {
        for number in 0..<1_200 {
            try take("w\(number)", 1, cell(0, of: 1, board: "b\(number)"))
            try take("w\(number)", 2, [:])
        }
        #expect(view.count <= Board.maximumBoards + BoardView.maximumAbandoned + 1)
    }
}
