// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

public import Foundation
internal import Locking
internal import Synchronization
internal import Telemetry
public import WidgetSchema

/// A client of one or two buses, with its own thread: it publishes, subscribes, sends requests and answers requests.
///
/// With two buses, everything is published on both, and a message that arrives on both is delivered once. A request
/// also goes to the other bus if the first one does not answer in time. All methods may be called from any thread.
/// Everything from the bus, except the answers to `ask`, arrives in one inbox. The inbox has one reader: either a
/// service's thread that calls `nextBatch`, or a task that reads `inputs`. The client connects and reconnects in the
/// background. After a reconnect, the inbox contains `.resubscribed`, and the owner must catch up on missed messages.
public final class BusClient: Sendable {
    private let exchange: ClientLoop.Exchange
    private let configuration: BusConfiguration
    private let rules = PublicationRules()
    private let published: Counter
    private let refused: Counter
    private let requestCounter = Atomic<UInt64>(0)
    private let thread = DispatchGroup()

    /// Starts the thread and waits until its sockets exist, which takes some tenths of a millisecond.
    ///
    /// The owner must call `close`. Throws `BusAddressError` if an address has the host `*` or the port 0, to which no
    /// client can connect. Throws `ZeroMQError` if the process has no descriptors left. Tasks use `withBusClient`
    /// instead.
    public convenience init(_ configuration: BusConfiguration) throws {
        let started = Self.makeStartReport()
        try self.init(configuration, started: started)
        if case .failed(let error) = started.nextBatch(maximum: 1, until: nil).first { throw error }
    }

    /// Creates a client without blocking the calling task; otherwise like `init`.
    static func open(_ configuration: BusConfiguration) async throws -> BusClient {
        let started = makeStartReport()
        let client = try BusClient(configuration, started: started)
        if case .failed(let error) = await started.next() { throw error }
        return client
    }

    private enum Start: Sendable {
        case succeeded
        case failed(ZeroMQError)
    }

    private static func makeStartReport() -> Inbox<Start> { Inbox(maximumCount: 1, maximumBytes: 0) }

    private init(_ configuration: BusConfiguration, started: Inbox<Start>) throws {
        try configuration.check()
        let exchange = try ClientLoop.Exchange(configuration)
        self.exchange = exchange
        self.configuration = configuration
        published = configuration.metrics.counter("bus.published")
        refused = configuration.metrics.limit("bus.frameBytes")
        let group = thread
        group.enter()
        let thread = Thread {
            var loop = ClientLoop(configuration, exchange)
            loop.run { error in started.post(error.map(Start.failed) ?? .succeeded) }
            group.leave()
        }
        thread.name = "bus"
        thread.start()
    }

    deinit {
        exchange.put(.stop)
    }

    // MARK: Publishing

    /// Publishes one message, which consists of the topic, the event's JSON and any number of content frames.
    ///
    /// The messages of one thread are sent in the order of its calls. Messages that are published before the first
    /// connection are sent once the client is connected.
    ///
    /// Returns false if the client is closed, or if its socket fails. Also returns false if the bus would reject the
    /// message, because its topic is unknown, or because the number or the size of its frames is not allowed for the
    /// topic. Such a rejection is logged and counted.
    @discardableResult
    public func publish(_ topic: Topic, _ frames: [Data]) -> Bool {
        precondition(configuration.publishes, "a client publishes only if its configuration says so")
        if let refusal = rules.refusal(topic, frames) {
            refused.increment()
            configuration.log.error(
                "A message was not published, because the bus would reject it.",
                [.topic: topic.text, .reason: refusal.rawValue, .bytes: frames.map(\.count).max() ?? 0]
            )
            return false
        }
        guard exchange.publish(topic, frames) else { return false }
        published.increment()
        return true
    }

    // MARK: Batches

    /// Begins a batch of messages, requests and answers, so that they wake the client's thread less often.
    ///
    /// The first of them is sent at once, and the others when `endBatch` is called; a long batch is sent in parts. Only one
    /// thread may use batches, and it must end each one. What other threads send in the meantime may also wait for the
    /// end.
    public func beginBatch() { exchange.setBatch(true) }

    /// Ends the batch and sends the commands that still wait.
    public func endBatch() { exchange.setBatch(false) }

    // MARK: Requests

    private func makeRequestID() -> RequestID {
        let counter = requestCounter.wrappingAdd(1, ordering: .relaxed).newValue
        guard let id = RequestID(rawValue: "\(configuration.nonce)-\(counter)") else {
            preconditionFailure("the nonce '\(configuration.nonce)' must be 1 to 64 letters, digits or '-'")
        }
        return id
    }

