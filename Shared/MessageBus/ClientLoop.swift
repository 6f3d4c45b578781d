// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import Foundation
internal import Synchronization
internal import Telemetry
internal import WidgetSchema

/// The loop of a client's thread.
///
/// Only this thread uses the sockets, and it polls them even when there is nothing to send.
struct ClientLoop {
    /// A command from another thread.
    enum Command: Sendable {
        case publish(Topic, [Data])
        case core(ClientCore.Input)
        case stop
    }

    /// The state that the thread shares with other threads.
    final class Exchange: Sendable {
        struct Outbox {
            var commands: [Command] = []
            var isClosed = false
        }

        let outbox = Mutex(Outbox())
        let flag: EventFlag
        let inbox: Inbox<BusInput>
        /// Tasks that wait for the answer to one request, which therefore does not go to the inbox.
        let awaited = Mutex<[RequestID: CheckedContinuation<(Data, [Data]), any Error>]>([:])
        let isReady = Atomic(false)

        init(_ configuration: BusConfiguration) throws(ZeroMQError) {
            flag = try EventFlag()
            inbox = Inbox(
                maximumCount: configuration.maximumWaiting,
                maximumBytes: configuration.maximumWaitingBytes
            )
        }

        /// Adds a command; returns false if the client is closed.
        @discardableResult
        func put(_ command: Command) -> Bool {
            let (taken, wasEmpty) = outbox.withLock { outbox in
                guard !outbox.isClosed else { return (false, false) }
                let wasEmpty = outbox.commands.isEmpty
                outbox.commands.append(command)
                if case .stop = command { outbox.isClosed = true }
                return (true, wasEmpty)
            }
            if wasEmpty { flag.raise() }
            return taken
        }
    }

    private let configuration: BusConfiguration
    private let exchange: Exchange
    private let rules = PublicationRules()
    private var core: ClientCore
    /// Messages published before the publisher's first connection.
    private var held: [(topic: Topic, frames: [Data])] = []
    private var isPublisherConnected = false
    /// Messages for which the request socket had no space.
    private var unsent: [[Data]] = []
    private var isStopping = false
    /// Looks after the thread of a service; a client that is none has no such thread.
    private var readerWatch: ReaderWatch?

    private let published: Counter
    private let received: Counter
    private let inboxLimit: Counter
    private let heldLimit: Counter
    private let unsentLimit: Counter
    private let unexpected: Counter

    init(_ configuration: BusConfiguration, _ exchange: Exchange) {
        self.configuration = configuration
        self.exchange = exchange
        let metrics = configuration.metrics
        core = ClientCore(configuration, now: .now, metrics: { metrics.reading() })
        if configuration.registration != nil {
            readerWatch = ReaderWatch(
                timeout: configuration.readerTimeout,
                interval: min(configuration.heartbeatInterval, configuration.readerTimeout / 4)
            )
        }
        published = metrics.counter("bus.published")
        received = metrics.counter("bus.received")
        unexpected = metrics.counter("bus.unexpectedFrames")
        inboxLimit = metrics.limit("bus.messagesWaiting")
        heldLimit = metrics.limit("bus.messagesHeld")
        unsentLimit = metrics.limit("bus.requestsUnsent")
    }

    /// Runs until the client is closed.
    ///
    /// Calls `started` once: when the sockets have begun to connect, or with the error.
    mutating func run(started: (ZeroMQError?) -> Void) {
        var isStarted = false
        do throws(ZeroMQError) {
            try serve {
                isStarted = true
                started(nil)
            }
            end(nil)
        } catch {
            if !isStarted { started(error) }
            configuration.log.error("The connection to the bus failed.", error: error)
            end(error)
        }
    }

    private func end(_ error: ZeroMQError?) {
        exchange.outbox.withLock { outbox in
            outbox.isClosed = true
            outbox.commands = []
        }
        let waiting = exchange.awaited.withLock { awaited in
            defer { awaited = [:] }
            return awaited
        }
        for continuation in waiting.values {
            continuation.resume(throwing: RequestError(.timedOut, "The client of the bus was closed."))
        }
        exchange.inbox.post(.stopped(error))
        exchange.inbox.finish()
    }

