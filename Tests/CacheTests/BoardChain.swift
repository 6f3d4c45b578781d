// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import EventStreams
import Foundation
import LayoutEngine
import ServiceEngine
import Testing
import WidgetSchema

@testable import Cache
@testable import Configuration
@testable import Layout
@testable import Notifier

/// The cores of cache, layout service and notifier in a row, on a clock that the test moves, and the boards that a reader
/// of the updates has.
///
/// Layouts have real fonts, and pictures real pixels.
final class BoardChain {
    /// A picture of a board, and the text whose hash is the board's digest.
    struct Picture {
        var digestedText: String
        var png: Data
        /// The request for the drawing.
        var request: BoardRequest
    }

    /// The number of cycles of each widget that can be drawn again.
    private static let keptCycles = 40
    private static let replyTime: Duration = .seconds(60)

    let cache: CacheFixture
    private(set) var view = BoardView()
    /// The size of the largest update in bytes.
    private(set) var largestUpdate = 0
    /// The number of cycles whose content is stale.
    private(set) var staleCycles = 0
    private var layout = LayoutCore()
    private let renderer = LayoutRenderer(measurer: TextMeasurer())
    private var notifier: NotifierCore
    private let composer = BoardComposer()
    private let painter = CairoPainter()
    private var boards: [String: Board] = [:]
    private var cycles: [WidgetID: [Event<Refreshed>]] = [:]
    private var contents: [ContentDigest: Data] = [:]
    private var requests = 0

    init(_ configuration: String, at start: Instant) throws {
        let parsed = try TidingsConfiguration.parse(configuration)
        cache = CacheFixture(CachePlan(parsed))
        cache.now = start
        let epoch = try #require(StreamEpoch(rawValue: "00000000000000aa"))
        notifier = NotifierCore(end: StreamOffset(epoch: epoch, number: 0), nonce: "n")
        note(parsed)
        cache.feed(.start)
    }

    private func note(_ configuration: TidingsConfiguration) {
        for board in configuration.boards { boards[board.revision] = board }
    }

    func configure(_ text: String) throws {
        let configuration = try TidingsConfiguration.parse(text)
        note(configuration)
        cache.plan = CachePlan(configuration)
        cache.feed(.configure(cache.plan))
    }

    // MARK: Sources

    /// Lets time pass until `end`; `outcome` answers each lease, and `judge` is called after each update.
    func advance(
        to end: Instant,
        outcome: (Lease) throws -> (Fetched, [ContentDigest: Data]),
        judge: (Event<Update>) throws -> Void
    ) throws {
        try pass(judge)
        while let due = nextEvent, due <= end {
            cache.now = max(due, cache.now.advanced(byMilliseconds: 1))
            cache.feed(.tick)
            try fetch(outcome)
            try pass(judge)
        }
        cache.now = max(end, cache.now)
    }

    /// The time of the next fetch or clock cycle; repetitions of heads and plans do not count.
    private var nextEvent: Instant? {
        let core = cache.core
        return [core.schedule.nextDeadline, core.leases.expiries.first?.at, core.clockCycles.nextDeadline]
            .compactMap { $0 }.min()
    }

    /// Fetches all sources that are due.
    private func fetch(_ outcome: (Lease) throws -> (Fetched, [ContentDigest: Data])) throws {
        while let due = cache.core.schedule.nextDeadline, due <= cache.now {
            requests += 1
            let leases = cache.lease("r\(requests)")?.leases ?? []
            guard !leases.isEmpty else { return }
            for lease in leases {
                let (fetched, found) = try outcome(lease)
                contents.merge(found) { first, _ in first }
                cache.feed(.fetched(lease.source, fetched, contents: found))
            }
        }
    }

    func push(_ content: Content, to widget: WidgetID, counter: UInt64, hasContent: Bool? = nil) throws {
        let bytes = try WireJSON.encode(content)
        let digest = CacheFixture.digest(String(decoding: bytes, as: UTF8.self))
        contents[digest] = bytes
        let request = PushRequest(
            client: "app",
            counter: counter,
            widget: widget,
            content: content,
            hasContent: hasContent
        )
        cache.feed(.push(cache.requester(), request, digest, bytes))
    }

