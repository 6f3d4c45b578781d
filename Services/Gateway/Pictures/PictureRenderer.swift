// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import EventStreams
import Foundation
import Locking
import ServiceRuntime
import Telemetry
import WebServer
import WidgetSchema

/// The renderer of the gateway's pictures: it requests layouts and pictures from the layout service, and stores them.
///
/// A picture is named by the layout that was drawn, so the renderer first has to know this layout. It requests each
/// layout once for each cycle and each choice of options. A picture is drawn only if none of that name is stored.
final class PictureRenderer: Sendable {
    typealias Ask = @Sendable (RenderRequest) async throws(Problem) -> (result: RenderAnswer, contents: [Data])

    /// The maximum number of remembered layouts; the least recently used ones are dropped.
    static let defaultMaximumLayouts = 16_384

    /// The cycle of an order, and the engine that was the current one.
    private struct Edition: Hashable {
        let sequence: SequenceNumber?
        let engine: LayoutInstances.Engine?

        init(_ order: PictureOrder) {
            sequence = order.request.sequence
            engine = order.engine
        }

        /// Returns whether a layout of this edition answers an order of another one.
        ///
        /// While no layout service lives, the last engine counts: its pictures are still right.
        func answers(_ other: Edition) -> Bool {
            sequence == other.sequence && (engine == other.engine || other.engine == nil)
        }
    }

    private struct Entry {
        var edition: Edition
        var drawn: DrawnLayout
        var usedAt: UInt64
    }

    private struct FlightKey: Hashable {
        let subject: RenderRequest
        let edition: Edition
    }

    private typealias Flight = Task<Result<DrawnLayout, Problem>, Never>

    private struct State {
        var entries: [RenderRequest: Entry] = [:]
        var flights: [FlightKey: Flight] = [:]
        var clock: UInt64 = 0
    }

    private let state = Lock(State())
    private let pictures: PictureCache
    private let maximumLayouts: Int
    private let requested: Counter
    private let dropped: Counter
    private let ask: Ask

    init(
        pictures: PictureCache,
        maximumLayouts: Int = defaultMaximumLayouts,
        metrics: Metrics,
        ask: @escaping Ask
    ) {
        self.pictures = pictures
        self.maximumLayouts = maximumLayouts
        requested = metrics.counter("gateway.layoutRequests")
        dropped = metrics.limit("gateway.layouts")
        self.ask = ask
    }

    /// Returns the layout of an order; nil if the layout service must be asked for it.
    func known(_ order: PictureOrder) -> DrawnLayout? {
        let subject = order.subject
        return state.withLock { state in
            guard let entry = state.entries[subject], entry.edition.answers(Edition(order)) else { return nil }
            state.clock += 1
            state.entries[subject]?.usedAt = state.clock
            return entry.drawn
        }
    }

    /// Returns the layout of an order; requests it from the layout service if it is not known.
    ///
    /// Simultaneous calls share one request. The JSON of the layout is stored as a picture of the format `layout`.
    func layout(_ order: PictureOrder) async throws(Problem) -> DrawnLayout {
        if let drawn = known(order) { return drawn }
        let key = FlightKey(subject: order.subject, edition: Edition(order))
        let flight = state.withLock { state in
            if let flight = state.flights[key] { return flight }
            let flight = Flight {
                let result: Result<DrawnLayout, Problem>
                do throws(Problem) {
                    result = .success(try await request(order))
                } catch {
                    result = .failure(error)
                }
                self.state.withLock { $0.flights[key] = nil }
                return result
            }
            state.flights[key] = flight
            return flight
        }
        return try await flight.value.get()
    }

    private func request(_ order: PictureOrder) async throws(Problem) -> DrawnLayout {
        requested.increment()
        let answer = try await ask(order.request).result
        let drawn = remember(DrawnLayout(answer, to: order), for: order)
        if let picture = try Self.json(answer, PictureKey(drawn, .layout, of: order), order.links) {
            pictures.keep(picture)
        }
        return drawn
    }

