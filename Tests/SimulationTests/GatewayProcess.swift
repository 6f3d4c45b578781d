// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import EventStreams
import Foundation
import MessageBus
import ServiceEngine
import Telemetry
import WebServer
import WidgetSchema

@testable import Cache
@testable import Gateway

/// A gateway: the product's engine, core and fan-out, with simulated streams to its readers.
final class GatewayProcess: EngineProcess<GatewayCore, NoStore, NoWorkers> {
    /// Small, so that readers that come back find that much is in the notifier only.
    private static let backlog: UInt64 = 5
    private static let ringCount = 20

    private var fanout: EventFanout?
    private var streams: [SimulatedStream] = []
    private var asks: [RequestID: UpdateFollower.Request] = [:]
    /// The reader for whom a request is, and the position behind which it asks.
    private var reads: [RequestID: (reader: BacklogReads.ID, since: StreamOffset)] = [:]
    private(set) var isReady = false
    private var tickAt: Int64 = 0
    /// The next wake of the gateway's panel, which is on disk; nil without a panel.
    private var wake: Int64?
    private var shown = ShownRequests()
    private var shownAsks: [RequestID: ShownRequest] = [:]
    private var fetches = AnnouncedFetches()
    /// The widgets that the panel shows, by the configuration that the gateway has read last.
    private var panelWidgets: Set<WidgetID> = []

    /// The time from the panel's wake to the next one; longer ones in the chaos show that sources rest.
    private static let sleeps: ClosedRange<Int64> = 3500...6000
    private static let chaoticSleeps: ClosedRange<Int64> = 3500...30_000

    init(_ simulation: Simulation, number: Int, hasPanel: Bool = false) {
        let subscriptions: Set<Message.Kind> = [.update, .notifierHeads]
        wake = hasPanel ? 0 : nil
        super.init(
            simulation,
            service: .gateway,
            number: number,
            subscriptions: hasPanel ? subscriptions.union([.schedule]) : subscriptions
        )
    }

    // MARK: Life

    override func makeEngine() -> ServiceEngine {
        Engine(store: NoStore(), pool: NoWorkers())
    }

    override var setup: GatewaySetup { GatewaySetup(backlog: Self.backlog) }

    override func begin() {
        super.begin()
        (streams, asks, reads, isReady) = ([], [:], [:], false)
        (shown, shownAsks, fetches) = (ShownRequests(), [:], AnnouncedFetches())
        tickAt = simulation.now
        readConfiguration()
        fanout = EventFanout(
            limits: EventHub.Limits(heartbeat: .seconds(15), lifetime: .seconds(10_000_000)),
            metrics: Metrics(),
            admission: EventAdmission(maximum: 100),
            ringCount: Self.ringCount,
            now: simulation.monotonic
        ) { [unowned self] reader, position in
            if let id = request(.notifier, .updatesSince(position), deadline: 2000) { reads[id] = (reader, position) }
        }
    }

    override func end() {
        super.end()
        fanout = nil
        for stream in streams { stream.cut() }
        streams = []
    }

    override var deadline: Int64? { min(super.deadline ?? tickAt, tickAt) }

    override func decide(_ inputs: [Input]) {
        super.decide(inputs)
        guard isAlive, simulation.now >= tickAt else { return }
        tickAt = simulation.now + 1000
        fanout?.tick(now: simulation.monotonic)
        flush()
        servePanel()
    }

    override func resume() {
        super.resume()
        for stream in streams where isAlive { hasRoom(stream) }
    }

    // MARK: In

    override func input(_ input: Input) -> UpdateFollower.Input? {
        switch input {
        case .message(let message): translate(message)
        case .bus(.ready): .subscribed
        case .bus(.resubscribed): .resubscribed
        case .bus(.answer(let id, let json, _)): answered(id, json)
        case .bus(.requestFailed(let id, let error)): failed(id, error)
        case .bus: nil
        }
    }

    private func translate(_ message: Message) -> UpdateFollower.Input? {
        switch message.body {
        case .update(let bytes): simulation.update(bytes).map { .update($0, json: bytes) }
        case .notifierHeads where variant != .withoutHeads: (message.heads?.data).map { .heads($0) }
        case .schedule(let schedule, _): note(schedule)
        default: nil
        }
    }

    private func note(_ schedule: SourceSchedule) -> UpdateFollower.Input? {
        fetches.take(schedule, at: simulation.wall)
        return nil
    }

