// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Testing
import WidgetSchema

@testable import Layout
@testable import LayoutEngine

extension LayoutCoreTests {
    // MARK: Requests

    private func ask(_ query: LayoutInput.ClientRequest, number: UInt64 = 1, deadline: Int64 = 2000) -> LayoutInput {
        .request(number, query, deadline: now.advanced(byMilliseconds: deadline))
    }

    /// Asks for something, and answers what the core then asks the cache for.
    private mutating func answered(
        _ query: LayoutInput.ClientRequest,
        _ records: [Event<Refreshed>],
        _ content: Content? = nil
    ) throws -> [LayoutEffect] {
        let (id, _, _) = try #require(asks(core.handle(ask(query), now: now)).first)
        let frames = try content.map { [try Sample.frame($0)] } ?? []
        let page = Records(records: records, contents: frames.map(\.reference), more: false)
        return core.handle(.answered(id, page, contents: frames.map(\.data)), now: now)
    }

    /// Returns a cycle that shows a content of its own.
    private func cycle(_ content: Content, displays: [Display]? = nil) throws -> Event<Refreshed> {
        try Sample.cycle(6, content: try Sample.frame(content).reference, contentSequence: 6, displays: displays)
    }

    @Test mutating func aReplayIsTheCachesLaidOutAgainAndSaysTheSame() throws {
        var live: [LaidOut] = []
        var events: [Event<Refreshed>] = []
        var references: [ContentReference] = []
        var frames: [Data] = []
        for number in 1...4 as ClosedRange<UInt64> {
            let (reference, frame) = try Sample.frame(Sample.feed(Int(number) * 2))
            let sequence = SequenceNumber(number)
            var event = try Sample.cycle(sequence, content: reference, contentSequence: sequence)
            event.data.interaction.expanded = number % 2 == 0
            live += try laidOut(core.handle(.refreshed(event, content: frame), now: now)).map(\.data)
            events.append(event)
            references.append(reference)
            frames.append(frame)
        }
        let from: [WidgetID: SequenceNumber] = [try Sample.widget(): 1]
        var other = LayoutCore()
        for core in [core, other] {
            other = core
            let asked = other.handle(ask(.replay(ReplayRequest(from: from))), now: now)
            let (id, question, deadline) = try #require(asks(asked).first)
            #expect(question == .replay(ReplayRequest(from: from)))
            #expect(deadline == .seconds(2) - LayoutCore.replyMargin)
            let page = Records(records: events, contents: references, more: true)
            let later = now.advanced(byMilliseconds: 500)
            let effects = other.handle(.answered(id, page, contents: frames), now: later)
            let answer = try reply(effects, Records<LaidOut>.self)
            #expect(answer.more)
            #expect(answer.records.map(\.range) == events.map(\.range))
            #expect(answer.records.map { Sample.timeless($0.data) } == live.map(Sample.timeless))
            #expect(answer.records.allSatisfy { $0.data.times.laidOut == later })
        }
    }

    @Test mutating func anErrorOfTheCacheIsPassedOn() throws {
        let query = LayoutInput.ClientRequest.replay(ReplayRequest(from: [try Sample.widget(): 1]))
        let (id, _, _) = try #require(asks(core.handle(ask(query), now: now)).first)
        let error = RequestError(.unavailable, "nobody there")
        #expect(core.handle(.askFailed(id, error), now: now) == [.refuse(1, error)])
    }

    @Test mutating func anAnswerAfterTheDeadlineIsNone() throws {
        let query = LayoutInput.ClientRequest.replay(ReplayRequest(from: [try Sample.widget(): 1]))
        let (id, _, _) = try #require(asks(core.handle(ask(query), now: now)).first)
        let late = now.advanced(byMilliseconds: 2001)
        let page = Records<Refreshed>(records: [], more: false)
        #expect(refusals(core.handle(.answered(id, page, contents: []), now: late)) == [.timedOut])
        #expect(refusals(core.handle(ask(query, deadline: 0), now: now)) == [.timedOut])
    }

    @Test mutating func tooManyRequestsAtATimeAreRefused() throws {
        var core = LayoutCore(LayoutSetup(maximumWaiting: 1))
        let query = LayoutInput.ClientRequest.replay(ReplayRequest(from: [try Sample.widget(): 1]))
        #expect(asks(core.handle(ask(query), now: now)).count == 1)
        #expect(refusals(core.handle(ask(query, number: 2), now: now)) == [.failed])
        #expect(core.counts.requestsRefused == 1)
    }

    @Test mutating func renderGivesTheLayoutOfACycle() throws {
        let (reference, frame) = try Sample.frame(Sample.feed(5))
        let event = try Sample.cycle(6, first: 4, content: reference, contentSequence: 2)
        let request = RenderRequest(widget: try Sample.widget(), display: try Sample.name("phone-compact"), sequence: 5)
        let (id, question, _) = try #require(asks(core.handle(ask(.render(request)), now: now)).first)
        #expect(question == .replay(ReplayRequest(from: [request.widget: 5])))
        let page = Records(records: [event], contents: [reference], more: false)
        let answer = try reply(core.handle(.answered(id, page, contents: [frame]), now: now), RenderAnswer.self)
        #expect(answer.sequence == 6)
        var layout = try #require(answer.layout)
        #expect(layout.modeChanges?.deleted == [1, 2, 3, 4])
        layout.modeChanges = nil
        #expect(layout == (try Sample.draw(Sample.feed(5), on: try Sample.today(.compact))))
        #expect(answer.digest == LayoutDigest.of(try #require(answer.layout)))
    }

