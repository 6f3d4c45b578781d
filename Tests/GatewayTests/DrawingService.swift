// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import LayoutEngine
import Locking
import ServiceEngine
import ServiceRuntime
import Testing
import WidgetSchema

@testable import Gateway
@testable import Layout

/// A layout service for tests: the real core with a cache of its own, which draws with real fonts.
///
/// It may have several instances with different engines. Each engine draws in its own way: its version stands behind the
/// bytes of a picture.
final class DrawingService: Sendable {
    /// A stored cycle with its content.
    struct Cycle: Sendable {
        var event: Event<Refreshed>
        var content: Data
    }

    struct Answer: Hashable, Sendable {
        var answer: RenderAnswer
        var bytes: Data
    }

    private struct Drawing: Hashable {
        let request: RenderRequest
        let engine: Int
        /// The number of the drawn cycle.
        let sequence: SequenceNumber?
    }

    private struct State {
        var cycles: [WidgetID: [Cycle]] = [:]
        var engines = [1]
        var turn = 0
        var requests: [RenderRequest] = []
        var drawn: [Drawing: Answer] = [:]
    }

    /// The number of cycles of a widget that the cache stores.
    static let storedCycles = 3

    private let state = Lock(State())
    private let pool = WorkerPool<(LayoutRenderer, CairoPainter)>(named: "drawing", .init(threads: 1)) {
        (LayoutRenderer(measurer: TextMeasurer()), CairoPainter())
    }

    deinit { pool.stop() }

    /// The versions of the engines of all instances; the instances take turns.
    var engines: [Int] {
        get { state.withLock(\.engines) }
        set { state.withLock { $0.engines = newValue } }
    }

    /// All requests in order.
    var requests: [RenderRequest] { state.withLock(\.requests) }

    /// Stores the next cycle of a widget.
    func add(_ cycle: Cycle, of widget: WidgetID) {
        state.withLock { state in
            state.cycles[widget, default: []].append(cycle)
            state.cycles[widget] = state.cycles[widget]?.suffix(Self.storedCycles)
        }
    }

    /// Answers a request as one of the instances.
    func ask(_ request: RenderRequest) async throws(Problem) -> (result: RenderAnswer, contents: [Data]) {
        let engine = state.withLock { state in
            state.requests.append(request)
            state.turn += 1
            return state.engines[state.turn % state.engines.count]
        }
        do {
            let answer = try await draw(request, engine: engine)
            return (answer.answer, answer.answer.picture == nil ? [] : [answer.bytes])
        } catch let error as RequestError {
            throw Problem(error)
        } catch {
            throw Problem(500, "test", "The drawing failed.", "\(error)")
        }
    }

    /// Draws what a request asks for, as an instance with this engine.
    func draw(_ request: RenderRequest, engine: Int) async throws -> Answer {
        let (page, contents) = page(for: request)
        let key = Drawing(request: request, engine: engine, sequence: page.records.first?.range?.sequence)
        if let known = state.withLock({ $0.drawn[key] }) { return known }
        let answer = try await withCheckedThrowingContinuation {
            (continuation: CheckedContinuation<Answer, any Error>) in
            let isSubmitted = pool.submit { renderer, painter in
                continuation.resume(
                    with: Result { try Self.draw(request, engine, page, contents, (renderer, painter)) }
                )
            }
            if !isSubmitted { continuation.resume(throwing: CancellationError()) }
        }
        state.withLock { $0.drawn[key] = answer }
        return answer
    }

    /// Returns the cache's answer to the layout service: the cycle that was asked for or, if that is no longer stored,
    /// one record with a later state.
    private func page(for request: RenderRequest) -> (Records<Refreshed>, [Data]) {
        let cycle = state.withLock { state -> Cycle? in
            let cycles = state.cycles[request.widget] ?? []
            guard let sequence = request.sequence else { return cycles.last }
            guard var cycle = cycles.first(where: { $0.event.range.map { $0.sequence >= sequence } ?? false }) else {
                return nil
            }
            if let range = cycle.event.range, range.first > sequence {
                cycle.event.range = SequenceRange(first: sequence, sequence: range.sequence)
            }
            return cycle
        }
        let contents = cycle?.event.data.content.map { [$0] }
        let page = Records(records: cycle.map { [$0.event] } ?? [], contents: contents, more: false)
        return (page, cycle.map { [$0.content] } ?? [])
    }

    private static func draw(
        _ request: RenderRequest,
        _ engine: Int,
        _ page: Records<Refreshed>,
        _ contents: [Data],
        _ tools: (renderer: LayoutRenderer, painter: CairoPainter)
    ) throws -> Answer {
        var core = LayoutCore(LayoutSetup(version: engine))
        let now = ClockReading(wall: .now, monotonic: .now)
        let deadline = now.wall.advanced(by: .seconds(60))
        var step = core.handle(.request(1, .render(request), deadline: deadline), now: now)
        for case .ask(let id, _, _) in step.effects {
            step += core.handle(.answered(id, page, contents: contents), now: now)
        }
        while !step.work.isEmpty {
            let work = step.work
            step.work = []
            step += core.finish(tools.renderer.run(work), now: now)
        }
        for effect in step.effects {
            switch effect {
            case .reply(_, let json):
                let answer = try WireJSON.decode(WidgetSchema.Answer<RenderAnswer>.self, from: json).get()
                return Answer(answer: answer, bytes: Data())
            case .paint(let job):
                let painted = try job.run(with: PaintJob.Tools(painter: tools.painter))
                var answer = try WireJSON.decode(WidgetSchema.Answer<RenderAnswer>.self, from: painted.json).get()
                let bytes = painted.picture + Data(" engine \(engine)".utf8)
                answer.picture?.bytes = bytes.count
                return Answer(answer: answer, bytes: bytes)
            case .refuse(_, let error): throw error
            default: continue
            }
        }
        throw RequestError(.failed, "There is no answer.")
    }
}