    /// The sockets close when this returns; pending messages are still sent for the linger time.
    private mutating func serve(started: () -> Void) throws(ZeroMQError) {
        let context = try ZeroMQContext()
        let settings = configuration.settings
        var subscriberSettings = settings
        // With a limit, subscriptions beyond it would be dropped silently.
        subscriberSettings.sendLimit = 0
        let requests = try ZeroMQSocket(.dealer, in: context, settings: settings)
        let connections = try requests.connectionEvents()
        // Every client has both sockets, which costs a descriptor but keeps a single loop; an unused socket stays
        // unconnected.
        let publisher = try ZeroMQSocket(.xpub, in: context, settings: settings)
        let subscriber = try ZeroMQSocket(.sub, in: context, settings: subscriberSettings)

        var poll = PollSet()
        let flagIndex = poll.add(exchange.flag)
        let requestsIndex = poll.add(requests)
        let connectionsIndex = poll.add(connections)
        let publisherIndex = poll.add(publisher)
        let subscriberIndex = poll.add(subscriber)
        var frames = FrameBuffer()

        try requests.connect(to: configuration.address.request)
        if configuration.publishes { try publisher.connect(to: configuration.address.publish) }
        if !configuration.subscriptions.isEmpty {
            try subscriber.connect(to: configuration.address.subscribe)
            for prefix in configuration.subscriptions { subscriber.subscribe(to: prefix) }
            // The last subscription, so that its echo proves those before it.
            subscriber.subscribe(to: readyTopic.text)
        }
        started()

        while !isStopping {
            try poll.wait(milliseconds: patience)
            let now = ContinuousClock.now
            if poll.canRead(connectionsIndex) {
                while try frames.receive(from: connections) {
                    guard let event = frames.withBytes(0, ConnectionEvent.init) else { continue }
                    if event == .disconnected { unsent = [] }
                    try obey(
                        core.handle(event == .connected ? .connected : .disconnected, now: now),
                        requests,
                        subscriber
                    )
                }
            }
            if poll.canRead(publisherIndex) {
                while try frames.receive(from: publisher) {
                    guard frames.count == 1, frames.data(0) == BusFrames.subscribeToEverything else { continue }
                    isPublisherConnected = true
                    for (topic, frames) in held { try send(topic, frames, publisher) }
                    held = []
                    try obey(core.handle(.publisherSubscribed, now: now), requests, subscriber)
                }
            }
            if poll.canRead(subscriberIndex) {
                try receive(&frames, now: now, requests, subscriber)
            }
            if poll.canRead(requestsIndex) {
                var budget = BusLimits.batch
                while budget > 0, try frames.receive(from: requests) {
                    budget -= 1
                    guard !frames.isOverfull else {
                        unexpected.increment()
                        continue
                    }
                    try obey(core.handle(.received(frames.data(from: 0)), now: now), requests, subscriber)
                }
            }
            if !unsent.isEmpty { try sendAgain(requests) }
            if poll.canRead(flagIndex) {
                exchange.flag.lower()
                try obeyCommands(now: now, publisher, requests, subscriber)
            }
            try watchReader(now: now, requests, subscriber)
            if let due = core.nextDue, due <= now {
                try obey(core.handle(.tick, now: now), requests, subscriber)
            }
            poll.waitForRoom(requestsIndex, !unsent.isEmpty)
        }
    }

    private var readyTopic: Topic { .ready(nonce: configuration.nonce) }

    /// The maximum wait between polls of the sockets, in milliseconds: libzmq does some of its work only then.
    private static let longestWait = 1000

    private var patience: Int {
        guard let due = [core.nextDue, readerWatch?.nextLook].compactMap(\.self).min() else { return Self.longestWait }
        return max(0, min(Self.longestWait, (due - .now).millisecondsRoundedUp))
    }

    private mutating func watchReader(
        now: ContinuousClock.Instant,
        _ requests: borrowing ZeroMQSocket,
        _ subscriber: borrowing ZeroMQSocket
    ) throws(ZeroMQError) {
        guard var watch = readerWatch, watch.nextLook.map({ $0 <= now }) ?? true else { return }
        let (didHang, silence) = (watch.isHanging, watch.silence)
        watch.look(exchange.inbox.reading, now: now)
        readerWatch = watch
        guard watch.isHanging != didHang else { return }
        if watch.isHanging {
            configuration.log.error(
                "The service's thread hangs; its health is not answered until it comes back.",
                [.milliseconds: watch.silence.millisecondsRoundedUp]
            )
        } else {
            configuration.log.notice(
                "The service's thread has come back.",
                [.milliseconds: silence.millisecondsRoundedUp]
            )
        }
        try obey(core.handle(.readerHangs(watch.isHanging), now: now), requests, subscriber)
    }

