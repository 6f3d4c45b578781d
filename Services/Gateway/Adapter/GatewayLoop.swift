// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import EventStreams
import Foundation
import MessageBus
import ServiceEngine
import ServiceRuntime
import Telemetry
import WebServer
import WidgetSchema

/// The loop of the gateway's thread.
///
/// It takes messages from the bus, passes them to `GatewayCore`, and performs the effects that the core returns.
struct GatewayLoop {
    /// The input that wakes the gateway's thread when the process stops.
    struct Wake: Sendable {}

    static let batch = 512
    /// The time between two calls that return free memory to the system: bodies and pictures come in bursts.
    static let memoryInterval: Duration = .seconds(5)
    /// The timeout of a request to the notifier for one page of a snapshot or a replay.
    static let pageTimeout: Duration = .seconds(5)

    private let client: BusClient
    private let gateway: RouteContext
    private let server: HTTPServer
    private let context: ServiceContext
    private let health: GatewayHealth
    private let address: String
    private var engine = Engine<GatewayCore, NoStore, NoWorkers>(store: NoStore(), pool: NoWorkers())
    private var inputs: [UpdateFollower.Input] = []
    private var asks: [RequestID: UpdateFollower.Request] = [:]
    private var registration: RegistrationWatch
    private var memoryReturnedAt = ContinuousClock.now
    private let malformed: Counter
    private let updates: Counter

    init(
        client: BusClient,
        gateway: RouteContext,
        server: HTTPServer,
        context: ServiceContext,
        health: GatewayHealth,
        address: String
    ) {
        self.client = client
        self.gateway = gateway
        self.server = server
        self.context = context
        self.health = health
        self.address = address
        registration = RegistrationWatch(context)
        malformed = context.metrics.counter("gateway.malformed")
        updates = context.metrics.counter("gateway.updates")
    }

    private var log: Logger { context.log }

    /// Runs until the process stops.
    mutating func run() throws {
        while !context.stop.isStopped {
            let deadline = engine.nextWake(after: .now)
            for input in client.nextBatch(maximum: Self.batch, until: deadline) {
                guard !context.stop.isStopped, try take(input) else { return }
            }
            let batch = inputs
            inputs = []
            if case .perform(let effects) = try engine.process(batch, setup: GatewaySetup(), now: .now) {
                for effect in effects { perform(effect) }
            }
            count()
            returnMemory(at: .now)
        }
    }

    /// Returns free memory to the system, at most once in an interval; the heads of the notifier cause a call each second.
    private mutating func returnMemory(at now: ContinuousClock.Instant) {
        guard now - memoryReturnedAt >= Self.memoryInterval else { return }
        memoryReturnedAt = now
        Allocator.returnFreeMemory()
    }

    /// Handles one input; returns false if the connection to the bus was closed.
    private mutating func take(_ input: BusInput) throws -> Bool {
        registration.note(input)
        switch input {
        case .ready: handle(.subscribed)
        case .resubscribed: handle(.resubscribed)
        case .message(let topic, let frames): received(topic, frames)
        case .answer(let id, let json, _): answered(id, json)
        case .requestFailed(let id, let error): failed(id, error)
        case .request(let request):
            client.reply(to: request, error: RequestError(.unknownRequest, "The gateway answers only health requests."))
        case .stopped(let error):
            if let error { throw error }
            return false
        case .publisherConnected, .registrationRefused, .posted: break
        }
        return true
    }

    private mutating func received(_ topic: Topic, _ frames: [Data]) {
        guard let json = frames.first else { return malformed.increment() }
        do throws(WireError) {
            if topic.text.hasPrefix(Topic.Prefix.update) {
                handle(.update(try WireJSON.decode(Event<Update>.self, from: json), json: json))
            } else if topic.text.hasPrefix(Topic.Prefix.health) {
                gateway.view.take(try WireJSON.decode(Event<Health>.self, from: json))
            } else if topic.text.hasPrefix(Topic.Prefix.schedule) {
                let schedule = try WireJSON.decode(Event<SourceSchedule>.self, from: json).data
                let rejected = gateway.view.take(schedule, at: .now)
                if rejected > 0 { context.metrics.limit("gateway.announcedFetches").increment(by: Int64(rejected)) }
            } else {
                handle(.heads(try WireJSON.decode(Event<NotifierHeads>.self, from: json).data))
            }
        } catch {
            malformed.increment()
            log.warning("Dropped a malformed message.", [.topic: topic.text], error: error)
        }
    }

    private mutating func answered(_ id: RequestID, _ json: Data) {
        do {
            let page = try WireJSON.decode(Answer<Records<Update>>.self, from: json).get()
            if let request = asks.removeValue(forKey: id) { handle(.answer(request, page)) }
        } catch {
            failed(id, error as? RequestError ?? RequestError(.failed, "\(error)"))
        }
    }

    private mutating func failed(_ id: RequestID, _ error: RequestError) {
        log.debug("A request to the notifier failed; it will be repeated.", error: error)
        guard let request = asks.removeValue(forKey: id) else { return }
        handle(.failed(request, isUnknown: error.code == .notFound))
    }

    private mutating func handle(_ input: UpdateFollower.Input) { inputs.append(input) }

    private mutating func perform(_ effect: GatewayEffect) {
        switch effect {
        case .request(let request): send(request)
        case .follow(let output): perform(output)
        }
    }

    private mutating func send(_ request: UpdateFollower.Request) {
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
            gateway.view.take(update)
            gateway.statistics.take(update)
            gateway.waiters.take(update)
            gateway.hub.publish(update)
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

    /// Copies the web server's counters to the process's metrics.
    private func count() {
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
