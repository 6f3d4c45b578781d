// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Configuration
import EventStreams
import Foundation
import MessageBus
import ServiceRuntime
import Storage
import Telemetry
import WidgetSchema

/// The adapter between the bus and the notifier's core.
final class NotifierAdapter: ServiceAdapter {
    typealias Core = NotifierCore

    /// The topic prefixes that the notifier subscribes to.
    static let subscriptions = [Topic.Prefix.laidOut, Topic.heads(of: .cache).text, layoutHealth]
    private static let layoutHealth = Topic.Prefix.health + ServiceName.layout.rawValue + "/"
    /// The timeout of a replay request to the layout service.
    ///
    /// It is shorter than the time after which the core counts a request as lost.
    static let askDeadline: Duration = .seconds(4)

    private enum Count: String, CaseIterable {
        case duplicates = "stream.duplicates"
        case olderEngines = "stream.olderEngines"
        case gaps = "stream.gaps"
        case replayRequests = "replay.asks"
        case failedReplayRequests = "replay.failedAsks"
        case failedReads = "store.failedReads"
        case malformedMessages = "malformed.messages"
        case malformedRequests = "malformed.requests"
        case confirmRequests = "confirm.asks"
        case denied = "stream.denied"
        case implausible = "stream.implausible"
        case shortened = "limit.updateBytes"
    }

    private let client: BusClient
    private let log: Logger
    private let counters: [Count: Counter]
    private let results: [UpdateResult: Counter]
    private let widgets: Gauge
    private let widgetsWithGaps: Gauge
    private let storeSize: StoreSize?
    private var requests = PendingRequests()
    /// The core's id of each replay request in flight, by the request's id on the bus.
    private var replayRequests: [RequestID: UInt64] = [:]
    /// The core's id of each `confirm` request in flight, by the request's id on the bus.
    private var confirmRequests: [RequestID: UInt64] = [:]
    /// The minimum time between two log entries about denied cycles, and between two about implausible numbers.
    static let doubtLogInterval: Duration = .seconds(60)
    private var nextDenialLog = ContinuousClock.now
    private var nextImplausibleLog = ContinuousClock.now
    private var deniedCount = 0
    /// The sentence about the last read of the store if it failed.
    private var readProblem: String?

    private(set) var setup = NotifierSetup(nonce: BusConfiguration.makeNonce())

    init(_ context: ServiceContext, client: BusClient) {
        self.client = client
        log = context.log
        let metrics = context.metrics
        counters = Dictionary(uniqueKeysWithValues: Count.allCases.map { ($0, metrics.counter($0.rawValue)) })
        results = Dictionary(
            uniqueKeysWithValues: UpdateResult.allCases.map { ($0, metrics.counter("updates.\($0.rawValue)")) }
        )
        widgets = metrics.gauge("widgets")
        widgetsWithGaps = metrics.gauge("stream.open")
        storeSize = StoreSize(of: context.service.rawValue, in: context.settings.store, metrics: metrics)
    }

    func discarded() {
        requests.removeAll()
        (replayRequests, confirmRequests, deniedCount) = ([:], [:], 0)
    }

    func refuse(_ input: NotifierInput) {
        switch input {
        case .replayRequested(let number, _), .updatesRequested(let number, _), .snapshotRequested(let number, _, _):
            fail(number, RequestError(.failed, "The notifier cannot use its store; try again."))
        case .laidOut, .layoutHealth, .cacheHeads, .replayed, .replayFailed, .confirmed, .confirmFailed, .resubscribed,
            .publisherReconnected:
            // No requester waits for an answer. The next core requests missing cycles in a replay.
            break
        }
    }

    // MARK: Inputs

    func input(_ input: BusInput) -> NotifierInput? {
        switch input {
        case .message(let topic, let frames): translate(topic, frames.first ?? Data())
        case .request(let request): translate(request)
        case .answer(let id, let json, _): translate(id, answer: json)
        case .requestFailed(let id, let error): translate(id, failure: error)
        case .resubscribed: .resubscribed
        case .publisherConnected(again: true): .publisherReconnected
        case .ready: afterReady()
        case .publisherConnected, .registrationRefused, .posted, .stopped: nil
        }
    }

    private func afterReady() -> NotifierInput? {
        resumed()
        return nil
    }

    func resumed() { if deniedCount > 0 || readProblem != nil { sayHealth() } }

