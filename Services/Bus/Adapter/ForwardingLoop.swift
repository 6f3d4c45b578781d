// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import Foundation
internal import Locking
internal import MessageBus
internal import ServiceRuntime
internal import Synchronization
internal import Telemetry
internal import WidgetSchema

/// The loop that forwards published messages to the subscribers.
///
/// It replaces `zmq_proxy`, which can neither check nor count messages. It has a thread and a context of its own: when a
/// subscriber's connection ends, libzmq searches the subscriptions of all connections on the socket's thread, and
/// requests and answers must not wait for that.
struct ForwardingLoop {
    /// The interval at which accepted and ended connections are updated.
    private static let connectionInterval = Duration.milliseconds(500)

    /// The number of times that memory is returned to the system after subscriptions have ended, one in each interval.
    private static let memoryReturns = 10
    /// The maximum number of subscriptions that are read before messages are forwarded.
    private static let batch = 512

    private let configuration: BusServerConfiguration
    private let shared: Forwarding
    private let rules = PublicationRules()
    private var accounts: SubscriptionAccounts
    private var warnings = WarningThrottle()
    /// The number of ended connections when memory was last returned, and the maximum of subscriptions since then.
    private var endedBefore: Int64 = 0
    private var mostSubscriptions = 0
    /// The number of times that memory must still be returned.
    private var memoryReturns = 0
    /// A Boolean value that indicates whether subscribers were accepted or have ended since they were last shared.
    private var subscribersHaveChanged = false

    init(_ configuration: BusServerConfiguration, _ shared: Forwarding) {
        self.configuration = configuration
        self.shared = shared
        accounts = SubscriptionAccounts(configuration.subscriptionLimits)
    }

    /// Runs until the stop flag is raised; calls `bound` once, with the endpoints of publishers and subscribers.
    ///
    /// Afterwards, libzmq continues to send pending messages for at most half a second (`SocketSettings/linger`).
    mutating func run(bound: (_ publish: Endpoint, _ subscribe: Endpoint) -> Void) throws(ZeroMQError) {
        let context = try ZeroMQContext()
        var publisherSettings = SocketSettings.listener
        publisherSettings.receiveLimit = BusLimits.publisherQueue
        var subscriberSettings = SocketSettings.listener
        subscriberSettings.sendLimit = configuration.subscriberQueue
        // No limit: libzmq 4.3 aborts the process if a connection with a full queue ends and its heartbeat is due
        // (`!_io_error` in stream_engine_base.cpp). `FloodGuard` ends floods before the queues grow large.
        subscriberSettings.receiveLimit = 0
        subscriberSettings.receiveBuffer = BusLimits.subscriptionBuffer
        subscriberSettings.numbersConnections = true
        var numbers = try ConnectionNumbers(in: context)
        let publishers = try ZeroMQSocket(.xsub, in: context, settings: publisherSettings)
        let subscribers = try ZeroMQSocket(.xpub, in: context, settings: subscriberSettings)

        var poll = PollSet()
        let stopIndex = poll.add(shared.stopFlag)
        let wakeIndex = poll.add(shared.wakeFlag)
        let publishersIndex = poll.add(publishers)
        let subscribersIndex = poll.add(subscribers)
        let numbersIndex = poll.add(numbers.requests)
        var frames = FrameBuffer()
        // The connections of publishers are recorded, so that they can be ended if memory is short.
        var connections = try AcceptedConnections(of: publishers, name: "accepted-publishers")
        var readers = try AcceptedConnections(of: subscribers, name: "accepted-subscribers")
        var connectionsDue = ContinuousClock.now

        // libzmq sends this subscription to each publisher that connects; the publisher then knows that it is
        // connected.
        _ = try publishers.send([BusFrames.subscribeToEverything])
        // The port for publishers opens last, so that waiting subscribers can connect before the first message arrives.
        let address = configuration.address
        let subscribe = try subscribers.bind(to: address.subscribe.bindable, maximumFrame: BusLimits.subscription)
        let publish = try publishers.bind(to: address.publish.bindable, maximumFrame: MessageLimits.maximumFrame)
        bound(publish, subscribe)

        while true {
            try poll.wait(milliseconds: max(0, (connectionsDue - .now).millisecondsRoundedUp))
            countProgress()
            if poll.canRead(stopIndex) { break }
            if poll.canRead(wakeIndex) {
                shared.wakeFlag.lower()
                if shared.takeReleaseMemory() {
                    let count = try connections.endAll()
                    shared.counters.withLock { $0.droppedPublishers += Int64(count) }
                    try end(accounts.release(), &readers, last: numbers.last)
                }
                try publishOwnMessages(subscribers)
            }
            if poll.canRead(publishersIndex) { try forward(&frames, publishers, subscribers) }
            if poll.canRead(numbersIndex) {
                while try numbers.receive() {
                    try endAccounts(&readers, last: numbers.last)
                    try numbers.accept()
                }
            }
            // Before the socket of the accepted connections is used, so that `FloodGuard` knows them.
            shareSubscribers(readers)
            if poll.canRead(subscribersIndex) {
                try end(readSubscriptions(&frames, subscribers), &readers, last: numbers.last)
            }
            let now = ContinuousClock.now
            if connectionsDue <= now {
                // Unread events would fill the monitor's queue.
                try connections.update()
                try endAccounts(&readers, last: numbers.last)
                countSubscriptions()
                returnMemory()
                connectionsDue = now + Self.connectionInterval
            }
        }
        // Messages that publishers sent before the end are still forwarded.
        try forward(&frames, publishers, subscribers)
        try publishOwnMessages(subscribers)
    }

