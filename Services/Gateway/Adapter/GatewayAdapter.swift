// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import EventStreams
import Foundation
import MessageBus
import ServiceRuntime
import Telemetry
import WebServer
import WidgetSchema

/// The adapter between the bus and the gateway's core; it passes updates on to the handlers of HTTP requests.
final class GatewayAdapter: ServiceAdapter {
    typealias Core = GatewayCore

    static let subscriptions = [
        Topic.Prefix.update, Topic.heads(of: .notifier).text, Topic.Prefix.health, Topic.Prefix.schedule,
    ]
    /// The time between two calls that return free memory to the system: bodies and pictures come in bursts.
    private static let memoryInterval: Duration = .seconds(5)
    /// The timeout of a request to the notifier for one page of a snapshot or a replay.
    private static let pageTimeout: Duration = .seconds(5)

    let setup = GatewaySetup()
    /// The gateway is ready when the states of all widgets are known.
    let isReadyWhenSubscribed = false
    private let gateway: GatewayParts
    private let server: HTTPServer
    private let context: ServiceContext
    private let health: GatewayHealth
    private let panels: PanelWorker
    private let address: String
    private var asks: [RequestID: UpdateFollower.Request] = [:]
    private var nextSecond = ContinuousClock.now
    private var memoryReturnedAt = ContinuousClock.now
    private let malformed: Counter
    private let updates: Counter

    /// Creates an adapter; `address` is the URL of `server` for the log.
    init(_ context: ServiceContext, gateway: GatewayParts, server: HTTPServer, health: GatewayHealth, address: String) {
        self.gateway = gateway
        self.server = server
        self.context = context
        self.health = health
        self.address = address
        panels = PanelWorker(gateway: gateway, health: health)
        malformed = context.metrics.counter("gateway.malformed")
        updates = context.metrics.counter("gateway.updates")
    }

    private var client: BusClient { gateway.client }
    private var log: Logger { context.log }

    func refuse(_ input: UpdateFollower.Input) {}

    func finish() {
        server.stopAndWait()
        gateway.hub.stop()
    }

    // MARK: Inputs

    func input(_ input: BusInput) -> UpdateFollower.Input? {
        everySecond(at: .now)
        switch input {
        case .ready: return .subscribed
        case .resubscribed: return .resubscribed
        case .message(let topic, let frames): return received(topic, frames)
        case .answer(let id, let json, _): return answered(id, json)
        case .requestFailed(let id, let error): return failed(id, error)
        case .request(let request):
            answer(request)
            return nil
        case .stopped, .publisherConnected, .registrationRefused, .posted: return nil
        }
    }

    private func received(_ topic: Topic, _ frames: [Data]) -> UpdateFollower.Input? {
        guard let json = frames.first else {
            malformed.increment()
            return nil
        }
        do throws(WireError) {
            if topic.text.hasPrefix(Topic.Prefix.update) {
                return .update(try WireJSON.decode(Event<Update>.self, from: json), json: json)
            } else if topic.text.hasPrefix(Topic.Prefix.health) {
                gateway.view.take(try WireJSON.decode(Event<Health>.self, from: json))
            } else if topic.text.hasPrefix(Topic.Prefix.schedule) {
                let schedule = try WireJSON.decode(Event<SourceSchedule>.self, from: json).data
                let rejected = gateway.view.take(schedule, at: .now)
                if rejected > 0 { context.metrics.limit("gateway.announcedFetches").increment(by: Int64(rejected)) }
            } else {
                return .heads(try WireJSON.decode(Event<NotifierHeads>.self, from: json).data)
            }
        } catch {
            malformed.increment()
            log.warning("Dropped a malformed message.", [.topic: topic.text], error: error)
        }
        return nil
    }

    /// Answers a request about the panels; all others are unknown.
    private func answer(_ request: IncomingRequest) {
        do throws(WireError) {
            guard try request.head().request == PanelsRequest.name else {
                let text = "The gateway answers health requests, and requests about its panels."
                return client.reply(to: request, error: RequestError(.unknownRequest, text))
            }
            panels.answer(try request.decode(PanelsRequest.self).body) { [client] answer in
                switch answer {
                case .report(let report): client.reply(to: request, result: report)
                case .refused(let error): client.reply(to: request, error: error)
                default: client.reply(to: request, error: RequestError(.failed, "The panels did not answer."))
                }
            }
        } catch {
            client.reply(to: request, error: RequestError(.malformed, "The request is not valid: \(error)."))
        }
    }

