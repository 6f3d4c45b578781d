// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

package import Telemetry
internal import WidgetSchema

/// The rules of a client with one or two buses.
///
/// The client registers at all buses. It is ready when all buses are ready, or when one has been ready for
/// `otherBusTimeout`. A request goes to the bus that answered last. If that bus does not answer within the failover
/// interval, or is disconnected, the request also goes to the other bus, with the same id; the first answer counts.
///
/// `ClientGroupCore` is a value type. It uses neither a socket nor a clock, and contains one `ClientCore` for each bus.
package struct ClientGroupCore {
    package enum Input: Sendable {
        /// An input that concerns only one bus; the first value is the index of that bus.
        case one(Int, ClientCore.Input)
        /// An input for all buses.
        case all(ClientCore.Input)
    }

    package enum Action: Sendable {
        /// An action on the connection to one bus; the first value is the index of that bus.
        case one(Int, ClientCore.Action)
        case deliver(BusInput)
        /// Increments the counter with this name, such as `bus.lateAnswers`.
        case count(String)
    }

    /// A request with the buses that it was sent to.
    private struct Pending {
        let request: OutgoingRequest
        var asked: Set<Int>
        var failures: [Int: RequestError] = [:]
        /// The time at which the request is also sent to the buses that have not got it; nil if all buses have got it.
        var movesAt: ContinuousClock.Instant?
    }

    /// The next time at which the core must handle the input `tick`; nil if there is no such time.
    package private(set) var nextDue: ContinuousClock.Instant?

    private let configuration: BusConfiguration
    private var cores: [ClientCore]
    /// The buses that the request sockets are connected to.
    private var connected: Set<Int> = []
    /// The buses that the publisher sockets are connected to.
    private var publishing: Set<Int> = []
    /// The buses that have confirmed the subscriptions since the start of the client.
    private var subscribed: Set<Int> = []
    private var ready: Set<Int> = []
    /// The time at which the client becomes ready even if the other bus is not ready; nil while the client does not
    /// wait for the other bus.
    private var readyAt: ContinuousClock.Instant?
    private var wasReady = false
    /// The index of the bus that new requests are sent to first, because it sent the last answer.
    private var preferred = 0
    private var pending: [RequestID: Pending] = [:]
    /// The time of the next check for requests that must also be sent to the other bus; nil if no check is needed.
    private var movesAt: ContinuousClock.Instant?

    package init(
        _ configuration: BusConfiguration,
        now: ContinuousClock.Instant,
        metrics: @escaping @Sendable () -> Metrics.Reading = { Metrics.Reading() },
        role: @escaping @Sendable () -> InstanceRole? = { nil }
    ) {
        self.configuration = configuration
        cores = configuration.addresses.all.map { _ in
            ClientCore(configuration, now: now, metrics: metrics, role: role)
        }
        updateNextDue()
    }

    /// Updates `nextDue`, which is stored because a client reads it more often than inputs arrive.
    private mutating func updateNextDue() {
        nextDue = earliest(movesAt, readyAt)
        // Iterates by index, because an iterator copies each core.
        for index in cores.indices { nextDue = earliest(nextDue, cores[index].nextDue) }
    }

    /// Returns a Boolean value that indicates whether messages are published at the bus with the index `bus`.
    ///
    /// The value is true if the publisher or the request socket is connected to this bus, or if no socket is connected
    /// to any bus. While one bus is connected, messages are not queued for the disconnected one, because they would
    /// arrive late.
    ///
    /// One connected socket is enough, because the two sockets connect to a bus at different times. Messages that are
    /// published in between must also go to this bus. Otherwise, they would be lost if the other bus failed.
    package func publishes(at bus: Int) -> Bool {
        connected.contains(bus) || publishing.contains(bus) || connected.isEmpty && publishing.isEmpty
    }

    /// The number of buses with a connection for requests.
    package var connectedCount: Int { connected.count }

    package mutating func handle(_ input: Input, now: ContinuousClock.Instant) -> [Action] {
        defer { updateNextDue() }
        switch input {
        case .one(let bus, let input):
            var isLate = false
            switch input {
            case .connected: connected.insert(bus)
            case .disconnected: connected.remove(bus)
            case .publisherSubscribed: publishing.insert(bus)
            case .publisherDisconnected: publishing.remove(bus)
            case .echoed: isLate = subscribed.insert(bus).inserted && wasReady
            default: break
            }
            let actions = pass(input, to: bus, now: now)
            // The client was ready without this bus, and may have lost the other one in the meantime.
            if isLate { return actions + [.deliver(.resubscribed)] }
            guard case .disconnected = input else { return actions }
            // Requests that were sent only to this bus now go to the other one, and need not wait for a reconnect.
            return actions + move(now: now) { $0.asked == [bus] }
        case .all(.ask(let request)): return ask(request, now: now)
        case .all(.forget(let id)):
            pending[id] = nil
            return passToAll(.forget(id), now: now)
        case .all(.tick): return tick(now: now)
        case .all(let input): return passToAll(input, now: now)
        }
    }

    private mutating func passToAll(_ input: ClientCore.Input, now: ContinuousClock.Instant) -> [Action] {
        var actions: [Action] = []
        for bus in cores.indices { actions += pass(input, to: bus, now: now) }
        return actions
    }

    private mutating func pass(
        _ input: ClientCore.Input,
        to bus: Int,
        now: ContinuousClock.Instant
    ) -> [Action] {
        guard cores.indices.contains(bus) else { return [] }
        var actions: [Action] = []
        for action in cores[bus].handle(input, now: now) { convert(action, of: bus, to: &actions, now: now) }
        return actions
    }

    /// Appends the actions of the group that follow from an action of one core.
    private mutating func convert(
        _ action: ClientCore.Action,
        of bus: Int,
        to actions: inout [Action],
        now: ContinuousClock.Instant
    ) {
        switch action {
        case .send, .askForEcho: actions.append(.one(bus, action))
        case .count(let name): actions.append(.count(name))
        case .deliver(.ready): actions += becomeReady(bus, now: now)
        case .deliver(.request(var request)):
            request.bus = bus
            actions.append(.deliver(.request(request)))
        case .deliver(let input):
            guard cores.count > 1 else { return actions.append(.deliver(input)) }
            switch input {
            case .answer(let id, _, _):
                guard finish(id, now: now) else { return actions.append(.count("bus.lateAnswers")) }
                preferred = bus
                actions.append(.deliver(input))
            case .requestFailed(let id, let error): actions += failed(id, error, at: bus, now: now)
            case .publisherConnected(let again):
                actions.append(.deliver(.publisherConnected(again: again || wasReady)))
            default: actions.append(.deliver(input))
            }
        }
    }

    // MARK: Readiness

    private mutating func becomeReady(_ bus: Int, now: ContinuousClock.Instant) -> [Action] {
        ready.insert(bus)
        guard !wasReady else { return [] }
        guard ready.count == cores.count else {
            readyAt = now + configuration.otherBusTimeout
            return []
        }
        return finishReadiness()
    }

    private mutating func finishReadiness() -> [Action] {
        (wasReady, readyAt) = (true, nil)
        return [.deliver(.ready)]
    }

    // MARK: Requests

    private mutating func ask(_ request: OutgoingRequest, now: ContinuousClock.Instant) -> [Action] {
        guard cores.count > 1 else { return pass(.ask(request), to: 0, now: now) }
        var entry = Pending(request: request, asked: [])
        let first = connected.contains(preferred) ? preferred : connected.min()
        // If no bus is connected, the request is pending at all of them, so that the first one that connects gets it.
        let buses = first.map { [$0] } ?? Array(cores.indices)
        entry.asked = Set(buses)
        if entry.asked.count < cores.count { plan(&entry, now + configuration.failoverInterval) }
        pending[request.id] = entry
        return buses.flatMap { pass(.ask(request), to: $0, now: now) }
    }

    private mutating func plan(_ entry: inout Pending, _ instant: ContinuousClock.Instant) {
        entry.movesAt = instant
        movesAt = earliest(movesAt, instant)
    }

    /// Sends each pending request that satisfies `condition` to all buses to which the request has not been sent yet.
    private mutating func move(now: ContinuousClock.Instant, _ condition: (Pending) -> Bool) -> [Action] {
        var actions: [Action] = []
        for id in pending.keys.sorted() {
            guard let entry = pending[id], entry.movesAt != nil, condition(entry) else { continue }
            let others = cores.indices.filter { !entry.asked.contains($0) }
            pending[id]?.asked.formUnion(others)
            pending[id]?.movesAt = nil
            actions.append(.count("bus.requestsMoved"))
            for bus in others { actions += pass(.ask(entry.request), to: bus, now: now) }
        }
        return actions
    }

    /// Removes a pending request, also from the `ClientCore` of each bus; returns false if there is no such request.
    private mutating func finish(_ id: RequestID, now: ContinuousClock.Instant) -> Bool {
        guard pending.removeValue(forKey: id) != nil else { return false }
        for bus in cores.indices { _ = cores[bus].handle(.forget(id), now: now) }
        return true
    }

    private mutating func failed(
        _ id: RequestID,
        _ error: RequestError,
        at bus: Int,
        now: ContinuousClock.Instant
    ) -> [Action] {
        guard pending[id] != nil else { return [] }
        pending[id]?.failures[bus] = error
        guard let entry = pending[id] else { return [] }
        // An error of the service is final. A service that is unavailable at one bus may be reachable through the other
        // one.
        let isFinal = error.code != .unavailable && error.code != .timedOut
        if !isFinal, entry.request.deadline > now {
            if entry.movesAt != nil { return move(now: now) { $0.request.id == id } }
            guard entry.failures.count == entry.asked.count else { return [] }
        }
        _ = finish(id, now: now)
        if isFinal { preferred = bus }
        return [.deliver(.requestFailed(id, error))]
    }

    // MARK: Time

    private mutating func tick(now: ContinuousClock.Instant) -> [Action] {
        var actions = passToAll(.tick, now: now)
        if let readyAt, readyAt <= now { actions += finishReadiness() }
        if let due = movesAt, due <= now {
            movesAt = nil
            actions += move(now: now) { $0.movesAt.map { $0 <= now } ?? false }
            movesAt = pending.values.compactMap(\.movesAt).min()
        }
        return actions
    }
}
