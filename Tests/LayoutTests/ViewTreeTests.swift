// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Testing
import WidgetSchema

@testable import LayoutEngine

@Suite struct ViewTreeTests {
    @Test func theFirstOfShorterTextsThatIsNotCutIsShown() throws {
        let environment = Sample.environment(try Sample.today(.compact), Sample.moment(.feed))
        func line(_ width: Double) -> String? {
            // The typewriter's letters are 8.5 wide.
            let label = Label(DisplayText("Nov 21, 2026 at 1:49"), .body) { _ in
                ["Nov 21, 2026", "11/21/26"].map { DisplayText($0) }
            }
            return label.solve(in: Room(width: width, height: 30), environment)?.views.first?.text?.lines.first?.text
        }
        #expect(line(200) == "Nov 21, 2026 at 1:49")
        #expect(line(110) == "Nov 21, 2026")
        #expect(line(70) == "11/21/26")
        #expect(line(40) == "11/…")
    }

    @Test func whatIsShownWholeGoesWhereItsLinesDoNotFit() throws {
        let environment = Sample.environment(try Sample.today(.compact), Sample.moment(.feed))
        func lines(_ words: Int, height: Double) -> Int? {
            let text = String(repeating: "word ", count: words)
            let label = Label(DisplayText(text), .body, lines: 2, isWhole: true)
            return label.solve(in: Room(width: 85, height: height), environment)?.views.first?.text?.lines.count
        }
        #expect(lines(3, height: 44) == 2)
        #expect(lines(3, height: 43) == nil)
        #expect(lines(2, height: 22) == 1)
        #expect(lines(9, height: 44) == 2)
    }

    private func environment(_ change: (inout Display) -> Void = { _ in }) throws -> LayoutEnvironment {
        Sample.environment(try Sample.today(.compact, change))
    }

    private func solve(_ view: any View, _ width: Double, _ height: Double) throws -> SolvedView? {
        view.solve(in: Room(width: width, height: height), try environment())
    }

    private func label(_ text: String, lines: Int = 1, isHugging: Bool = false, priority: Int = 0) -> Label {
        // 8 points a character and 20 a line, with the measurer of the tests.
        Label(DisplayText(text), .callout, lines: lines, isHugging: isHugging, priority: priority)
    }

    private var callout: Double { 21 }

    @Test func viewsStandBelowOneAnotherWithSpacesBetween() throws {
        let stack = VerticalStack(spacing: 4) {
            label("one")
            label("")
            label("two")
        }
        let solved = try #require(try solve(stack, 100, 200))
        #expect(solved.size == Size(width: 100, height: 2 * callout + 4))
        #expect(solved.views.map(\.frame.y) == [0, callout + 4])
    }

    @Test func whereTheRoomIsLowTheLeastImportantGoesAndTextLosesLinesBefore() throws {
        let stack = VerticalStack {
            label("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", lines: 4, priority: 2)
            label("author", priority: 1)
            label("source")
        }
        #expect(try solve(stack, 80, 6 * callout)?.views.map { $0.text?.lines.count } == [4, 1, 1])
        #expect(try solve(stack, 80, 5 * callout)?.views.map { $0.text?.lines.count } == [3, 1, 1])
        #expect(try solve(stack, 80, 3 * callout)?.views.map { $0.text?.lines.count } == [1, 1, 1])
        #expect(try solve(stack, 80, 2.5 * callout)?.views.flatMap(\.lines).count == 2)
        #expect(try solve(stack, 80, callout)?.views.count == 1)
        #expect(try solve(stack, 80, callout - 1) == nil)
    }

    @Test func flexibleViewsShareWhatTheOthersLeave() throws {
        let stack = HorizontalStack(spacing: 10) {
            label("12345", isHugging: true)
            label("a")
            label("b")
        }
        let solved = try #require(try solve(stack, 200, 50))
        #expect(solved.views.map(\.frame.x) == [0, 50, 130])
        #expect(solved.views.map(\.frame.width) == [40, 70, 70])
    }

    @Test func whereTheRoomIsNarrowTheLeastImportantGoes() throws {
        let stack = HorizontalStack(spacing: 10) {
            Symbol("doc", .callout)
            label("title", priority: 2)
            label("1234567890", isHugging: true, priority: 1)
        }
        #expect(try solve(stack, 300, 50)?.views.count == 3)
        #expect(try solve(stack, 160, 50)?.views.map(\.kind) == [.label, .label])
        #expect(try solve(stack, 130, 50)?.views.map(\.kind) == [.image, .label])
        #expect(try solve(stack, 80, 50)?.views.map(\.kind) == [.label])
    }