    // MARK: Cycles

    /// Passes on the cycles that the cache has made, and calls `judge` after each update.
    func pass(_ judge: (Event<Update>) throws -> Void) throws {
        let made = cache.cycles
        cache.cycles = []
        for cycle in made { try judge(try update(of: cycle)) }
    }

    private func update(of cycle: Event<Refreshed>) throws -> Event<Update> {
        let widget = try #require(cycle.widget)
        cycles[widget, default: []].append(cycle)
        cycles[widget] = cycles[widget]?.suffix(Self.keptCycles)
        if cycle.data.staleSince != nil { staleCycles += 1 }
        let isNew = cycle.data.contentSequence == cycle.range?.sequence
        var updates: [Event<Update>] = []
        for case .publish(_, let bytes) in try lay(.refreshed(cycle, content: isNew ? content(of: cycle) : nil), cycle)
        {
            let laidOut = try WireJSON.decode(Event<LaidOut>.self, from: bytes)
            let step = notifier.handle(.laidOut(laidOut, of: widget), now: cache.now)
            for case .publish(let topic, let json) in step.effects where topic.text.hasPrefix(Topic.Prefix.update) {
                largestUpdate = max(largestUpdate, json.count)
                updates.append(try WireJSON.decode(Event<Update>.self, from: json))
            }
        }
        let update = try #require(updates.first, "no update of \(widget) at \(cache.now)")
        view.take(widget, try #require(update.range).sequence, update.data.displays)
        return update
    }

    private func content(of cycle: Event<Refreshed>) -> Data? { cycle.data.content.flatMap { contents[$0.digest] } }

    /// Gives the layout core an input, and draws what it needs; its questions are answered with `cycle`.
    private func lay(_ input: LayoutInput, _ cycle: Event<Refreshed>) throws -> [LayoutEffect] {
        let now = ClockReading(wall: cache.now, monotonic: .now)
        var step = layout.handle(input, now: now)
        for case .ask(let id, _, _) in step.effects {
            let found = content(of: cycle)
            let references = cycle.data.content.map { [$0] }
            let page = Records(records: [cycle], contents: found == nil ? nil : references, more: false)
            step += layout.handle(.answered(id, page, contents: found.map { [$0] } ?? []), now: now)
        }
        while !step.work.isEmpty {
            let work = step.work
            step.work = []
            step += layout.finish(renderer.run(work), now: now)
        }
        step += layout.endBatch(now: now)
        return step.effects
    }

    // MARK: Pictures

    /// Draws the last complete state of a board from its cycles; nil if it was never complete.
    func picture(of id: BoardID) throws -> Picture? {
        guard let state = view[id] else { return nil }
        let request = BoardRequest(
            board: try #require(boards[state.revision]),
            cells: try state.cells.map { BoardRequest.Cell(cell: $0.place.cell, layout: try layout(of: $0)) },
            lastChange: state.hasHeader ? state.lastChange : nil
        )
        #expect(request.fault == nil)
        return Picture(
            digestedText: state.visibleText,
            png: try painter.png(of: composer.picture(request)),
            request: request
        )
    }

    /// Requests the layout of a cell, which must have the digest that the update told.
    private func layout(of cell: BoardState.Cell) throws -> WidgetSchema.Layout {
        let cycle = try #require(cycles[cell.widget]?.last { $0.range?.sequence == cell.sequence })
        let body = RenderRequest(widget: cell.widget, display: cell.display, sequence: cell.sequence)
        let request = LayoutInput.request(1, .render(body), deadline: cache.now.advanced(by: Self.replyTime))
        for case .reply(_, let json) in try lay(request, cycle) {
            let answer = try WireJSON.decode(Answer<RenderAnswer>.self, from: json).get()
            #expect(answer.digest == cell.digest, "\(cell.display) at \(cell.sequence)")
            return try #require(answer.layout)
        }
        throw RequestError(.failed, "The layout of \(cell.display) at \(cell.sequence) is not answered.")
    }
}
