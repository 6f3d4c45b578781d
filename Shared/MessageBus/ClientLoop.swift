// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import Foundation
internal import Locking
internal import Telemetry
internal import WidgetSchema

/// The loop of a client's thread.
///
/// Only this thread uses the sockets, except those of the publishers. libzmq passes some of its work to this thread, so
/// the thread waits for the sockets even if there is nothing to send.
struct ClientLoop {
    /// The indices of one bus's sockets in the poll set.
    private struct Indices {
        let requests: PollSet.Index
        let connections: PollSet.Index
        let publisherConnections: PollSet.Index
        let publisher: PollSet.Index
        let subscriber: PollSet.Index
    }

    /// The sockets of one bus, with a flag for each socket that indicates whether it has something to read.
    private struct ReadableLink {
        let link: BusLink
        let requests: Bool
        let connections: Bool
        let publisherConnections: Bool
        let publisher: Bool
        let subscriber: Bool

        init(_ link: BusLink, _ poll: borrowing PollSet, _ indices: Indices) {
            self.link = link
            requests = poll.canRead(indices.requests)
            connections = poll.canRead(indices.connections)
            publisherConnections = poll.canRead(indices.publisherConnections)
            publisher = poll.canRead(indices.publisher)
            subscriber = poll.canRead(indices.subscriber)
        }
    }

    private let configuration: BusConfiguration
    private let exchange: Exchange
    private let readyTopic: Topic
    private var core: ClientGroupCore
    private var merger = MessageMerger()
    private var isStopping = false
    /// The indices of the buses at which messages are published now.
    private var publishedAt: [Int] = []
    /// The detector of a hanging service thread; nil if the client is not registered.
    private var readerWatch: ReaderWatch?

    private let received: Counter
    private let merged: Counter
    private let inboxLimit: Counter
    private let unexpected: Counter
    private let connected: Gauge

    init(_ configuration: BusConfiguration, _ exchange: Exchange) {
        self.configuration = configuration
        self.exchange = exchange
        readyTopic = .ready(nonce: configuration.nonce)
        let metrics = configuration.metrics
        core = ClientGroupCore(
            configuration,
            now: .now,
            metrics: { metrics.reading() },
            role: { exchange.role.withLock(\.self) }
        )
        if configuration.registration != nil {
            readerWatch = ReaderWatch(
                timeout: configuration.readerTimeout,
                interval: min(configuration.heartbeatInterval, configuration.readerTimeout / 4)
            )
        }
        received = metrics.counter("bus.received")
        merged = metrics.counter("bus.secondCopies")
        unexpected = metrics.counter("bus.unexpectedFrames")
        connected = metrics.gauge("bus.connected")
        inboxLimit = metrics.limit("bus.messagesWaiting")
    }

    /// Runs until the client is closed or a socket fails.
    ///
    /// Calls `started` once: with nil when all sockets have begun to connect, or with the error if a socket cannot be
    /// opened or connected.
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
            outbox.publishers = []
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

    /// Opens the sockets and runs the loop until the client is closed.
    ///
    /// Calls `started` once, when all sockets have begun to connect. If a socket cannot be opened or connected, throws
    /// without calling `started`. When `serve` returns or throws, the sockets are closed. libzmq then continues to send
    /// pending messages for at most `BusConfiguration.linger`.
    private mutating func serve(started: () -> Void) throws(ZeroMQError) {
        let context = try ZeroMQContext()
        var links: [BusLink] = []
        for number in configuration.addresses.all.indices {
            links.append(try BusLink(number, configuration, in: context))
        }
        var poll = PollSet()
        let flagIndex = poll.add(exchange.flag)
        var entries: [(link: BusLink, indices: Indices)] = []
        for link in links {
            let indices = Indices(
                requests: poll.add(link.requests),
                connections: poll.add(link.connections),
                publisherConnections: poll.add(link.publisherConnections),
                publisher: poll.add(descriptor: link.publisher.descriptor),
                subscriber: poll.add(link.subscriber)
            )
            entries.append((link, indices))
        }
        var frames = FrameBuffer()
        for link in links { try link.connect() }
        updatePublishers(links)
        // Other threads may still refer to the publishers, but all sockets must be closed by this thread.
        defer { for link in links { link.publisher.close() } }
        started()

        while !isStopping {
            try poll.wait(milliseconds: pollTimeout)
            let now = ContinuousClock.now
            for (link, indices) in entries { try read(&frames, ReadableLink(link, poll, indices), links, now: now) }
            if poll.canRead(flagIndex) {
                exchange.flag.lower()
                try obeyCommands(links, now: now)
            }
            try watchReader(links, now: now)
            if let due = core.nextDue, due <= now { try pass(.all(.tick), links, now: now) }
            for (link, indices) in entries { poll.waitForRoom(indices.requests, link.hasUnsent) }
        }
    }