    private func publishOwnMessages(_ subscribers: borrowing ZeroMQSocket) throws(ZeroMQError) {
        for frames in shared.takeOwnMessages() { _ = try subscribers.send(frames) }
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
            countProgress()
            let refusal = refusal(of: frames)
            // A message is counted before it is sent: whoever has received it sees it in the health of the bus.
            shared.counters.withLock { counters in
                switch refusal {
                case nil: counters.forwarded += 1
                case .unknownTopic: counters.unknownTopics += 1
                case .wrongFrames: counters.wrongFrames += 1
                case .tooLarge: counters.oversized += 1
                }
            }
            // An XPUB drops messages for a slow subscriber and continues with the others.
            if refusal == nil { _ = try frames.forward(to: subscribers) }
        }
    }

    private func refusal(of frames: borrowing FrameBuffer) -> PublicationRules.Refusal? {
        if frames.isOverfull { return .wrongFrames }
        return frames.withBytes(0) { topic in
            rules.refusal(topic: topic, frameCount: frames.count) { frames.size($0) }
        }
    }

    // MARK: Subscriptions

    /// Reads subscriptions frame by frame; returns the connections that must end.
    ///
    /// libzmq applies each frame of a message that begins with 0 or 1. It delivers all frames, so none is missed here.
    private mutating func readSubscriptions(
        _ frames: inout FrameBuffer,
        _ subscribers: borrowing ZeroMQSocket
    ) throws(ZeroMQError) -> [SubscriptionExcess] {
        var budget = Self.batch
        var excesses: [SubscriptionExcess] = []
        let now = ContinuousClock.now
        while budget > 0, try frames.receive(from: subscribers, wholeMessage: false) {
            budget -= 1
            countProgress()
            let frame = frames.withBytes(0, SubscriptionFrame.init)
            if frame == nil { shared.counters.withLock { $0.unexpectedSubscriptions += 1 } }
            // When a connection ends, libzmq reports the end of each of its subscriptions, without a descriptor.
            if let descriptor = frames.descriptor(0), let number = frames.connectionNumber(0) {
                let connection = SubscriptionAccounts.Connection(descriptor: descriptor, number: number)
                let excess = accounts.handle(frame, of: connection, at: frames.peerAddress(0) ?? "", now: now)
                if let excess { excesses.append(excess) }
            }
            if let topic = frame?.confirmation { _ = try subscribers.send([Data(topic.text.utf8)]) }
        }
        countSubscriptions()
        return excesses
    }

    /// Removes the subscriptions of the connections that have ended.
    private mutating func endAccounts(_ readers: inout AcceptedConnections, last: UInt64) throws(ZeroMQError) {
        if try readers.update(ended: { accounts.end($0, last: last) }) { subscribersHaveChanged = true }
    }

    /// Tells `FloodGuard` the descriptors of the subscribers' connections, if they have changed.
    private mutating func shareSubscribers(_ readers: borrowing AcceptedConnections) {
        guard subscribersHaveChanged else { return }
        subscribersHaveChanged = false
        let descriptors = readers.descriptors
        shared.subscribers.withLock { $0 = descriptors }
    }

    private func countProgress() {
        shared.progress.wrappingAdd(1, ordering: .relaxed)
    }

    private mutating func end(
        _ excesses: [SubscriptionExcess],
        _ readers: inout AcceptedConnections,
        last: UInt64
    ) throws(ZeroMQError) {
        for excess in excesses {
            try endAccounts(&readers, last: last)
            end(excess)
        }
    }

    /// Ends a connection; libzmq closes its descriptor when it notices.
    ///
    /// libzmq could close the descriptor between the check and the call, and use it for another connection. That one
    /// would then end, and its client connect again. Such a coincidence needs a few microseconds.
    private mutating func end(_ excess: SubscriptionExcess) {
        guard accounts.isOpen(excess.connection) else { return }
        shutdown(excess.connection.descriptor, Int32(SHUT_RDWR))
        shared.counters.withLock { $0.endedSubscribers += 1 }
        guard warnings.isDue(excess.address, now: .now) else { return }
        configuration.log.warning(
            excess.reason.warning,
            [
                .peer: excess.address, .count: excess.count, .bytes: excess.bytes,
                .limit: excess.reason == .limitsOfAll
                    ? configuration.subscriptionLimits.countOfAll : configuration.subscriptionLimits.count,
            ]
        )
    }

    /// Returns memory to the system several times after connections were ended or many subscriptions have ended.
    ///
    /// libzmq frees the memory of a connection only when it has noticed the end.
    private mutating func returnMemory() {
        let ended = shared.counters.withLock(\.endedSubscribers)
        mostSubscriptions = max(mostSubscriptions, accounts.use.count)
        if ended != endedBefore || mostSubscriptions - accounts.use.count >= BusLimits.subscriptions {
            (endedBefore, mostSubscriptions) = (ended, accounts.use.count)
            memoryReturns = Self.memoryReturns
        }
        guard memoryReturns > 0 else { return }
        memoryReturns -= 1
        Allocator.returnFreeMemory()
        countProgress()
    }

    private func countSubscriptions() {
        shared.counters.withLock { counters in
            counters.subscriptions = Int64(accounts.use.count)
            counters.subscriptionBytes = Int64(accounts.use.bytes)
        }
    }
}

extension Endpoint {
    /// The endpoint with 127.0.0.1 instead of `localhost`, because libzmq cannot listen on a host name.
    var bindable: Endpoint {
        if case .tcp("localhost", let port) = self { return .tcp(host: "127.0.0.1", port: port) }
        return self
    }
}
