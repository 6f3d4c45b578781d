// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import EventStreams
import Foundation
import MessageBus
import ServiceEngine
import Telemetry
import WidgetSchema

@testable import Layout
@testable import LayoutEngine

/// The layout service: its engine, with a worker that measures without fonts.
final class LayoutProcess: EngineProcess<LayoutCore, NoStore, LayoutRenderer> {
    private var asks: [RequestID: CacheRequestID] = [:]
    private var requests: [RequesterID: IncomingRequest] = [:]
    private var replies: [RequestID: RequesterID] = [:]
    private var nextReply: UInt64 = 0
    private var displays: [String] = []
    private var latest: [WidgetID: (SequenceNumber, ContentReference)] = [:]
    private var share: LayoutShare?
    /// The version of the engine, which may differ after each start, as in an upgrade or a rollback.
    private(set) var version = LayoutRenderer.version

    init(_ simulation: Simulation, number: Int) {
        super.init(simulation, service: .layout, number: number, subscriptions: [.refreshed, .layoutHealth])
    }

    override func start() {
        if !isAlive { version = LayoutRenderer.version - (simulation.redundancyDice.chance(0.3) ? 1 : 0) }
        super.start()
    }

    override var metrics: Metrics.Reading {
        var reading = Metrics.Reading()
        reading.gauges = [LayoutEngineVersion.healthGauge: Int64(version)]
        return reading
    }

    override func makeEngine() -> ServiceEngine {
        Engine(store: NoStore(), pool: LayoutRenderer(measurer: TypewriterMeasurer()))
    }

    override var setup: LayoutSetup { LayoutSetup(version: version) }

    override func begin() {
        super.begin()
        (asks, requests, replies, latest) = ([:], [:], [:], [:])
        displays = simulation.world.displays
        share = InstanceName(rawValue: name).map { instance in
            LayoutShare(instance: instance, engine: LayoutInstances.Engine(version: version))
        }
    }

    override func input(_ input: Input) -> LayoutInput? {
        switch input {
        case .message(let message):
            if case .layoutHealth(let instance, let health, _) = message.body { heard(health, of: instance) }
            guard case .refreshed(let event, let content) = message.body, owns(event.widget) else { return nil }
            return .refreshed(cheat(event, content != nil), content: content)
        case .bus(.ready):
            then { [self] in becomeReady() }
            return nil
        case .bus(.request(let request)): return requested(request)
        case .bus(.answer(let id, let json, _)):
            guard let ask = asks.removeValue(forKey: id) else { return nil }
            guard case .records(var records, let contents) = simulation.answer(json) else { return nil }
            records.records = records.records.map { cheat($0, variant != .latestContent) }
            return .answered(ask, records, contents: contents)
        case .bus(.requestFailed(let id, let error)):
            return asks.removeValue(forKey: id).map { .askFailed($0, error) }
        case .bus: return nil
        }
    }

    // MARK: The share

    private func heard(_ health: Health, of instance: InstanceName) {
        var health = health
        switch variant {
        case .silentLayoutsShare where health.state == .gone: return
        case .olderEnginesShare: health.gauges[LayoutEngineVersion.healthGauge] = Int64(version)
        default: break
        }
        share?.heard(health, of: instance, at: shareNow)
    }

    /// The time by which the share is determined; it stands still if instances keep their share in silence.
    private var shareNow: Instant { variant == .silentLayoutsShare ? Instant(milliseconds: 0) : simulation.wall }

    private func owns(_ widget: WidgetID?) -> Bool {
        guard let widget else { return true }
        let text = variant == .sharesDiffer ? "\(widget)\(name)" : widget.rawValue
        return share?.owns(text.utf8, at: shareNow) ?? true
    }

    /// Changes an event to what a layout service sees that breaks a rule.
    private func cheat(_ event: Event<Refreshed>, _ isNew: Bool) -> Event<Refreshed> {
        var event = event
        switch variant {
        case .instantOfLayout: event.data.instant = simulation.wall
        case .displaysOfLayout where event.data.cause != .removed:
            event.data.displays = displays.map(SimulatedWorld.display)
        case .latestContent:
            guard let widget = event.widget, let reference = event.data.content,
                let sequence = event.data.contentSequence
            else { break }
            if isNew {
                latest[widget] = (sequence, reference)
            } else if let (sequence, reference) = latest[widget] {
                event.data.contentSequence = sequence
                event.data.content = reference
            }
        default: break
        }
        return event
    }

    private func requested(_ request: IncomingRequest) -> LayoutInput? {
        if let id = replies[request.id] {
            requests[id] = request
            return nil
        }
        guard let (body, deadline) = simulation.requests[request.id] else { return nil }
        let query: LayoutInput.ClientRequest
        switch body {
        case .laidOut(let from): query = .replay(ReplayRequest(from: from))
        case .render(let body): query = .render(body)
        default: return nil
        }
        nextReply += 1
        let id = nextReply
        requests[id] = request
        replies[request.id] = id
        return .request(id, query, deadline: simulation.wall.advanced(byMilliseconds: Int64(deadline)))
    }

    override func carryOut(_ effect: LayoutEffect) {
        switch effect {
        case .publish(_, let data):
            judgeShare(data)
            publish(Message(.laidOut(data)))
        case .publishLayout(let publication):
            guard let frame = try? publication.frame() else {
                return simulation.oracle.report("a layout cannot be encoded", publication.topic.text)
            }
            publish(Message(.layout(frame.json)))
        case .ask(let id, let question, let timeout):
            let request: SimulatedRequest =
                switch question {
                case .replay(let body): .refreshed(from: body.from)
                case .snapshot(let body): .refreshedLast(body.widgets)
                }
            if let sent = self.request(.cache, request, deadline: timeout.wholeMilliseconds) { asks[sent] = id }
        case .reply(let id, let json): if let request = forget(id) { reply(to: request, json) }
        case .refuse(let id, let error): if let request = forget(id) { reply(to: request, error: error) }
        case .report(.cyclesDropped(let widget, _, _)): simulation.calm.excuse(widget)
        case .report, .paint, .counts: break
        }
    }

    private func judgeShare(_ data: Data) {
        guard !simulation.isChaotic, simulation.isCurrent(self), let event = simulation.laidOut(data),
            let widget = event.widget, let range = event.range
        else { return }
        simulation.calm.laysOut(range.sequence, of: widget, process: number)
    }

    private func forget(_ id: RequesterID) -> IncomingRequest? {
        guard let request = requests.removeValue(forKey: id) else { return nil }
        replies[request.id] = nil
        return request
    }
}
