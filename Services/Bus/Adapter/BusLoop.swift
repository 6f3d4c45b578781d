// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import Foundation
internal import MessageBus
internal import ServiceEngine
internal import ServiceRuntime
internal import Telemetry
internal import WidgetSchema

/// The loop of the bus: forwards published messages to the subscribers and handles the request port.
///
/// It replaces `zmq_proxy`, which can neither check nor count messages.
struct BusLoop {
    private let configuration: BusServerConfiguration
    private let stopFlag: EventFlag
    private let rules = PublicationRules()
    private var core: BusCore
    private var memoryGuard: MemoryGuard
    /// The reason why the loop ended by itself; nil if it was stopped.
    private(set) var failure: BusError?

    init(_ configuration: BusServerConfiguration, stopFlag: EventFlag) {
        self.configuration = configuration
        self.stopFlag = stopFlag
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
        var publisherSettings = SocketSettings.listener
        publisherSettings.receiveLimit = BusLimits.publisherQueue
        var subscriberSettings = SocketSettings.listener
        subscriberSettings.sendLimit = configuration.subscriberQueue
        var requestSettings = SocketSettings.listener
        requestSettings.sendLimit = BusLimits.requestQueue
        let publishers = try ZeroMQSocket(.xsub, in: context, settings: publisherSettings)
        let subscribers = try ZeroMQSocket(.xpub, in: context, settings: subscriberSettings)
        let requests = try ZeroMQSocket(.router, in: context, settings: requestSettings)

        var poll = PollSet()
        let flagIndex = poll.add(stopFlag)
        let publishersIndex = poll.add(publishers)
        let subscribersIndex = poll.add(subscribers)
        let requestsIndex = poll.add(requests)
        var frames = FrameBuffer()
        // The connections of publishers and requesters are recorded, so that they can be ended if memory is short.
        // Subscribers send only short subscriptions; their port has a smaller frame limit instead.
        var senders = try AcceptedConnections(of: publishers, name: "accepted-publishers")
        var requesters = try AcceptedConnections(of: requests, name: "accepted-requesters")
        var memoryDue = ContinuousClock.now

        // libzmq sends this subscription to each publisher that connects; the publisher then knows that it is
        // connected.
        _ = try publishers.send([BusFrames.subscribeToEverything])
        let address = configuration.address
        let limit = MessageLimits.maximumFrame
        // The port for publishers opens last, so that waiting subscribers can connect before the first message arrives.
        let request = try requests.bind(to: address.request.bindable, maximumFrame: limit)
        let subscribe = try subscribers.bind(
            to: address.subscribe.bindable,
            maximumFrame: BusLimits.subscription
        )
        let publish = try publishers.bind(to: address.publish.bindable, maximumFrame: limit)
        bound(BusAddress(publish: publish, subscribe: subscribe, request: request))

        while true {
            let due = min(memoryDue, core.nextDue)
            try poll.wait(milliseconds: max(0, (due - .now).millisecondsRoundedUp))
            if poll.canRead(flagIndex) { break }
            if poll.canRead(publishersIndex) { try forward(&frames, publishers, subscribers) }
            if poll.canRead(subscribersIndex) { try readSubscriptions(&frames, subscribers, requests) }
            if poll.canRead(requestsIndex) { try readRequests(&frames, subscribers, requests) }
            let now = ContinuousClock.now
            if memoryDue <= now {
                guard let interval = try watchMemory(&senders, &requesters) else { return }
                memoryDue = now + interval
            }
            if core.nextDue <= now { try obey(core.handle(.tick, now: .now), subscribers, requests) }
        }
        // Messages that publishers sent before the end are still forwarded.
        try forward(&frames, publishers, subscribers)
        try obey(core.handle(.stop, now: .now), subscribers, requests)
    }