    private mutating func receive(
        _ frames: inout FrameBuffer,
        now: ContinuousClock.Instant,
        _ requests: borrowing ZeroMQSocket,
        _ subscriber: borrowing ZeroMQSocket
    ) throws(ZeroMQError) {
        var budget = BusLimits.batch
        var dropped: Int64 = 0
        var count: Int64 = 0
        while budget > 0, try frames.receive(from: subscriber) {
            budget -= 1
            let topic = Topic(frames.withBytes(0) { String(decoding: $0, as: UTF8.self) })
            if topic == readyTopic {
                try obey(core.handle(.echoed, now: now), requests, subscriber)
                continue
            }
            guard !frames.isOverfull else {
                unexpected.increment()
                continue
            }
            count += 1
            var bytes = 0
            for index in 0..<frames.count { bytes += frames.size(index) }
            if !exchange.inbox.offer(.message(topic: topic, frames: frames.data(from: 1)), bytes: bytes) {
                dropped += 1
            }
        }
        received.increment(by: count)
        if dropped > 0 { inboxLimit.increment(by: dropped) }
    }

    private mutating func obeyCommands(
        now: ContinuousClock.Instant,
        _ publisher: borrowing ZeroMQSocket,
        _ requests: borrowing ZeroMQSocket,
        _ subscriber: borrowing ZeroMQSocket
    ) throws(ZeroMQError) {
        let commands = exchange.outbox.withLock { outbox in
            defer { outbox.commands = [] }
            return outbox.commands
        }
        for command in commands {
            switch command {
            case .publish(let topic, let frames):
                if isPublisherConnected {
                    try send(topic, frames, publisher)
                } else if held.count < configuration.maximumHeld {
                    held.append((topic, frames))
                } else {
                    heldLimit.increment()
                }
            case .core(let input):
                try obey(core.handle(input, now: now), requests, subscriber)
            case .stop:
                try obey(core.handle(.stop, now: now), requests, subscriber)
                isStopping = true
            }
        }
    }

    private func send(
        _ topic: Topic,
        _ frames: [Data],
        _ publisher: borrowing ZeroMQSocket
    ) throws(ZeroMQError) {
        published.increment()
        // An XPUB socket drops messages above its limit silently, and never blocks.
        _ = try publisher.send([Data(topic.text.utf8)] + frames)
    }

    private mutating func obey(
        _ actions: [ClientCore.Action],
        _ requests: borrowing ZeroMQSocket,
        _ subscriber: borrowing ZeroMQSocket
    ) throws(ZeroMQError) {
        for action in actions {
            switch action {
            case .send(let frames):
                if unsent.isEmpty, try requests.send(frames) == .sent { continue }
                if unsent.count < Int(BusLimits.requestQueue) {
                    unsent.append(frames)
                } else {
                    unsentLimit.increment()
                }
            case .deliver(let input):
                deliver(input)
            case .askForEcho:
                subscriber.unsubscribe(from: readyTopic.text)
                subscriber.subscribe(to: readyTopic.text)
            case .count(let name):
                configuration.metrics.counter(name).increment()
            }
        }
    }

    private mutating func sendAgain(_ requests: borrowing ZeroMQSocket) throws(ZeroMQError) {
        var sent = 0
        for frames in unsent {
            guard try requests.send(frames) == .sent else { break }
            sent += 1
        }
        unsent.removeFirst(sent)
    }

    private func deliver(_ input: BusInput) {
        switch input {
        case .request(let request):
            if !exchange.inbox.offer(input, bytes: request.json.count) { inboxLimit.increment() }
        case .answer(let id, let json, let contents):
            guard let continuation = exchange.awaited.withLock({ $0.removeValue(forKey: id) }) else { break }
            return continuation.resume(returning: (json, contents))
        case .requestFailed(let id, let error):
            guard let continuation = exchange.awaited.withLock({ $0.removeValue(forKey: id) }) else { break }
            return continuation.resume(throwing: error)
        case .ready:
            exchange.isReady.store(true, ordering: .releasing)
        case .registrationRefused, .resubscribed, .publisherConnected, .message, .posted, .stopped:
            break
        }
        if case .request = input { return }
        exchange.inbox.post(input)
    }
}