    @Test(arguments: [(3, 100.0), (7, 359), (4, 10.5)]) func equalPartsFillTheRoomToThePixel(count: Int, width: Double)
    {
        for scale in 1...3 {
            let grid = PixelGrid(scale: scale)
            let slots = Slots.equal(count, in: width, spacing: 0, grid: grid)
            #expect(slots.count == count && slots[0].top == 0)
            for (left, right) in zip(slots, slots.dropFirst()) {
                #expect(abs(left.top + left.length - right.top) < 1e-9)
            }
            #expect(abs((slots.last.map { $0.top + $0.length } ?? 0) - width) < 1 / Double(scale))
        }
    }

    @Test func viewsAreAlignedAcrossTheirStack() throws {
        func tops(_ alignment: HorizontalStack.Alignment) throws -> [Double] {
            let stack = HorizontalStack(alignment: alignment) {
                Label(DisplayText("A"), .title1, isHugging: true)
                Label(DisplayText("b"), .caption1, isHugging: true)
            }
            return try #require(try solve(stack, 200, 50)).views.map(\.frame.y)
        }
        #expect(try tops(.top) == [0, 0])
        #expect(try tops(.center) == [0, 9])
        #expect(try tops(.bottom) == [0, 18])
        // Three quarters of 34 and of 16, as the measurer of the tests has it.
        #expect(try tops(.firstBaseline) == [0, 13.5])
    }

    @Test func distributionsUseAllOfTheRoom() throws {
        let spaced = VerticalStack(distribution: .spaced) {
            label("a")
            label("b")
            label("c")
        }
        #expect(try solve(spaced, 50, 100)?.views.map(\.frame.y) == [0, 39.5, 79])
        let equal = VerticalStack(distribution: .equal) {
            label("a")
            label("b")
        }
        #expect(try solve(equal, 50, 100)?.views.map(\.frame.y) == [0, 50])
        let row = HorizontalStack(distribution: .spaced) {
            Symbol("a", .callout)
            Symbol("b", .callout)
        }
        #expect(try solve(row, 100, 100)?.views.map(\.frame.x) == [0, 79])
    }

    @Test func aFrameGivesSizeAndRoomAround() throws {
        let padding = EdgeInsets(top: 1, leading: 2, bottom: 3, trailing: 4)
        let box = Frame(padding: padding, Symbol("doc", .callout))
        #expect(try solve(box, 100, 100)?.size == Size(width: callout + 6, height: callout + 4))
        #expect(try solve(box, 100, 100)?.views.first?.frame.x == 2)
        let middle = Frame(width: .room, height: .points(41), horizontal: .trailing, Symbol("doc", .callout))
        let place = Rectangle(x: 100 - callout, y: 10, width: callout, height: callout)
        #expect(try solve(middle, 100, 100)?.views.first?.frame == place)
        #expect(try solve(middle, 100, 40) == nil)
    }

    @Test func whatStandsLeftStandsRightWhereTextRunsFromRightToLeft() throws {
        let stack = HorizontalStack(spacing: 10) {
            Symbol("doc", .callout)
            Button(.command(.nextValue), label("title"))
        }
        func frames(_ locale: String) throws -> [Rectangle] {
            let environment = try environment { $0.locale = locale }
            return Canvas.draw(stack, in: environment).layout.views.map(\.frame)
        }
        let left = try frames("en_US")
        let right = try frames("ar_EG")
        for (one, other) in zip(left, right) {
            #expect(one.x + one.width == 359 - other.x)
            #expect((one.y, one.width, one.height) == (other.y, other.width, other.height))
        }
    }

    @Test func rowsOfOneNameAreToldApart() throws {
        let rows = Table(
            ["a", "b", "a"],
            heights: RowHeights([RowHeights.Level(first: 30, other: 30)]),
            limits: RowLimits()
        ) { name, _ in TableRow(id: name, label(name)) }
        let sketch = Canvas.draw(rows, in: try environment())
        #expect(sketch.rowIDs.count == 3 && Set(sketch.rowIDs).count == 3)
    }
}