    private func answered(_ id: RequestID, _ json: Data) -> UpdateFollower.Input? {
        if let request = shownAsks.removeValue(forKey: id) {
            let answer = simulation.answer(json)
            if case .shown(let answer) = answer { take(answer, to: request) } else { take(nil, to: request) }
            return nil
        }
        do {
            let page = try WireJSON.decode(Answer<Records<Update>>.self, from: json).get()
            if let request = asks.removeValue(forKey: id) { return .answer(request, page) }
            if let read = reads.removeValue(forKey: id) {
                fanout?.take(BacklogPage(page, since: read.since), for: read.reader)
                flush()
            }
            return nil
        } catch {
            return failed(id, error as? RequestError ?? RequestError(.failed, "\(error)"))
        }
    }

    private func failed(_ id: RequestID, _ error: RequestError) -> UpdateFollower.Input? {
        let isUnknown = error.code == .notFound
        if let request = shownAsks.removeValue(forKey: id) { take(nil, to: request) }
        if let request = asks.removeValue(forKey: id) { return .failed(request, isUnknown: isUnknown) }
        if let read = reads.removeValue(forKey: id) {
            fanout?.take(isUnknown ? .unknown : .unavailable, for: read.reader)
            flush()
        }
        return nil
    }

    // MARK: Out

    override func carryOut(_ effect: GatewayEffect) {
        switch effect {
        case .request(let request): send(request)
        case .follow(.begin(let position, let states)):
            simulation.note("follows from \(position)", self)
            fanout?.begin(at: position, states: states)
        case .follow(.show(let update)): fanout?.show(update)
        case .follow(.publish(let update)): fanout?.publish(update)
        case .follow(.caughtUp): isReady = true
        case .follow(.note): break
        }
        flush()
    }

    private func send(_ ask: UpdateFollower.Request) {
        let body: SimulatedRequest =
            switch ask.body {
            case .snapshot(let after): .updatesLast(nil, after: after)
            case .updates(let since): .updatesSince(since)
            case .cycles(let from): .updates(from: from)
            }
        if let id = request(.notifier, body, deadline: 2000) { asks[id] = ask }
    }

    // MARK: The panel

    /// Reads the changed configuration after a while, and not at the same time as the cache.
    func configurationChanged() {
        guard wake != nil else { return }
        simulation.after(simulation.panels.delayDice.number(PanelJudge.configurationDelay)) { [self] in
            readConfiguration()
        }
    }

    private func readConfiguration() {
        if wake != nil { panelWidgets = Set(simulation.world.currentPlan.widgets.keys) }
    }

    /// Wakes the panel if it is time, and tells the cache when it wakes next.
    private func servePanel() {
        guard let wake else { return }
        if simulation.now >= wake {
            let next =
                simulation.now + simulation.panels.dice.number(simulation.isChaotic ? Self.chaoticSleeps : Self.sleeps)
            self.wake = next
            simulation.note("its panel sleeps until \(next)", self)
            simulation.panels.expects(next)
        }
        let earliest = simulation.wall.advanced(byMilliseconds: (self.wake ?? 0) - simulation.now)
        shown.set([ExpectedWake(widgets: panelWidgets, earliest: earliest)])
        let requests = shown.due(at: simulation.wall, source: Self.shownSource) { [self] source in
            fetches.fetch(of: source, at: simulation.wall)
        }
        for request in requests {
            if let id = self.request(.cache, .shown(request), deadline: 4000) { shownAsks[id] = request }
        }
    }

    private func take(_ answer: ShownAnswer?, to request: ShownRequest) {
        shown.take(answer, to: request, at: simulation.wall, source: Self.shownSource)
    }

    /// Returns the source of a widget if it is fetched when it is shown.
    private static func shownSource(of widget: WidgetID) -> SourceID? {
        guard let index = SimulatedWorld.allWidgets.firstIndex(of: widget) else { return nil }
        let source = SimulatedWorld.sourceOfWidget[index]
        return PanelJudge.sources.contains(source) ? SimulatedOrigin.addresses[source].id : nil
    }

    // MARK: Readers

    func accept(_ stream: SimulatedStream, since: StreamOffset?) {
        streams.append(stream)
        let readerRequest = EventHub.ReaderRequest(
            since: since.map { .position($0) },
            wantsSnapshot: true
        )
        fanout?.join(stream, readerRequest, now: simulation.monotonic)
        flush()
    }

    /// Continues to send after a reader has received a chunk.
    func hasRoom(_ stream: SimulatedStream) {
        guard isAlive, !isPaused else { return }
        if stream.isDrained { fanout?.drained(stream) }
        flush()
    }

    func left(_ stream: SimulatedStream) {
        guard isAlive, streams.contains(where: { $0 === stream }) else { return }
        streams.removeAll { $0 === stream }
        fanout?.ended(stream, .readerGone)
    }

    /// Sends what was written, reader by reader: the fan-out has them in no order.
    private func flush() {
        for stream in streams { stream.flush() }
        for stream in streams where stream.isEnded {
            streams.removeAll { $0 === stream }
            fanout?.ended(stream, .finished)
        }
    }
}