    private func translate(_ topic: Topic, _ json: Data) -> NotifierInput? {
        do throws(WireError) {
            if topic == .heads(of: .cache) {
                return .cacheHeads(try WireJSON.decode(Event<CacheHeads>.self, from: json).data.sequences)
            }
            if topic.text.hasPrefix(Self.layoutHealth) {
                let health = try WireJSON.decode(Event<Health>.self, from: json).data
                let name = topic.text.dropFirst(Self.layoutHealth.count).dropLast()
                guard let instance = InstanceName(rawValue: String(name)) else {
                    throw WireError.malformed(path: "", problem: "the instance name in the topic is invalid")
                }
                setup.layoutInstances.heard(health, of: instance, at: .now)
                return .layoutHealth(health, of: instance)
            }
            let event = try WireJSON.decode(Event<LaidOut>.self, from: json)
            guard let widget = event.widget, topic == .laidOut(widget) else {
                throw WireError.malformed(path: "subject", problem: "the topic names another widget")
            }
            guard event.range != nil else { throw WireError.malformed(path: "sequence", problem: "is missing") }
            // Two cycles with one number are told apart by the times of their commits.
            guard event.data.times.committed != nil else {
                throw WireError.malformed(path: "data.times.committed", problem: "is missing")
            }
            return .laidOut(event, of: widget)
        } catch {
            counters[.malformedMessages]?.increment()
            log.warning("Dropped a malformed message.", [.topic: topic.text], error: error)
            return nil
        }
    }

    private func translate(_ request: IncomingRequest) -> NotifierInput? {
        do throws(WireError) {
            switch try request.head().request {
            case ReplayRequest<Update>.name:
                return try replay(request)
            case SnapshotRequest<Update>.name:
                let body = try request.decode(SnapshotRequest<Update>.self).body
                return .snapshotRequested(requests.add(request), widgets: body.widgets, after: body.after)
            case let other:
                let error = RequestError(.unknownRequest, "The notifier knows no request '\(other)'.")
                client.reply(to: request, error: error)
            }
        } catch {
            counters[.malformedRequests]?.increment()
            client.reply(to: request, error: RequestError(.malformed, "The request is not valid: \(error)."))
        }
        return nil
    }

    /// Decodes a replay request.
    ///
    /// The request contains either the first sequence number to send for each widget, or a position in the stream of
    /// all updates.
    private func replay(_ request: IncomingRequest) throws(WireError) -> NotifierInput {
        struct Kind: RequestBody {
            static let name = UpdatesRequest.name
            typealias Result = Records<Update>
            var since: StreamOffset?
        }
        if let since = try request.decode(Kind.self).body.since {
            return .updatesRequested(requests.add(request), since: since)
        }
        let from = try request.decode(ReplayRequest<Update>.self).body.from
        return .replayRequested(requests.add(request), from: from)
    }

    private func translate(_ id: RequestID, answer json: Data) -> NotifierInput? {
        if let request = confirmRequests.removeValue(forKey: id) {
            do {
                return .confirmed(request: request, try WireJSON.decode(Answer<ConfirmAnswer>.self, from: json).get())
            } catch {
                return fail(request: request, error)
            }
        }
        guard let ask = replayRequests.removeValue(forKey: id) else { return nil }
        do {
            return .replayed(ask: ask, try WireJSON.decode(Answer<Records<LaidOut>>.self, from: json).get())
        } catch {
            return fail(ask, error)
        }
    }

    private func translate(_ id: RequestID, failure: RequestError) -> NotifierInput? {
        confirmRequests.removeValue(forKey: id).map { fail(request: $0, failure) }
            ?? replayRequests.removeValue(forKey: id).map { fail($0, failure) }
    }

    private func fail(request: UInt64, _ error: any Error) -> NotifierInput {
        log.debug("The cache did not say whether it made cycles; it will be asked again.", error: error)
        return .confirmFailed(request: request)
    }

    private func fail(_ ask: UInt64, _ error: any Error) -> NotifierInput {
        counters[.failedReplayRequests]?.increment()
        log.warning("A replay request to the layout service failed; it will be repeated.", error: error)
        return .replayFailed(ask: ask)
    }

    // MARK: Effects

    func perform(_ effect: NotifierEffect, reading reader: NotifierStore) {
        switch effect {
        case .publish(let topic, let event):
            if topic == .heads(of: .notifier) { storeSize?.measure() }
            client.publish(topic, [event])
        case .republish(let widget): republish(widget, reader)
        case .ask(let ask, let instance):
            counters[.replayRequests]?.increment()
            log.debug("Requesting a replay of cycles from the layout service.", [.widgets: ask.from.count])
            let request = ReplayRequest<LaidOut>(from: ask.from)
            let target = RequestTarget(.layout, instance: instance)
            // If the named instance is gone, the request fails immediately, and the next request goes to another
            // instance.
            let id = client.request(target, request, deadline: Self.askDeadline, waitsForService: instance == nil)
            replayRequests[id] = ask.id
        case .confirm(let due):
            counters[.confirmRequests]?.increment()
            let request = ConfirmRequest(widgets: due.widgets)
            let id = client.request(RequestTarget(.cache), request, deadline: Self.askDeadline, waitsForService: false)
            confirmRequests[id] = due.id
        case .answerReplay(let number, let from):
            answer(number) { try UpdatePage.replay(from: from, of: reader) }
        case .answerUpdates(let number, let since):
            answer(number) { try UpdatePage.updates(since: since, of: reader) }
        case .refuse(let number, let error): fail(number, error)
        case .answerSnapshot(let number, let widgets, let end):
            answer(number) { try UpdatePage.snapshot(of: widgets, end: end, in: reader) }
        case .gauges(let gauges):
            widgets.set(Int64(gauges.widgets))
            widgetsWithGaps.set(Int64(gauges.widgetsWithGaps))
            guard gauges.widgetsDenied != deniedCount else { break }
            deniedCount = gauges.widgetsDenied
            sayHealth()
        case .note(let note): tell(note)
        }
    }