    private func answered(_ id: RequestID, _ json: Data) -> UpdateFollower.Input? {
        do {
            let page = try WireJSON.decode(Answer<Records<Update>>.self, from: json).get()
            return asks.removeValue(forKey: id).map { .answer($0, page) }
        } catch {
            return failed(id, error as? RequestError ?? RequestError(.failed, "\(error)"))
        }
    }

    private func failed(_ id: RequestID, _ error: RequestError) -> UpdateFollower.Input? {
        log.debug("A request to the notifier failed; it will be repeated.", error: error)
        return asks.removeValue(forKey: id).map { .failed($0, isUnknown: error.code == .notFound) }
    }

    // MARK: Effects

    func perform(_ effect: GatewayEffect, reading reader: Void) {
        switch effect {
        case .request(let request): send(request)
        case .follow(let output): perform(output)
        }
    }

    private func send(_ request: UpdateFollower.Request) {
        let (target, timeout) = (RequestTarget(.notifier), Self.pageTimeout)
        let id =
            switch request.body {
            case .snapshot(let after):
                client.request(target, SnapshotRequest<Update>(after: after), deadline: timeout)
            case .updates(let since): client.request(target, UpdatesRequest(since: since), deadline: timeout)
            case .cycles(let from): client.request(target, ReplayRequest<Update>(from: from), deadline: timeout)
            }
        asks[id] = request
    }

    private func perform(_ output: UpdateFollower.Output) {
        switch output {
        case .begin(let position, let states):
            gateway.view.replaceStates(by: states)
            for update in states { gateway.waiters.take(update) }
            gateway.hub.begin(at: position, states: states)
        case .show(let update):
            gateway.view.take(update)
            gateway.waiters.take(update)
            gateway.hub.show(update)
        case .publish(let update):
            updates.increment()
            let boards = gateway.view.take(update)
            gateway.updateHistory.take(update)
            gateway.waiters.take(update)
            gateway.hub.publish(update, boards: boards)
        case .caughtUp:
            gateway.view.setReady()
            health.becomeReady()
            context.announceReady(["address": address])
            log.info("Serves HTTP.", [.address: address, .widgets: gateway.view.count])
        case .note(let note): tell(note)
        }
    }

    private func tell(_ note: UpdateFollower.Note) {
        switch note {
        case .duplicate: context.metrics.counter("gateway.duplicates").increment()
        case .gap(let widget):
            context.metrics.counter("gateway.gaps").increment()
            log.debug("Updates are missing; they will be requested from the notifier.", [.widget: widget])
        case .implausible(let widget):
            context.metrics.counter("gateway.implausible").increment()
            log.warning(
                "Dropped an update whose sequence number is more than a day above this machine's clock.",
                [.widget: widget]
            )
        case .malformed(let id):
            malformed.increment()
            log.warning("Dropped an update that lacks its widget, its sequence numbers or its offset.", [.reason: id])
        case .otherEpoch(let reason):
            context.metrics.counter("gateway.otherEpochs").increment()
            log.warning(
                "The notifier's store was probably restored or replaced; requesting a snapshot of its updates.",
                [.reason: reason]
            )
        }
    }

    /// Does what is due each second: tells the cache when panels may wake, returns free memory to the system, and copies the web
    /// server's counters to the process's metrics.
    ///
    /// Called for each input: the notifier's heads come each second.
    private func everySecond(at now: ContinuousClock.Instant) {
        guard now >= nextSecond else { return }
        nextSecond = now + .seconds(1)
        panels.update(at: now)
        gateway.shown.send(for: gateway)
        if now - memoryReturnedAt >= Self.memoryInterval {
            memoryReturnedAt = now
            Allocator.returnFreeMemory()
        }
        let counts = server.counts
        context.metrics.gauge("gateway.connections").set(Int64(counts.connections))
        context.metrics.gauge("gateway.streams").set(Int64(counts.streams))
        context.metrics.gauge("gateway.pictureCacheBytes").set(Int64(gateway.pictures.bytes))
        let totals = [
            "gateway.connectionsPerClient": counts.rejectedByClientLimit,
            "gateway.requestSeconds": counts.requestTimeouts,
            "gateway.bodyBytes": counts.oversizedBodies, "gateway.bodiesAtOnce": counts.refusedBodies,
            "gateway.stallSeconds": counts.stalledStreams,
        ]
        for (name, value) in totals {
            let counter = context.metrics.limit(name)
            counter.increment(by: Int64(value) - counter.value)
        }
    }
}
