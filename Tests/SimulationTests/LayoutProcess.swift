// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import MessageBus
import ServiceEngine
import WidgetSchema

@testable import Layout
@testable import LayoutEngine

/// The layout service: its engine, with a worker that measures without fonts.
final class LayoutProcess: EngineProcess<LayoutCore, NoStore, LayoutRenderer> {
    private var asks: [RequestID: LayoutCore.AskID] = [:]
    private var requests: [LayoutCore.ReplyID: IncomingRequest] = [:]
    private var replies: [RequestID: LayoutCore.ReplyID] = [:]
    private var nextReply: UInt64 = 0
    private var displays: [String] = []
    private var latest: [WidgetID: (SequenceNumber, ContentReference)] = [:]

    init(_ simulation: Simulation, number: Int) {
        super.init(simulation, service: .layout, number: number, subscriptions: [.refreshed])
    }

    override func makeEngine() -> ServiceEngine {
        Engine(
            store: NoStore(),
            pool: LayoutRenderer(measurer: TypewriterMeasurer()),
            faults: variant?.engineFaults ?? []
        )
    }

    override var setup: LayoutSetup { LayoutSetup() }

    override func begin() {
        super.begin()
        (asks, requests, replies, latest) = ([:], [:], [:], [:])
        displays = simulation.world.displays
    }

    override func input(_ input: Input) -> LayoutCore.Input? {
        switch input {
        case .message(let message):
            guard case .refreshed(let event, let content) = message.body else { return nil }
            return .refreshed(cheat(event, content != nil), content: content)
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

    private func requested(_ request: IncomingRequest) -> LayoutCore.Input? {
        if let id = replies[request.id] {
            requests[id] = request
            return nil
        }
        guard let (body, deadline) = simulation.requests[request.id] else { return nil }
        let query: LayoutCore.Query
        switch body {
        case .laidOut(let from): query = .replay(ReplayRequest(from: from))
        case .render(let body): query = .render(body)
        default: return nil
        }
        nextReply += 1
        let id = LayoutCore.ReplyID(number: nextReply)
        requests[id] = request
        replies[request.id] = id
        return .request(id, query, deadline: simulation.wall.advanced(byMilliseconds: Int64(deadline)))
    }

    override func carryOut(_ effect: LayoutCore.Effect) {
        switch effect {
        case .publish(let topic, let data):
            publish(Message(topic.text.hasPrefix(Topic.Prefix.layout) ? .layout(data) : .laidOut(data)))
        case .ask(let id, let question, let deadline):
            let request: SimulatedRequest =
                switch question {
                case .replay(let body): .refreshed(from: body.from)
                case .snapshot(let body): .refreshedLast(body.widgets)
                }
            if let sent = self.request(.cache, request, deadline: Int64(deadline)) { asks[sent] = id }
        case .reply(let id, let json): if let request = forget(id) { reply(to: request, json) }
        case .refuse(let id, let error): if let request = forget(id) { reply(to: request, error: error) }
        case .report, .paint, .counts: break
        }
    }

    private func forget(_ id: LayoutCore.ReplyID) -> IncomingRequest? {
        guard let request = requests.removeValue(forKey: id) else { return nil }
        replies[request.id] = nil
        return request
    }
}