    /// Returns a stored picture; nil if it must be drawn.
    func stored(_ key: PictureKey) -> Picture? { pictures[key] }

    /// Returns a picture of a layout from the store, or draws it.
    ///
    /// The picture may have another name than the layout: the layout service may have drawn a later cycle, or another
    /// engine may have drawn it.
    func picture(_ drawn: DrawnLayout, _ format: RenderFormat, of order: PictureOrder) async throws(Problem) -> Picture
    {
        do {
            return try await pictures.picture(PictureKey(drawn, format, of: order)) {
                try await self.draw(order, format)
            }
        } catch let problem as Problem {
            throw problem
        } catch {
            throw Problem(503, "stopping", "The gateway stops.", "Repeat the request in a second.")
        }
    }

    private func draw(_ order: PictureOrder, _ format: RenderFormat) async throws(Problem) -> Picture {
        var request = order.request
        request.format = format == .layout ? nil : format
        if format == .layout { requested.increment() }
        let (answer, contents) = try await ask(request)
        let drawn = remember(DrawnLayout(answer, to: order), for: order)
        let key = PictureKey(drawn, format, of: order)
        if format == .layout, let picture = try Self.json(answer, key, order.links) { return picture }
        guard format != .layout, let bytes = contents.first, bytes.count == answer.picture?.bytes else {
            throw Problem(
                502,
                "no-picture",
                "The layout service sent no picture.",
                "The layout service may be older than the gateway; update the layout service."
            )
        }
        return Picture(key: key, body: SharedBytes(bytes))
    }

    /// Returns the JSON of a layout without the links that clients must not follow; nil if the answer has no layout.
    private static func json(
        _ answer: RenderAnswer,
        _ key: PictureKey,
        _ links: LinkFilter
    ) throws(Problem) -> Picture? {
        guard var layout = answer.layout else { return nil }
        links.apply(to: &layout)
        var answer = answer
        answer.layout = layout
        do throws(WireError) {
            return Picture(key: key, body: SharedBytes(try WireJSON.encode(answer)))
        } catch {
            throw Problem(502, "bad-answer", "A service's answer cannot be read.", "layout: \(error)")
        }
    }

    /// Stores the layout of an order, and returns it with the time at which it was drawn otherwise.
    private func remember(_ drawn: DrawnLayout, for order: PictureOrder) -> DrawnLayout {
        // During an upgrade, another instance may draw the same order with the current engine.
        guard !drawn.isOutdated else { return drawn }
        let (subject, edition) = (order.subject, Edition(order))
        return state.withLock { state in
            var drawn = drawn
            if let known = state.entries[subject] {
                // An answer that was in flight for long must not replace that of a later cycle.
                if let later = known.edition.sequence, let own = edition.sequence, later > own { return drawn }
                drawn.notBefore = Self.notBefore(drawn, after: known.drawn)
            }
            state.clock += 1
            state.entries[subject] = Entry(edition: edition, drawn: drawn, usedAt: state.clock)
            if state.entries.count > maximumLayouts {
                // Half of the layouts are dropped at once, so that this sort runs seldom.
                let oldest = state.entries.sorted { $0.value.usedAt < $1.value.usedAt }.prefix(maximumLayouts / 2)
                for (subject, _) in oldest { state.entries[subject] = nil }
                dropped.increment(by: Int64(oldest.count))
            }
            return drawn
        }
    }

    /// Returns the value of ``DrawnLayout/notBefore`` for a layout that follows another one.
    private static func notBefore(_ drawn: DrawnLayout, after earlier: DrawnLayout) -> Int64? {
        let next = earlier.notBefore.map { $0 + 1 }
        guard drawn.digest == earlier.digest else { return next }
        guard drawn.surface != earlier.surface else { return earlier.notBefore }
        let now = Instant.now.milliseconds / 1000
        return max(now, next ?? now)
    }
}