    /// Measures the memory, and applies the verdict of `memoryGuard`; returns the time until the next measurement.
    ///
    /// The verdict `dropSenders` ends all connections of `senders` and `requesters`. The verdict `exit` sets `failure`;
    /// the function then returns nil, and the loop must end.
    private mutating func watchMemory(
        _ senders: inout AcceptedConnections,
        _ requesters: inout AcceptedConnections
    ) throws(ZeroMQError) -> Duration? {
        // The recorded connections are updated on every call, because unread events would fill the monitors' queues.
        try senders.update()
        try requesters.update()
        let bytes = MemoryGuard.residentBytes
        switch memoryGuard.judge(bytes, now: .now) {
        case .fine: break
        case .dropSenders:
            let count = try senders.endAll() + requesters.endAll()
            core.counters.droppedSenders += Int64(count)
            configuration.log.warning(
                "The bus used too much memory and closed the connections of all senders; the senders will reconnect.",
                [.bytes: bytes, .limit: configuration.memoryLimit, .count: count]
            )
        case .exit:
            failure = .memory(limit: configuration.memoryLimit)
            return nil
        }
        return memoryGuard.interval(after: bytes)
    }

    /// Receives and forwards messages frame by frame, without copying or allocating.
    ///
    /// This is the hot path.
    private mutating func forward(
        _ frames: inout FrameBuffer,
        _ publishers: borrowing ZeroMQSocket,
        _ subscribers: borrowing ZeroMQSocket
    ) throws(ZeroMQError) {
        var budget = BusLimits.batch
        while budget > 0, try frames.receive(from: publishers) {
            budget -= 1
            switch refusal(of: frames) {
            case nil:
                // An XPUB drops messages for a slow subscriber and continues with the others.
                _ = try frames.forward(to: subscribers)
                core.counters.forwarded += 1
            case .unknownTopic: core.counters.unknownTopics += 1
            case .wrongFrames: core.counters.wrongFrames += 1
            case .tooLarge: core.counters.oversized += 1
            }
        }
    }

    private func refusal(of frames: borrowing FrameBuffer) -> PublicationRules.Refusal? {
        if frames.isOverfull { return .wrongFrames }
        return frames.withBytes(0) { topic in
            rules.refusal(topic: topic, frameCount: frames.count) { frames.size($0) }
        }
    }

    private mutating func readSubscriptions(
        _ frames: inout FrameBuffer,
        _ subscribers: borrowing ZeroMQSocket,
        _ requests: borrowing ZeroMQSocket
    ) throws(ZeroMQError) {
        var budget = BusLimits.batch
        while budget > 0, try frames.receive(from: subscribers) {
            budget -= 1
            guard frames.count == 1, frames.size(0) <= BusLimits.subscription else {
                core.counters.unexpectedSubscriptions += 1
                continue
            }
            // Only subscriptions to the readiness topic need an answer and pass through the core.
            let mayNeedAnswer = frames.withBytes(0) { $0.count > 1 ? $0[1] == UInt8(ascii: "~") : $0.isEmpty }
            let isOrdinary = frames.withBytes(0) { $0.first == 0 || $0.first == 1 }
            if isOrdinary && !mayNeedAnswer { continue }
            try obey(core.handle(.subscription(frames.data(0)), now: .now), subscribers, requests)
        }
    }

    private mutating func readRequests(
        _ frames: inout FrameBuffer,
        _ subscribers: borrowing ZeroMQSocket,
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
            try obey(core.handle(.received(frames.data(from: 0)), now: .now), subscribers, requests)
        }
    }

    private mutating func obey(
        _ actions: [BusCore.Action],
        _ subscribers: borrowing ZeroMQSocket,
        _ requests: borrowing ZeroMQSocket
    ) throws(ZeroMQError) {
        for action in actions {
            switch action {
            case .publish(let topic, let frames):
                _ = try subscribers.send([Data(topic.text.utf8)] + frames)
            case .deliver(let delivery):
                switch try requests.send(delivery.frames) {
                case .sent: break
                case .unreachable:
                    try obey(core.handle(.gone(delivery), now: .now), subscribers, requests)
                case .wouldBlock:
                    try obey(core.handle(.full(delivery), now: .now), subscribers, requests)
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

extension Endpoint {
    /// The endpoint with 127.0.0.1 instead of `localhost`, because libzmq cannot listen on a host name.
    fileprivate var bindable: Endpoint {
        if case .tcp("localhost", let port) = self { return .tcp(host: "127.0.0.1", port: port) }
        return self
    }
}
