// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import MessageBus
import ServiceEngine
import WidgetSchema

/// The rules of the bus: which instances are live, and which of them gets a request.
///
/// A value type without socket or clock. It handles neither published messages nor subscriptions: `ForwardingLoop` does.
package struct BusCore {
    enum Input: Sendable {
        /// A message on the request port: the peer's routing id, added by the router socket, then the frames that the
        /// peer sent.
        case received([Data])
        /// A delivery failed because the peer is gone.
        case gone(Delivery)
        /// A probe was delivered, so its peer is still connected.
        case reached(Delivery)
        /// A delivery failed because the peer reads too slowly.
        case full(Delivery)
        case tick
        /// The bus is about to stop.
        case stop
    }

    enum Action: Hashable, Sendable {
        case publish(Topic, [Data])
        case deliver(Delivery)
        /// Logs that an instance has registered.
        case registered(ServiceName, InstanceName)
        case unregistered(ServiceName, InstanceName, Health.State)
    }

    /// The time without a heartbeat after which an instance counts as gone: three and a half heartbeat intervals.
    static let liveness = Duration.milliseconds(3500)
    /// The interval at which the health of an instance is published.
    ///
    /// If the state, message, role or term has changed, the health is published at once.
    static let healthInterval = Duration.seconds(2)
    /// The default of the property `maximumInstances`.
    package static let maximumInstances = 1024
    /// The byte with which the JSON of a request must begin; the bus does not check the rest of a forwarded request.
    private static let objectStart = UInt8(ascii: "{")

    var counters = BusCounters()
    /// The maximum number of registered instances.
    var maximumInstances = BusCore.maximumInstances
    private let instance: InstanceName
    private let nonce: String
    private var eventCounter: UInt64 = 0
    private var registry = Registry()
    private let tags = RouteTags()
    private var ownHealth: Health
    private var ownHealthDue: ContinuousClock.Instant
    /// The next time at which the core must handle the input `tick`.
    ///
    /// At this time, the health of the bus is due, or an instance counts as gone.
    private(set) var nextDue: ContinuousClock.Instant

    init(instance: InstanceName, nonce: String, version: String, now: ClockReading) {
        self.instance = instance
        self.nonce = nonce
        ownHealth = Health(state: .ready, version: version, startedAt: now.wall)
        ownHealthDue = now.monotonic
        nextDue = now.monotonic
    }

    /// The number of live instances.
    var instanceCount: Int { registry.count }

    mutating func handle(_ input: Input, now: ClockReading) -> [Action] {
        switch input {
        case .received(let frames): received(frames, now: now)
        case .gone(let delivery): gone(delivery, now: now)
        case .reached(let delivery): reached(delivery, now: now)
        case .full(let delivery): full(delivery, now: now)
        case .tick: tick(now: now)
        case .stop: [publishOwnHealth(.stopping, now: now)]
        }
    }

    // MARK: Requests and answers

    /// The maximum length, in bytes, of a malformed request id that the bus repeats in its error answer.
    ///
    /// A request with a longer malformed id gets no answer.
    private static let longestEchoedID = 1024

    private mutating func received(_ frames: [Data], now: ClockReading) -> [Action] {
        guard frames.count >= 2 else {
            counters.malformedRequests += 1
            return []
        }
        let peer = frames[0]
        if frames[1] == BusFrames.answer { return pass(frames) }
        guard frames.count >= 3 else {
            counters.malformedRequests += 1
            return []
        }
        guard let id = RequestID(rawValue: String(decoding: frames[2], as: UTF8.self)) else {
            counters.malformedRequests += 1
            guard frames[2].count <= Self.longestEchoedID else { return [] }
            let error = RequestError(.malformed, "The request's id is malformed: \(RequestID.rule).")
            return answer(peer, frames[2], Answer<Done>.error(error))
        }
        guard frames.count == 4 else {
            return malformed(peer, id, "A request has three frames: target, request id, JSON; not \(frames.count - 1).")
        }
        guard let target = RequestTarget(String(decoding: frames[1], as: UTF8.self)) else {
            let names = ServiceName.allCases.map(\.rawValue).joined(separator: ", ")
            return malformed(peer, id, "The target must be SERVICE or SERVICE/INSTANCE; the services are \(names).")
        }
        guard frames[3].first(where: { $0 > UInt8(ascii: " ") }) == Self.objectStart else {
            return malformed(peer, id, "The third frame of a request must be a JSON object.")
        }
        counters.requests += 1
        if target.service == .bus {
            let request = PendingRequest(requester: peer, target: target, id: frames[2], json: frames[3])
            return ownRequest(request, now: now)
        }
        let registration = registry.names(of: peer).first.map { RequestTarget($0.service, instance: $0.instance) }
        return route(
            PendingRequest(
                requester: peer,
                target: target,
                id: frames[2],
                json: frames[3],
                requesterInstance: registration
            )
        )
    }

    private mutating func route(_ request: PendingRequest) -> [Action] {
        if let name = registry.choose(for: request.target), let chosen = registry[name] {
            var request = request
            request.tag = tags.tag(instance: chosen.peer, requester: request.requester, id: request.id)
            return [.deliver(Delivery(to: chosen.peer, .request(request)))]
        }
        let standbys = request.target.instance == nil ? registry.standbys(of: request.target.service) : 0
        guard standbys == 0 else {
            return unavailable(request, "No instance of \(request.target) is active; standbys: \(standbys). Try again.")
        }
        return unavailable(request, "No live instance of \(request.target) is registered at the bus; is it running?")
    }

    /// Forwards a service's answer to the requester.
    ///
    /// `frames` contains, in this order: the service's routing id, `~answer`, the route, the request id, the JSON of
    /// the answer, and one frame for each content. The route is the byte `BusFrames.routeMark`, followed by the request's
    /// tag and the requester's routing id. An answer from another instance than the one that got the request is dropped.
    private mutating func pass(_ frames: [Data]) -> [Action] {
        guard frames.count >= 5, frames[2].count > 1 + RouteTags.length, frames[2].first == BusFrames.routeMark else {
            counters.malformedRequests += 1
            return []
        }
        let route = frames[2].dropFirst()
        let requester = Data(route.dropFirst(RouteTags.length))
        guard route.prefix(RouteTags.length) == tags.tag(instance: frames[0], requester: requester, id: frames[3])
        else {
            counters.foreignAnswers += 1
            return []
        }
        counters.answers += 1
        return [.deliver(Delivery(to: requester, .answer(Array(frames[3...]))))]
    }

    private mutating func malformed(_ peer: Data, _ id: RequestID, _ message: String) -> [Action] {
        counters.malformedRequests += 1
        return answer(peer, Data(id.rawValue.utf8), Answer<Done>.error(RequestError(.malformed, message)))
    }

    private mutating func malformed(_ request: PendingRequest, _ message: String) -> [Action] {
        counters.malformedRequests += 1
        return answer(request.requester, request.id, Answer<Done>.error(RequestError(.malformed, message)))
    }

    private mutating func unavailable(_ request: PendingRequest, _ message: String) -> [Action] {
        counters.unavailable += 1
        return answer(request.requester, request.id, Answer<Done>.error(RequestError(.unavailable, message)))
    }

    private func answer<Result>(_ peer: Data, _ id: Data, _ answer: Answer<Result>) -> [Action] {
        // Answers of the bus contain only text and whole numbers, which can always be encoded.
        guard let json = try? WireJSON.encode(answer) else { return [] }
        return [.deliver(Delivery(to: peer, .answer([id, json])))]
    }

    private mutating func gone(_ delivery: Delivery, now: ClockReading) -> [Action] {
        switch delivery.content {
        case .answer:
            counters.lateAnswers += 1
            return []
        case .request(let request):
            // The instance's connection ended, so there is no need to wait for missing heartbeats.
            return registry.names(of: delivery.peer).flatMap { remove($0, .gone, now: now) } + route(request)
        case .probe(_, let registration):
            let removed = registry.names(of: delivery.peer).flatMap { remove($0, .gone, now: now) }
            return removed + ownRequest(registration, now: now)
        }
    }

    /// Rejects the registration of an instance that is still connected, or else goes on with it.
    private mutating func reached(_ delivery: Delivery, now: ClockReading) -> [Action] {
        guard case .probe(_, let registration) = delivery.content else { return [] }
        guard let name = registry.names(of: delivery.peer).first else { return ownRequest(registration, now: now) }
        counters.foreignRegistrations += 1
        return refused(registration, "\(name) is still connected; it can register again when that connection ends.")
    }

    private mutating func full(_ delivery: Delivery, now: ClockReading) -> [Action] {
        counters.slowRequesters += 1
        switch delivery.content {
        case .answer: return []
        case .probe: return reached(delivery, now: now)
        case .request(let request):
            return unavailable(request, "\(request.target) does not keep up with its requests; ask again later.")
        }
    }

    // MARK: Requests to the bus itself

    private mutating func ownRequest(_ pending: PendingRequest, now: ClockReading) -> [Action] {
        if let named = pending.target.instance, named != instance {
            return unavailable(pending, "The instance name of this bus is '\(instance)', not '\(named)'.")
        }
        guard pending.json.count <= BusLimits.heartbeat else {
            return malformed(pending, "A request to the bus must have at most \(BusLimits.heartbeat) bytes.")
        }
        do throws(WireError) {
            switch try WireJSON.decode(OwnRequest.self, from: pending.json) {
            case .register(let request): return register(request, pending, now: now)
            case .health:
                let health = HealthAnswer(service: .bus, instance: instance, health: currentHealth)
                return answer(pending.requester, pending.id, Answer.result(health))
            case .unknown(let name):
                let error = RequestError(.unknownRequest, "The bus answers 'register' and 'health', not '\(name)'.")
                return answer(pending.requester, pending.id, Answer<Done>.error(error))
            }
        } catch {
            return malformed(pending, "The request's JSON is wrong: \(error).")
        }
    }

    private mutating func register(
        _ request: RegisterRequest,
        _ pending: PendingRequest,
        now: ClockReading
    ) -> [Action] {
        let peer = pending.requester
        let done = answer(peer, pending.id, Answer.result(Done()))
        let name = Registry.Name(service: request.service, instance: request.instance)
        let known = registry[name]
        if let other = registry.names(of: peer).first(where: { $0 != name }) {
            counters.foreignRegistrations += 1
            return refused(pending, "This connection has registered \(other); each instance needs one of its own.")
        }
        guard request.health.state != .stopping else {
            guard known == nil || known?.peer == peer else {
                counters.foreignRegistrations += 1
                return refused(pending, "Only the connection that registered \(name) can end its registration.")
            }
            return done + remove(name, .stopping, now: now)
        }
        guard request.service != .bus else {
            return malformed(pending, "A client cannot register the service 'bus'; the bus registers itself.")
        }
        guard known != nil || registry.count < maximumInstances else {
            counters.refusedRegistrations += 1
            return refused(pending, "At most \(maximumInstances) instances can be registered.")
        }
        if let known, known.peer != peer {
            return [.deliver(Delivery(to: known.peer, .probe(heartbeat: known.heartbeat, registration: pending)))]
        }
        let isNews =
            known.map { known in
                known.health.state != request.health.state || known.health.message != request.health.message
                    || known.health.role != request.health.role || known.health.term != request.health.term
                    || now.monotonic - known.lastPublished >= Self.healthInterval
            } ?? true
        registry[name] = Registry.Instance(
            peer: peer,
            heartbeat: pending.id,
            health: request.health,
            lastHeard: now.monotonic,
            lastPublished: known.map { isNews ? now.monotonic : $0.lastPublished } ?? now.monotonic
        )
        updateNextDue()
        var actions = done
        if known == nil { actions.append(.registered(request.service, request.instance)) }
        if isNews { actions.append(publishHealth(name, request.health, now: now)) }
        return actions
    }

    private func refused(_ request: PendingRequest, _ message: String) -> [Action] {
        answer(request.requester, request.id, Answer<Done>.error(RequestError(.refused, message)))
    }

    private mutating func remove(_ name: Registry.Name, _ state: Health.State, now: ClockReading) -> [Action] {
        guard var health = registry[name]?.health else { return [] }
        registry[name] = nil
        health.state = state
        return [publishHealth(name, health, now: now), .unregistered(name.service, name.instance, state)]
    }

    // MARK: Health

    private var currentHealth: Health {
        var health = ownHealth
        health.counters = counters.values
        health.gauges["bus.instances"] = Int64(registry.count)
        health.gauges["bus.subscriptions"] = counters.forwarding.subscriptions
        health.gauges["bus.subscriptionBytes"] = counters.forwarding.subscriptionBytes
        return health
    }

    private mutating func tick(now: ClockReading) -> [Action] {
        var actions: [Action] = []
        for (name, known) in registry.instances.sorted(by: { $0.key < $1.key })
        where now.monotonic - known.lastHeard >= Self.liveness {
            actions += remove(name, .gone, now: now)
        }
        if ownHealthDue <= now.monotonic { actions.append(publishOwnHealth(.ready, now: now)) }
        updateNextDue()
        return actions
    }

    /// Updates `nextDue`, which is stored because the bus reads it for each message.
    private mutating func updateNextDue() {
        nextDue = registry.longestUnheard.map { min(ownHealthDue, $0 + Self.liveness) } ?? ownHealthDue
    }

    private mutating func publishOwnHealth(_ state: Health.State, now: ClockReading) -> Action {
        ownHealthDue = now.monotonic + Self.healthInterval
        ownHealth.state = state
        return publishHealth(Registry.Name(service: .bus, instance: instance), currentHealth, now: now)
    }

    private mutating func publishHealth(_ name: Registry.Name, _ health: Health, now: ClockReading) -> Action {
        eventCounter += 1
        let topic = Topic.health(name.service, name.instance)
        let subject = "\(name.service.rawValue)/\(name.instance)"
        let event = Event(
            topic,
            subject: subject,
            nonce: nonce,
            counter: eventCounter,
            time: now.wall,
            data: health
        )
        // Health contains only text and whole numbers, which can always be encoded.
        return .publish(topic, (try? WireJSON.encode(event)).map { [$0] } ?? [])
    }
}