    /// Reads the messages that have arrived from one bus.
    private mutating func read(
        _ frames: inout FrameBuffer,
        _ readable: ReadableLink,
        _ links: [BusLink],
        now: ContinuousClock.Instant
    ) throws(ZeroMQError) {
        let link = readable.link
        if readable.connections {
            while try frames.receive(from: link.connections) {
                guard let event = frames.withBytes(0, ConnectionEvent.init) else { continue }
                if event == .disconnected { link.disconnected() }
                let input: ClientCore.Input = event == .connected ? .connected : .disconnected
                try pass(.one(link.number, input), links, now: now)
                connected.set(Int64(core.connectedCount))
            }
        }
        if readable.publisherConnections {
            while try frames.receive(from: link.publisherConnections) {
                // A connection counts from the bus's subscription on, which the publisher itself receives.
                guard frames.withBytes(0, ConnectionEvent.init) == .disconnected else { continue }
                try pass(.one(link.number, .publisherDisconnected), links, now: now)
            }
        }
        if readable.publisher, try link.publisher.readSubscriptions() {
            try pass(.one(link.number, .publisherSubscribed), links, now: now)
        }
        if readable.subscriber { try receive(&frames, from: link, links, now: now) }
        if readable.requests {
            var budget = BusLimits.batch
            while budget > 0, try frames.receive(from: link.requests) {
                budget -= 1
                guard !frames.isOverfull else {
                    unexpected.increment()
                    continue
                }
                try pass(.one(link.number, .received(frames.data(from: 0))), links, now: now)
            }
        }
        if link.hasUnsent { try link.sendAgain() }
    }

    /// The maximum time to wait for the sockets, in milliseconds; -1 means no limit.
    private var pollTimeout: Int {
        earliest(core.nextDue, readerWatch?.nextLook).map { max(0, ($0 - .now).millisecondsRoundedUp) } ?? -1
    }

    private mutating func watchReader(_ links: [BusLink], now: ContinuousClock.Instant) throws(ZeroMQError) {
        guard var watch = readerWatch, watch.nextLook.map({ $0 <= now }) ?? true else { return }
        let (didHang, silence) = (watch.isHanging, watch.silence)
        watch.look(exchange.inbox.reading, now: now)
        readerWatch = watch
        guard watch.isHanging != didHang else { return }
        if watch.isHanging {
            configuration.log.error(
                "The service's thread hangs. Health requests are not answered until the thread continues.",
                [.milliseconds: watch.silence.millisecondsRoundedUp]
            )
        } else {
            configuration.log.notice(
                "The service's thread no longer hangs.",
                [.milliseconds: silence.millisecondsRoundedUp]
            )
        }
        try pass(.all(.readerHangs(watch.isHanging)), links, now: now)
    }

    private mutating func receive(
        _ frames: inout FrameBuffer,
        from link: BusLink,
        _ links: [BusLink],
        now: ContinuousClock.Instant
    ) throws(ZeroMQError) {
        var budget = BusLimits.batch
        var dropped: Int64 = 0
        var count: Int64 = 0
        var copies: Int64 = 0
        while budget > 0, try frames.receive(from: link.subscriber) {
            budget -= 1
            let topic = Topic(frames.withBytes(0) { String(decoding: $0, as: UTF8.self) })
            if topic == readyTopic {
                try pass(.one(link.number, .echoed), links, now: now)
                continue
            }
            guard !frames.isOverfull else {
                unexpected.increment()
                continue
            }
            if links.count > 1, !merger.isNew(Self.hash(frames), from: link.number, now: now) {
                copies += 1
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
        if copies > 0 { merged.increment(by: copies) }
        if dropped > 0 { inboxLimit.increment(by: dropped) }
    }

    /// Returns the hash of a message's topic and event.
    ///
    /// Contents need not be hashed, because the event contains their digests.
    private static func hash(_ frames: borrowing FrameBuffer) -> Int {
        var hasher = Hasher()
        for index in 0..<min(2, frames.count) {
            frames.withBytes(index) { bytes in
                hasher.combine(bytes.count)
                hasher.combine(bytes: bytes)
            }
        }
        return hasher.finalize()
    }

    private mutating func obeyCommands(_ links: [BusLink], now: ContinuousClock.Instant) throws(ZeroMQError) {
        let commands = exchange.outbox.withLock { $0.take() }
        var sent = 0
        for command in commands {
            switch command {
            case .publish(let topic, let frames):
                sent += 1
                for link in links where core.publishes(at: link.number) {
                    guard try link.publisher.publish(topic, frames) else { continue }
                    try pass(.one(link.number, .publisherSubscribed), links, now: now)
                }
            case .core(let input):
                try pass(input, links, now: now)
            case .fail(let error): throw error
            case .stop:
                try pass(.all(.stop), links, now: now)
                isStopping = true
            }
        }
        if sent > 0 { exchange.outbox.withLock { $0.queuedPublications -= sent } }
    }

    /// Tells other threads at which buses messages are published now.
    private mutating func updatePublishers(_ links: [BusLink]) {
        let numbers = links.indices.filter(core.publishes)
        guard numbers != publishedAt else { return }
        publishedAt = numbers
        exchange.outbox.withLock { outbox in outbox.publishers = numbers.map { links[$0].publisher } }
    }

    private mutating func pass(
        _ input: ClientGroupCore.Input,
        _ links: [BusLink],
        now: ContinuousClock.Instant
    ) throws(ZeroMQError) {
        // Not in one expression: `obey` would then be called on a copy of the loop, and the core would have to copy
        // its tables when it changes.
        let actions = core.handle(input, now: now)
        updatePublishers(links)
        try obey(actions, links)
    }

    private func obey(_ actions: [ClientGroupCore.Action], _ links: [BusLink]) throws(ZeroMQError) {
        for action in actions {
            switch action {
            case .one(let bus, .send(let frames)): try links[bus].send(frames)
            case .one(let bus, .askForEcho): links[bus].askForEcho()
            case .deliver(let input), .one(_, .deliver(let input)): deliver(input)
            case .count(let name), .one(_, .count(let name)): configuration.metrics.counter(name).increment()
            }
        }
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
        case .ready, .registrationRefused, .resubscribed, .publisherConnected, .message, .posted, .stopped:
            break
        }
        if case .request = input { return }
        exchange.inbox.post(input)
    }
}