    @Test mutating func aPictureIsPaintedOfTheLayoutInTheAppearanceAskedFor() throws {
        for format in [RenderFormat.svg, .png] {
            var request = RenderRequest(widget: try Sample.widget(), display: try Sample.name("phone-compact"))
            (request.format, request.appearance) = (format, .dark)
            let actions = try answered(.render(request), [cycle(Sample.feed(5))], Sample.feed(5))
            guard case .paint(let job)? = actions.first, case .widget(let drawn, let promised) = job.subject else {
                Issue.record("\(actions) paint nothing")
                return
            }
            let layout = try Sample.draw(Sample.feed(5), on: try Sample.today(.compact) { $0.appearance = .dark })
            #expect(actions.count == 1)
            #expect(job.format == format)
            #expect(drawn == Picture(layout, family: .today, scale: 2))
            #expect(promised.digest == LayoutDigest.of(layout))
            #expect(promised.layout == nil)
            let answer = try job.run(with: PaintJob.Tools())
            let result = try WireJSON.decode(Answer<RenderAnswer>.self, from: answer.json).get()
            let picture = RenderedPicture(format: format, width: 718, height: 220, bytes: answer.picture.count)
            #expect(result.picture == picture)
        }
    }

    @Test mutating func aBoardIsPaintedOfTheLayoutsInItsRequest() throws {
        let frame = Rectangle(x: 16, y: 10, width: 768, height: 460)
        let board = Board(
            id: try #require(BoardID(rawValue: "kitchen")),
            revision: "r",
            width: 800,
            height: 480,
            panel: Panel(palette: .mono, rotation: .quarter),
            locale: "en_US",
            timeZone: "UTC",
            cells: [Board.Cell(widget: try Sample.widget(), display: try Sample.name("kitchen-c1r1"), frame: frame)]
        )
        let layout = try Sample.draw(Sample.feed(5), on: try Sample.panel(768, 460))
        var request = BoardRequest(board: board, cells: [BoardRequest.Cell(cell: 0, layout: layout)])
        guard case .paint(let job)? = core.handle(ask(.board(request)), now: now).first else {
            Issue.record("nothing is painted")
            return
        }
        let answer = try job.run(with: PaintJob.Tools())
        let result = try WireJSON.decode(Answer<BoardAnswer>.self, from: answer.json).get()
        #expect(result.revision == "r" && result.board == board.id)
        #expect(result.picture == RenderedPicture(format: .png, width: 480, height: 800, bytes: answer.picture.count))
        request.cells[0].cell = 1
        #expect(refusals(core.handle(ask(.board(request)), now: now)) == [.malformed])
    }

    // A token or a reader may be limited to the lock screen.
    @Test mutating func aPanelDoesNotShowWhatALockScreenHides() throws {
        let name = try Sample.name("lock")
        let lock = try Sample.classic { ($0.family, $0.name) = (.accessoryRectangular, name) }
        for isPrivate in [true, false] {
            var event = try cycle(Sample.feed(5), displays: [lock])
            event.data.definition.private = isPrivate
            for panel in [nil, PanelSize(width: 400, height: 300, scale: 1)] {
                let request = RenderRequest(widget: try Sample.widget(), display: name, panel: panel)
                let actions = try answered(.render(request), [event], Sample.feed(5))
                #expect(refusals(actions) == (isPrivate && panel != nil ? [.refused] : []))
            }
        }
    }

    @Test mutating func renderOfTheLatestAsksForASnapshot() throws {
        let request = RenderRequest(widget: try Sample.widget(), display: try Sample.name("phone-compact"))
        let (_, question, _) = try #require(asks(core.handle(ask(.render(request)), now: now)).first)
        #expect(question == .snapshot(SnapshotRequest(widgets: [request.widget])))
    }

    @Test mutating func renderOfAnUnknownWidgetOrDisplayIsNotFound() throws {
        for (records, display) in [([], "phone-compact"), ([try Sample.cycle(1)], "nowhere")] {
            let request = RenderRequest(widget: try Sample.widget(), display: try Sample.name(display))
            #expect(refusals(try answered(.render(request), records)) == [.notFound])
        }
    }

    @Test mutating func theTimelineOfAFeedIsOneEntryForGood() throws {
        let request = TimelineRequest(widget: try Sample.widget(), display: try Sample.name("phone-classic"))
        let actions = try answered(.timeline(request), [cycle(Sample.feed(5))], Sample.feed(5))
        let timeline = try reply(actions, Timeline.self)
        #expect(timeline.policy == .never)
        #expect(timeline.date == nil)
        #expect(timeline.entries.map(\.date) == [Sample.instant])
        #expect(timeline.entries.first?.layout == (try Sample.draw(Sample.feed(5), on: try Sample.classic())))
    }
}
