// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import CMosquitto
import Foundation
import Locking
import ServiceRuntime
import WidgetSchema

/// A connection to a broker with its own thread, which connects again after each failure.
///
/// Messages are published only while the broker accepts them; nothing waits in memory for a later connection.
final class MQTTLink: Sendable {
    enum Event: Sendable {
        /// The broker has accepted the client, and the subscriptions are sent.
        case connected
        /// The time for kept messages has passed.
        case overdue
        case received(MQTTMessage)
        /// There is no connection; the link tries again.
        case disconnected(reason: String)
    }

    /// The result of a publication.
    enum Publication: Hashable, Sendable {
        /// The broker has acknowledged all messages.
        case acknowledged
        /// Nothing was sent.
        case notSent(reason: String)
        /// The connection ended before the broker acknowledged all messages.
        case unknown(reason: String)
    }

    typealias Completion = @Sendable (Publication) -> Void

    /// The messages of one call of `publish`.
    struct Batch: Sendable {
        let messages: [MQTTMessage]
        let completion: Completion
    }

    struct Mailbox {
        var batches: [Batch] = []
        var isConnected = false
        var isStopping = false
        var reason = "The connection to the broker is not established yet"
    }

    private let mailbox = Lock(Mailbox())
    private let wake: Int32

    /// Creates a link and starts its thread; nil if the process has no descriptors left.
    ///
    /// `onEvent` is called on the thread of the link and must not block.
    init?(_ configuration: MQTTConfiguration, named name: String, onEvent: @escaping @Sendable (Event) -> Void) {
        _ = libraryInitialisation
        wake = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        guard wake >= 0 else { return nil }
        ServiceThread.start(named: name) { self.run(configuration, onEvent) }
    }

    deinit {
        if wake >= 0 { close(wake) }
    }

    /// Publishes messages in order with the quality of service 1, and calls `completion` exactly once.
    func publish(_ messages: [MQTTMessage], completion: @escaping Completion) {
        let problem = mailbox.withLock { mailbox -> String? in
            guard mailbox.isConnected, !mailbox.isStopping else { return mailbox.reason }
            mailbox.batches.append(Batch(messages: messages, completion: completion))
            return nil
        }
        if let problem { completion(.notSent(reason: problem)) } else { raise() }
    }

    /// Ends the connection; the broker publishes that this client is offline.
    func stop() {
        mailbox.withLock {
            $0.isStopping = true
            $0.reason = "The connection to the broker was stopped"
        }
        raise()
    }

    private func raise() {
        var one: UInt64 = 1
        _ = write(wake, &one, MemoryLayout<UInt64>.size)
    }

    // MARK: The thread

    private func run(_ configuration: MQTTConfiguration, _ onEvent: @Sendable (Event) -> Void) {
        var backOff = MQTTConfiguration.minimumBackOff
        while !mailbox.withLock(\.isStopping) {
            let connection = MQTTConnection(configuration)
            let wasAccepted = serve(connection, onEvent)
            // The core decides what is sent again: nothing of an old connection must be sent by a new one.
            let reason = connection.close()
            let dropped = mailbox.withLock { mailbox in
                mailbox.isConnected = false
                if !mailbox.isStopping { mailbox.reason = reason }
                defer { mailbox.batches = [] }
                return mailbox.batches
            }
            for batch in dropped { batch.completion(.notSent(reason: reason)) }
            onEvent(.disconnected(reason: reason))
            if wasAccepted { backOff = MQTTConfiguration.minimumBackOff }
            wait(for: backOff)
            backOff = Self.next(after: backOff)
        }
    }

    /// Serves a connection until it ends; returns whether the broker had accepted it.
    private func serve(_ connection: MQTTConnection, _ onEvent: @Sendable (Event) -> Void) -> Bool {
        guard connection.open() else { return false }
        var wasAccepted = false
        var isReading = true
        let opened = ContinuousClock.now
        while connection.isOpen {
            let (batches, isStopping) = mailbox.withLock { mailbox in
                defer { mailbox.batches = [] }
                return (mailbox.batches, mailbox.isStopping)
            }
            if isStopping { connection.disconnect() }
            for batch in batches { connection.publish(batch) }
            connection.work(wake: wake)
            if connection.isAccepted, !wasAccepted {
                wasAccepted = true
                connection.subscribe()
                mailbox.withLock { $0.isConnected = true }
                onEvent(.connected)
            }
            for message in connection.takeReceived() { onEvent(.received(message)) }
            let age = ContinuousClock.now - opened
            if !wasAccepted, age > MQTTConfiguration.acceptanceTimeout {
                connection.fail("The broker accepted no connection within \(MQTTConfiguration.acceptanceTimeout)")
            }
            if wasAccepted, isReading, age > MQTTConfiguration.acceptanceTimeout + MQTTConfiguration.readingTimeout {
                isReading = false
                onEvent(.overdue)
            }
        }
        return wasAccepted
    }

    private func wait(for duration: Duration) {
        let end = ContinuousClock.now + duration
        while !mailbox.withLock(\.isStopping), case let rest = end - .now, rest > .zero {
            var descriptor = pollfd(fd: wake, events: Int16(POLLIN), revents: 0)
            poll(&descriptor, 1, Int32(clamping: rest.components.seconds * 1000 + 1000))
            MQTTConnection.lower(wake)
        }
    }

    /// Returns a random pause between the minimum and three times the last one ("decorrelated jitter").
    private static func next(after last: Duration) -> Duration {
        let minimum = MQTTConfiguration.minimumBackOff.wholeMilliseconds
        let maximum = min(3 * last.wholeMilliseconds, MQTTConfiguration.maximumBackOff.wholeMilliseconds)
        return .milliseconds(Int64.random(in: minimum...max(minimum, maximum)))
    }
}

/// The result of libmosquitto's global initialisation, which runs once per process.
private let libraryInitialisation = mosquitto_lib_init()
