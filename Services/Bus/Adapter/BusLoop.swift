// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import Foundation
internal import Locking
internal import MessageBus
internal import ServiceRuntime
internal import Telemetry
internal import WidgetSchema

/// The loop of the bus: handles the request port, and watches the memory.
///
/// `Forwarding` forwards the published messages at the same time.
struct BusLoop {
    private let configuration: BusServerConfiguration
    private let stopFlag: EventFlag
    private let forwarding: Forwarding
    private var core: BusCore
    private var memoryGuard: MemoryGuard
    /// The reason why the loop ended by itself; nil if it was stopped.
    private(set) var failure: BusError?

    init(_ configuration: BusServerConfiguration, stopFlag: EventFlag) throws(ZeroMQError) {
        self.configuration = configuration
        self.stopFlag = stopFlag
        forwarding = try Forwarding()
        memoryGuard = MemoryGuard(limit: configuration.memoryLimit)
        core = BusCore(
            instance: configuration.instance,
            nonce: BusConfiguration.makeNonce(),
            version: configuration.version,
            now: .now
        )
        core.maximumInstances = configuration.maximumInstances
    }

    /// Runs until `stopFlag` is raised or the memory limit is reached.
    ///
    /// When the sockets listen, the function calls `bound` once, with the endpoints that clients connect to. If the
    /// memory limit is reached, the function sets `failure` and returns. Afterwards, libzmq continues to send pending
    /// messages for at most half a second (`SocketSettings/linger`).
    mutating func run(bound: (BusAddress) -> Void) throws(ZeroMQError) {
        let context = try ZeroMQContext()
        var settings = SocketSettings.listener
        settings.sendLimit = BusLimits.requestQueue
        let requests = try ZeroMQSocket(.router, in: context, settings: settings)
        // The connections of requesters are recorded, so that they can be ended if memory is short.
        var connections = try AcceptedConnections(of: requests, name: "accepted-requesters")
        let address = configuration.address.request.bindable
        let request = try requests.bind(to: address, maximumFrame: MessageLimits.maximumFrame)
        let (publish, subscribe) = try forwarding.start(configuration, failed: stopFlag)
        do throws(ZeroMQError) {
            bound(BusAddress(publish: publish, subscribe: subscribe, request: request))
            FloodGuard.start(subscribe, forwarding, configuration)
            try serve(requests, &connections)
        } catch {
            _ = forwarding.stop()
            throw error
        }
        if let error = forwarding.stop() { throw error }
    }

    private mutating func serve(
        _ requests: borrowing ZeroMQSocket,
        _ connections: inout AcceptedConnections
    ) throws(ZeroMQError) {
        var poll = PollSet()
        let flagIndex = poll.add(stopFlag)
        let requestsIndex = poll.add(requests)
        var frames = FrameBuffer()
        var memoryDue = ContinuousClock.now
        while true {
            let due = min(memoryDue, core.nextDue)
            try poll.wait(milliseconds: max(0, (due - .now).millisecondsRoundedUp))
            if poll.canRead(flagIndex) { break }
            if poll.canRead(requestsIndex) { try readRequests(&frames, requests) }
            let now = ContinuousClock.now
            if memoryDue <= now {
                guard let interval = try watchMemory(&connections) else { return }
                memoryDue = now + interval
            }
            if core.nextDue <= now { try handle(.tick, requests) }
        }
        try handle(.stop, requests)
    }

    /// Measures the memory, and applies the verdict of `memoryGuard`; returns the time until the next measurement.
    ///
    /// The verdict `dropSenders` ends the connections of all publishers and requesters, and those of the subscribers with
    /// the most subscriptions. The verdict `exit` sets `failure`; the function then returns nil, and the loop must end.
    private mutating func watchMemory(_ requesters: inout AcceptedConnections) throws(ZeroMQError) -> Duration? {
        // The recorded connections are updated on every call, because unread events would fill the monitor's queue.
        try requesters.update()
        let bytes = MemoryGuard.residentBytes
        switch memoryGuard.judge(bytes, now: .now) {
        case .fine: break
        case .dropSenders:
            forwarding.releaseMemory()
            core.counters.droppedRequesters += Int64(try requesters.endAll())
            configuration.log.warning(
                "The bus used too much memory and closed the connections of all senders; the senders will reconnect.",
                [.bytes: bytes, .limit: configuration.memoryLimit]
            )
        case .exit:
            failure = .memory(limit: configuration.memoryLimit)
            return nil
        }
        return memoryGuard.interval(after: bytes)
    }

    private mutating func readRequests(
        _ frames: inout FrameBuffer,
        _ requests: borrowing ZeroMQSocket
    ) throws(ZeroMQError) {
        var budget = BusLimits.batch
        while budget > 0, try frames.receive(from: requests) {
            budget -= 1
            guard !frames.isOverfull else {
                core.counters.malformedRequests += 1
                continue
            }
            // Requests are rare compared with messages, so the core gets copies.
            try handle(.received(frames.data(from: 0)), requests)
        }
    }

    private mutating func handle(
        _ input: BusCore.Input,
        _ requests: borrowing ZeroMQSocket
    ) throws(ZeroMQError) {
        core.counters.forwarding = forwarding.counters.withLock(\.self)
        for action in core.handle(input, now: .now) {
            switch action {
            case .publish(let topic, let frames):
                if !forwarding.publish(topic, frames) { core.counters.droppedOwnMessages += 1 }
            case .deliver(let delivery):
                switch try requests.send(delivery.frames) {
                case .sent: if delivery.isProbe { try handle(.reached(delivery), requests) }
                case .unreachable: try handle(.gone(delivery), requests)
                case .wouldBlock: try handle(.full(delivery), requests)
                }
            case .registered(let service, let instance):
                configuration.log.info(
                    "A service instance registered with the bus.",
                    [.service: service.rawValue, .instance: instance.rawValue]
                )
            case .unregistered(let service, let instance, let state):
                configuration.log.info(
                    "A service instance left the bus.",
                    [.service: service.rawValue, .instance: instance.rawValue, .state: state.rawValue]
                )
            }
        }
    }
}
