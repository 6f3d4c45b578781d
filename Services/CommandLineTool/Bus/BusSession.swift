// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import MessageBus
import Telemetry
import WidgetSchema

/// A command's connection to the bus: after `init`, the bus has answered and all subscriptions are active.
///
/// A session is used by one thread, and its functions block that thread. Messages that arrive while a request waits for
/// its answer are kept for `next`, in order.
final class BusSession {
    /// The timeout for an answer of the bus; a bus that does not answer in this time counts as unreachable.
    static let timeout: Duration = .seconds(2)
    /// The timeout for answers of services.
    static let answerTimeout: Duration = .seconds(5)

    /// A value that `next` returns: a message, or a change of the connection.
    enum Event: Sendable {
        case message(BusMessage)
        /// The connection was lost and restored; messages that were published in between are missing.
        case resubscribed
        /// The closure `BusSession.end` was called, or the connection was closed.
        case ended
    }

    /// The value that the closure `end` posts to `client`, so that `next` returns `.ended`.
    private struct Ended: Sendable {}

    /// The health of the bus when the session was opened; nil only until `init` has received it.
    ///
    /// If there are two buses, it is the health of the bus that answered first.
    private(set) var bus: HealthAnswer?
    private let client: BusClient
    private let metrics: Metrics
    private var held: [Event] = []

    /// Connects to the bus, and waits until it has answered and all subscriptions are active.
    ///
    /// `subscriptions` are the prefixes of the topics to subscribe to. Throws a `CommandFailure` with the address and
    /// the remedy if the bus is unreachable.
    init(_ addresses: BusAddresses, subscriptions: [String] = []) throws {
        var configuration = BusConfiguration(addresses: addresses, subscriptions: subscriptions)
        configuration.maximumReconnectInterval = .seconds(1)
        metrics = configuration.metrics
        do {
            client = try BusClient(configuration)
        } catch {
            throw CommandFailure(.unreachable, "the bus at \(addresses.short) cannot be reached: \(error)")
        }
        guard try open(isReady: subscriptions.isEmpty) else {
            client.close()
            if let problem = HostLookup.problem(of: addresses) { throw CommandFailure(.unreachable, problem) }
            throw CommandFailure(
                .unreachable,
                "no bus answers at \(addresses.short) within \(Self.timeout.components.seconds) s; "
                    + "start one with 'tidings up', or name another with --bus or TIDINGS_BUS"
            )
        }
    }

    /// Waits until the bus has answered and all subscriptions are active; returns false if `timeout` passes first.
    ///
    /// `isReady` is true if the session has no subscriptions; this function then waits only for the answer of the bus.
    private func open(isReady: Bool) throws(CommandFailure) -> Bool {
        let deadline = ContinuousClock.now + Self.timeout
        let id = client.request(RequestTarget(.bus), HealthRequest(), deadline: Self.timeout)
        var isReady = isReady
        while bus == nil || !isReady {
            guard let input = client.nextBatch(maximum: 1, until: deadline).first else { return false }
            switch input {
            case .answer(id, let json, _):
                bus = try? WireJSON.decode(Answer<HealthAnswer>.self, from: json).get()
            case .requestFailed(id, let error) where error.code != .timedOut: throw CommandFailure(error)
            case .ready: isReady = true
            // Messages before `.ready` are dropped, because others may have been missed. After it, none is missed.
            case .message where isReady: hold(input)
            case .stopped(let error?): throw CommandFailure(.unreachable, "\(error)")
            default: continue
            }
        }
        return true
    }

    /// Sends a request to a service and waits for the result.
    func ask<Body: RequestBody>(
        _ target: RequestTarget,
        _ body: Body,
        within timeout: Duration = answerTimeout
    ) throws(CommandFailure) -> Body.Result {
        try askForContents(target, body, within: timeout).result
    }

    /// Sends a request, and returns the result with the frames that follow it in the answer, such as a picture.
    func askForContents<Body: RequestBody>(
        _ target: RequestTarget,
        _ body: Body,
        within timeout: Duration = answerTimeout
    ) throws(CommandFailure) -> (result: Body.Result, contents: [Data]) {
        let id = client.request(target, body, deadline: timeout, waitsForService: false)
        // If standard error is a terminal, a note is printed when the answer takes long.
        var noteAt = isatty(STDERR_FILENO) == 1 ? ContinuousClock.now + Self.timeout : nil
        while true {
            let batch = client.nextBatch(maximum: 1, until: noteAt)
            if batch.isEmpty {
                noteAt = nil
                Program.note("waiting for the answer of \(target) …")
            }
            for input in batch {
                switch input {
                case .answer(id, let json, let contents):
                    do {
                        return (try WireJSON.decode(Answer<Body.Result>.self, from: json).get(), contents)
                    } catch let error as RequestError {
                        throw CommandFailure(error)
                    } catch {
                        throw CommandFailure(.no, "the answer of \(target) cannot be read: \(error)")
                    }
                case .requestFailed(id, let error): throw CommandFailure(error)
                case .stopped(let error):
                    throw CommandFailure(.unreachable, error.map { "\($0)" } ?? "the connection to the bus was closed")
                default: hold(input)
                }
            }
        }
    }

    /// Waits for the next message or change of the connection, and returns it; returns nil if the deadline passes
    /// first.
    func next(until deadline: ContinuousClock.Instant? = nil) -> Event? {
        while held.isEmpty {
            let batch = client.nextBatch(until: deadline)
            if batch.isEmpty { return nil }
            for input in batch { hold(input) }
        }
        return held.removeFirst()
    }

    private func hold(_ input: BusInput) {
        switch input {
        case .message(let topic, let frames): held.append(.message(BusMessage(topic: topic, frames: frames)))
        case .resubscribed: held.append(.resubscribed)
        case .posted(is Ended), .stopped: held.append(.ended)
        default: break
        }
    }

    /// A closure that makes `next` return `.ended`; it may be called on any thread.
    var end: @Sendable () -> Void { { [client] in client.post(Ended()) } }

    /// The number of messages that were dropped since the session began, because they were not read in time.
    var dropped: Int64 { metrics.limitsHit()["bus.messagesWaiting"] ?? 0 }

    func close() { client.close() }
}