    /// Reports in heartbeats what is wrong: reads of the store fail, or widgets are at a position that the cache denied.
    private func sayHealth() {
        let denied =
            deniedCount > 0
            ? "The cache did not make the last cycles of \(deniedCount) widgets; newer ones are on their way" : nil
        let problems = [readProblem, denied].compactMap { $0 }
        client.setHealth(
            problems.isEmpty ? .ready : .degraded,
            message: problems.isEmpty ? nil : problems.joined(separator: "; ")
        )
    }

    /// Records whether the last read of the store failed.
    private func note(readProblem problem: String?) {
        guard problem != readProblem else { return }
        readProblem = problem
        sayHealth()
    }

    private func republish(_ widget: WidgetID, _ reader: NotifierStore) {
        do {
            guard let update = try reader.lastUpdate(of: widget) else { return }
            client.publish(update.topic, [update.event])
        } catch {
            // The update is committed, so consumers without it detect the gap from heads and request a replay.
            counters[.failedReads]?.increment()
            note(readProblem: "Updates cannot be read from the store: \(error)")
            log.error(
                "An update could not be read from the store, so it was not published again.",
                [.widget: widget],
                error: error
            )
        }
    }

    private func answer(_ number: RequesterID, _ read: () throws -> UpdatePage) {
        do {
            let page = try read()
            note(readProblem: nil)
            guard let request = requests.remove(number) else { return }
            client.reply(to: request, json: page.json)
        } catch {
            counters[.failedReads]?.increment()
            note(readProblem: "Updates cannot be read from the store: \(error)")
            log.error("Updates could not be read from the store.", error: error)
            fail(number, RequestError(.failed, "The notifier cannot use its store; try again."))
        }
    }

    private func fail(_ number: RequesterID, _ error: RequestError) {
        guard let request = requests.remove(number) else { return }
        client.reply(to: request, error: error)
    }

    private func tell(_ note: NotifierEffect.Note) {
        switch note {
        case .decided(let widget, let sequence, let result, let reason):
            results[result]?.increment()
            log.debug(
                "Decided the result of a cycle.",
                [.widget: widget, .sequence: sequence, .result: result.rawValue, .reason: reason.rawValue]
            )
        case .duplicate: counters[.duplicates]?.increment()
        case .olderEngine(let widget, let version):
            counters[.olderEngines]?.increment()
            log.debug(
                "Dropped a layout that was computed by an older layout engine or with other fonts.",
                [.widget: widget, .reason: "version \(version)"]
            )
        case .gap(let widget, let from):
            counters[.gaps]?.increment()
            log.debug(
                "Cycles are missing; they will be requested from the layout service.",
                [.widget: widget, .first: from]
            )
        case .denied(let widgets):
            counters[.denied]?.increment(by: Int64(widgets.count))
            guard ContinuousClock.now >= nextDenialLog else { return }
            nextDenialLog = .now + Self.doubtLogInterval
            log.warning(
                "The cache did not make cycles that the notifier has handled, and makes new ones above them.",
                [.widget: widgets.first?.rawValue ?? "", .widgets: widgets.count]
            )
        case .implausible(let widget, let sequence):
            counters[.implausible]?.increment()
            guard ContinuousClock.now >= nextImplausibleLog else { return }
            nextImplausibleLog = .now + Self.doubtLogInterval
            log.warning(
                "A sequence number is more than a day above this machine's clock; requesting a replay from the layout service.",
                [.widget: widget, .sequence: sequence]
            )
        case .malformed(let widget, let problem):
            counters[.malformedMessages]?.increment()
            log.warning("Dropped a cycle for which no update could be created.", [.widget: widget, .reason: problem])
        case .shortened(let widget, let bytes):
            counters[.shortened]?.increment()
            log.warning(
                "An update was too large; its row changes were removed, and its texts were removed or shortened.",
                [.widget: widget, .bytes: bytes, .limit: MessageLimits.clientFrame]
            )
        }
    }
}