    /// Sends a request to a service and returns the id of the request.
    ///
    /// The answer arrives as `.answer` or `.requestFailed` with this id. The request is sent again with the same id
    /// every second, and at once after a reconnect, until an answer arrives or the duration `deadline` has passed.
    ///
    /// `waitsForService` only matters if the service has no live instance. If it is true, the client retries the
    /// request for the duration `deadline`. If it is false, the request fails at once.
    @discardableResult
    public func request<Body: RequestBody>(
        _ target: RequestTarget,
        _ body: Body,
        deadline: Duration,
        waitsForService: Bool = true
    ) -> RequestID {
        let id = makeRequestID()
        do throws(RequestError) {
            let request = OutgoingRequest(
                id: id,
                target: target,
                json: try encode(body, deadline: deadline),
                now: .now,
                timeout: deadline,
                waitsForService: waitsForService
            )
            if !exchange.put(.core(.all(.ask(request)))) { throw Self.closedError }
        } catch {
            exchange.inbox.post(.requestFailed(id, error))
        }
        return id
    }

    /// Sends a request to a service and waits for the result with its contents.
    ///
    /// Throws the service's `RequestError` if the service answers with an error. If no answer arrives within the
    /// duration `deadline`, throws a `RequestError` with the code `timedOut`, or `unavailable` if the service had no
    /// live instance. Cancelling the task only ends the wait: the service may execute the request nevertheless.
    public func ask<Body: RequestBody>(
        _ target: RequestTarget,
        _ body: Body,
        deadline: Duration,
        waitsForService: Bool = true
    ) async throws -> (result: Body.Result, contents: [Data]) {
        let id = makeRequestID()
        let request = OutgoingRequest(
            id: id,
            target: target,
            json: try encode(body, deadline: deadline),
            now: .now,
            timeout: deadline,
            waitsForService: waitsForService
        )
        let (json, contents) = try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isWaiting = exchange.awaited.withLock { awaited in
                    if Task.isCancelled { return false }
                    awaited[id] = continuation
                    return true
                }
                guard isWaiting else { return continuation.resume(throwing: CancellationError()) }
                if !exchange.put(.core(.all(.ask(request)))) { stopAwaiting(id, Self.closedError) }
            }
        } onCancel: {
            stopAwaiting(id, CancellationError())
            exchange.put(.core(.all(.forget(id))))
        }
        return (try WireJSON.decode(Answer<Body.Result>.self, from: json).get(), contents)
    }

    private func stopAwaiting(_ id: RequestID, _ error: any Error) {
        exchange.awaited.withLock { $0.removeValue(forKey: id) }?.resume(throwing: error)
    }

    private static var closedError: RequestError { RequestError(.failed, "The client of the bus was closed.") }

    private func encode<Body: RequestBody>(_ body: Body, deadline: Duration) throws(RequestError) -> Data {
        let json: Data
        do {
            json = try WireJSON.encode(Request(body, deadlineMilliseconds: deadline.millisecondsRoundedUp))
        } catch {
            throw RequestError(.malformed, "The request '\(Body.name)' cannot be sent: \(error).")
        }
        guard json.count <= MessageLimits.maximumFrame else {
            refused.increment()
            throw RequestError(
                .malformed,
                "The request '\(Body.name)' has \(json.count) bytes; the maximum is \(MessageLimits.maximumFrame)."
            )
        }
        return json
    }

    // MARK: Answers

    /// Answers a request with the encoded result `json`, in the form `{"result": …}`, and with `contents`.
    ///
    /// If the answer is too large for the bus, the requester gets an error instead, and a metric counts the answer.
    public func reply(to request: IncomingRequest, json: Data, contents: [Data] = []) {
        let largest = contents.reduce(json.count) { max($0, $1.count) }
        guard largest <= MessageLimits.maximumFrame, contents.count <= Self.maximumContents else {
            refused.increment()
            return reply(
                to: request,
                error: RequestError(
                    .failed,
                    "The answer has \(contents.count) contents, and its largest frame has \(largest) bytes; the "
                        + "maximum is \(Self.maximumContents) contents and \(MessageLimits.maximumFrame) bytes. Ask for less."
                )
            )
        }
        let answer = ClientCore.Input.reply(route: request.route, id: request.id, json: json, contents: contents)
        exchange.put(.core(.one(request.bus, answer)))
    }

    /// The maximum number of content frames in one answer.
    ///
    /// This maximum is lower than `FrameBuffer.capacity`, because a message also has frames that are not contents.
    public static let maximumContents = 240

    /// Answers a request with a result, followed by contents.
    public func reply<Result: Codable & Hashable & Sendable>(
        to request: IncomingRequest,
        result: Result,
        contents: [Data] = []
    ) {
        do {
            reply(to: request, json: try WireJSON.encode(Answer.result(result)), contents: contents)
        } catch {
            reply(to: request, error: RequestError(.failed, "The answer cannot be sent: \(error)."))
        }
    }

    /// Answers a request with an error.
    public func reply(to request: IncomingRequest, error: RequestError) {
        do {
            var error = error
            // Requesters take an answer of more than `BusLimits.errorAnswer` bytes for a result.
            if error.message.utf8.count > Self.longestMessage {
                error.message = String(error.message.prefix(Self.longestMessage / 4))
            }
            reply(to: request, json: try WireJSON.encode(Answer<Done>.error(error)))
        } catch {
            configuration.log.error(
                "An answer with an error could not be written as JSON, and was not sent.",
                error: error
            )
        }
    }

    private static var longestMessage: Int { BusLimits.errorAnswer / 2 }

    // MARK: Health

    /// Sets the state that heartbeats report from now on; a new state or message is sent at once.
    ///
    /// Answers to `health` requests contain the state too. Heartbeats and these answers also contain the process's
    /// metrics.
    public func setHealth(_ state: Health.State, message: String? = nil) {
        precondition(configuration.registration != nil, "only a registered instance has heartbeats")
        exchange.put(.core(.all(.health(state, message: message))))
    }

    /// Sets the role that heartbeats report from now on.
    ///
    /// If a property of `role` has changed, a heartbeat is sent at once. A change of `trustedUntil` alone is an
    /// exception: it does not cause a heartbeat. A standby rejects all requests but `health`.
    public func setRole(_ role: InstanceRole) {
        precondition(configuration.registration != nil, "only a registered instance has a role")
        let isNews = exchange.role.withLock { current in
            defer { current = role }
            return current?.withoutTrust != role.withoutTrust
        }
        if isNews { exchange.put(.core(.all(.roleChanged))) }
    }

    // MARK: The inbox

    /// Blocks the calling thread until inputs have arrived, then returns up to `maximum` of them in order.
    ///
    /// Returns an empty array if the deadline passed first. Never call this method on Swift's cooperative threads; a
    /// service calls it on a thread of its own.
    public func nextBatch(maximum: Int = 512, until deadline: ContinuousClock.Instant? = nil) -> [BusInput] {
        exchange.inbox.nextBatch(maximum: maximum, until: deadline)
    }

    /// The inputs from the bus, as a sequence for one task.
    ///
    /// The sequence ends when the client is closed or the task is cancelled.
    public var inputs: BusInputs { BusInputs(inbox: exchange.inbox) }

    /// Adds a value of this process to the inbox as `.posted`, such as a finished transfer or a signal.
    public func post(_ value: any Sendable) {
        exchange.inbox.post(.posted(value))
    }

    // MARK: Closing

    /// Closes the client and waits until its thread has ended.
    ///
    /// A registered client reports the state `stopping`. Pending messages are sent for at most
    /// `BusConfiguration.linger`.
    public func close() {
        exchange.put(.stop)
        thread.wait()
    }

    /// Closes the client without blocking the calling task; otherwise like `close`.
    ///
    /// Cancelling the task does not shorten the wait.
    public func closed() async {
        exchange.put(.stop)
        await withCheckedContinuation { continuation in
            thread.notify(queue: .global()) { continuation.resume() }
        }
    }
}

/// Runs `body` with a client of the bus and closes the client afterwards, even if the body throws or is cancelled.
public func withBusClient<Result>(
    _ configuration: BusConfiguration,
    _ body: (BusClient) async throws -> Result
) async throws -> Result {
    let client = try await BusClient.open(configuration)
    do {
        let result = try await body(client)
        await client.closed()
        return result
    } catch {
        await client.closed()
        throw error
    }
}

/// The inputs from the bus to one client, as a sequence for one task.
public struct BusInputs: AsyncSequence, Sendable {
    let inbox: Inbox<BusInput>

    public struct AsyncIterator: AsyncIteratorProtocol {
        let inbox: Inbox<BusInput>

        public func next() async -> BusInput? { await inbox.next() }
    }

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(inbox: inbox) }
}
