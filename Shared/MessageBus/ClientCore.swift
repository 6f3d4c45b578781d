// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

package import Foundation
package import Telemetry
package import WidgetSchema

/// The rules of a client at one bus: readiness, heartbeats, and retries of requests until an answer or the deadline.
///
/// `ClientCore` is a value type and uses neither a socket nor a clock. `ClientGroupCore` passes inputs to `ClientCore`.
package struct ClientCore {
    package enum Input: Sendable {
        /// The request socket has a connection.
        case connected
        case disconnected
        /// The bus has subscribed to all topics of this client's publisher.
        ///
        /// This input arrives each time the publisher connects. From then on, published messages reach the bus.
        case publisherSubscribed
        /// The publisher socket has lost its connection, or an attempt to connect has failed.
        case publisherDisconnected
        /// The bus has echoed the client's readiness topic, so all subscriptions of the client are active.
        ///
        /// Only this client uses the topic, and subscribes to it after all its other topics.
        case echoed
        /// A message has arrived on the request socket.
        case received([Data])
        case ask(OutgoingRequest)
        /// The requester no longer waits for the answer to the request with this id.
        case forget(RequestID)
        case reply(route: Data, id: RequestID, json: Data, contents: [Data])
        case health(Health.State, message: String?)
        /// The `InstanceRole` of this instance has changed; a change of `trustedUntil` alone does not count.
        case roleChanged
        /// The service's thread that reads the inbox of this client hangs (true), or reads it again (false).
        case readerHangs(Bool)
        case stop
        case tick
    }

    package enum Action: Sendable {
        /// Sends a message on the request socket.
        case send([Data])
        case deliver(BusInput)
        /// Subscribes to the readiness topic again, because the bus has not echoed it.
        case askForEcho
        /// Increments the counter with this name, such as `bus.lateAnswers`.
        case count(String)
    }

    private let configuration: BusConfiguration
    private let currentMetrics: @Sendable () -> Metrics.Reading
    private let currentRole: @Sendable () -> InstanceRole?
    private var isConnected = false
    private var isStopping = false
    private var readerHangs = false
    private var wasReady = false
    private var isSubscribed: Bool
    private var isPublishing: Bool
    private var isRegistered: Bool
    private var echoDue: ContinuousClock.Instant?
    private var heartbeatDue: ContinuousClock.Instant
    /// The prefix of the request ids of heartbeats; each id ends with the number of the heartbeat.
    private let heartbeatPrefix: String
    private var heartbeatCounter: UInt64 = 0
    private var health: Health?
    private var outstanding: [RequestID: OutgoingRequest] = [:]
    /// The earliest time at which a pending request may have to be sent again, or may reach its deadline.
    ///
    /// Before this time, the pending requests need not be checked. Nil if there is nothing to check.
    private var requestsDue: ContinuousClock.Instant?

    package init(
        _ configuration: BusConfiguration,
        now: ContinuousClock.Instant,
        metrics: @escaping @Sendable () -> Metrics.Reading = { Metrics.Reading() },
        role: @escaping @Sendable () -> InstanceRole? = { nil }
    ) {
        self.configuration = configuration
        heartbeatPrefix = "\(configuration.nonce)-heartbeat-"
        currentMetrics = metrics
        currentRole = role
        isSubscribed = configuration.subscriptions.isEmpty
        isPublishing = !configuration.publishes
        isRegistered = configuration.registration == nil
        echoDue = isSubscribed ? nil : now + configuration.confirmationTimeout
        heartbeatDue = now
        health = configuration.registration.map { registration in
            Health(state: .starting, version: registration.version, startedAt: registration.startedAt)
        }
    }

    /// The next time at which the core must handle the input `tick`; nil if there is no such time.
    package var nextDue: ContinuousClock.Instant? {
        let sendsHeartbeats = isConnected && health != nil && !isStopping && !readerHangs
        return earliest(earliest(echoDue, requestsDue), sendsHeartbeats ? heartbeatDue : nil)
    }

    package mutating func handle(_ input: Input, now: ContinuousClock.Instant) -> [Action] {
        switch input {
        case .connected:
            isConnected = true
            var actions = heartbeat(now: now)
            // Sorted, so that equal inputs give equal actions.
            for id in outstanding.keys.sorted() { actions += send(id, now: now) }
            return actions
        case .disconnected:
            isConnected = false
            return []
        case .publisherSubscribed:
            defer { isPublishing = true }
            return [.deliver(.publisherConnected(again: isPublishing))]
                + (isPublishing ? [] : becomeReady(publishing: true))
        case .publisherDisconnected:
            return []
        case .echoed:
            echoDue = nil
            guard !isSubscribed else { return [.deliver(.resubscribed)] }
            isSubscribed = true
            return becomeReady()
        case .received(let frames):
            return received(frames, now: now)
        case .ask(let request):
            outstanding[request.id] = request
            schedule(request.deadline)
            return send(request.id, now: now)
        case .forget(let id):
            outstanding[id] = nil
            return []
        case .reply(let route, let id, let json, let contents):
            guard isConnected else { return [.count("bus.repliesDropped")] }
            return [.send([BusFrames.answer, route, Data(id.rawValue.utf8), json] + contents)]
        case .health(let state, let message):
            guard var health else { return [] }
            let isNews = health.state != state || health.message != message
            health.state = state
            health.message = message
            self.health = health
            return isNews ? heartbeat(now: now) : []
        case .roleChanged:
            return heartbeat(now: now)
        case .readerHangs(let hangs):
            readerHangs = hangs
            return hangs ? [] : heartbeat(now: now)
        case .stop:
            isStopping = true
            guard var health else { return [] }
            health.state = .stopping
            self.health = health
            return isConnected ? [.send(heartbeatFrames(health, now: now))] : []
        case .tick:
            return tick(now: now)
        }
    }

    // MARK: Readiness

    private mutating func becomeReady(publishing: Bool = false) -> [Action] {
        guard !wasReady, isSubscribed, isPublishing || publishing, isRegistered else { return [] }
        wasReady = true
        return [.deliver(.ready)]
    }

    // MARK: Heartbeats

    private mutating func heartbeat(now: ContinuousClock.Instant) -> [Action] {
        guard isConnected, !isStopping, !readerHangs, let health else { return [] }
        heartbeatDue = now + configuration.heartbeatInterval
        return [.send(heartbeatFrames(health, now: now))]
    }

    private mutating func heartbeatFrames(_ health: Health, now: ContinuousClock.Instant) -> [Data] {
        guard let registration = configuration.registration else { return [] }
        heartbeatCounter += 1
        var health = health
        health.set(currentMetrics())
        health.set(currentRole(), now: now)
        let body = RegisterRequest(service: registration.service, instance: registration.instance, health: health)
        let milliseconds = configuration.heartbeatInterval.millisecondsRoundedUp
        // Health can always be encoded. If encoding failed, the bus would reject the empty frame.
        let json = (try? WireJSON.encode(Request(body, deadlineMilliseconds: milliseconds))) ?? Data()
        let id = "\(heartbeatPrefix)\(heartbeatCounter)"
        return [Data(ServiceName.bus.rawValue.utf8), Data(id.utf8), json]
    }

    // MARK: Requests

    private mutating func schedule(_ due: ContinuousClock.Instant) {
        requestsDue = earliest(requestsDue, due)
    }

    private mutating func send(_ id: RequestID, now: ContinuousClock.Instant) -> [Action] {
        guard isConnected, let request = outstanding[id], request.deadline > now else { return [] }
        let due = now + configuration.retryInterval
        outstanding[id]?.due = due
        schedule(min(due, request.deadline))
        return [.send(request.frames)]
    }

    private mutating func received(_ frames: [Data], now: ContinuousClock.Instant) -> [Action] {
        // The first frame is the route of a request or the id of an answer. A route begins with a zero byte, and an id
        // with a letter or digit.
        if frames.first?.first == BusFrames.routeMark {
            // A bus of an earlier version does not send the fourth frame, which names the requester.
            guard frames.count == 3 || frames.count == 4,
                let id = RequestID(rawValue: String(decoding: frames[1], as: UTF8.self))
            else {
                return [.count("bus.unexpectedFrames")]
            }
            let request = IncomingRequest(
                id: id,
                json: frames[2],
                receivedAt: now,
                route: frames[0],
                requester: frames.count == 4 ? Requester(frames[3]) : .unknown
            )
            if let health, asksForHealth(request) {
                return readerHangs ? [] : answerHealth(request, health, now: now)
            }
            return currentRole()?.role == .standby ? rejectAsStandby(request) : [.deliver(.request(request))]
        }
        guard frames.count >= 2, let id = RequestID(rawValue: String(decoding: frames[0], as: UTF8.self)) else {
            return [.count("bus.unexpectedFrames")]
        }
        let error = errorAnswer(frames[1])
        if id.rawValue.hasPrefix(heartbeatPrefix) {
            if let error { return [.deliver(.registrationRefused(error))] }
            isRegistered = true
            return becomeReady()
        }
        guard let request = outstanding[id] else { return [.count("bus.lateAnswers")] }
        if let error {
            if error.code == .unavailable && request.waitsForService {
                let due = now + configuration.unavailableRetryInterval
                outstanding[id]?.failure = error
                outstanding[id]?.due = due
                schedule(due)
                return []
            }
            outstanding[id] = nil
            return [.deliver(.requestFailed(id, error))]
        }
        outstanding[id] = nil
        return [.deliver(.answer(id, json: frames[1], contents: Array(frames.dropFirst(2))))]
    }

    private struct ErrorAnswer: Decodable {
        let error: RequestError?
    }

    /// The first bytes of the JSON of a successful answer; an answer with an error begins differently.
    private static let resultStart = Data("{\"result\":".utf8)

    private func errorAnswer(_ json: Data) -> RequestError? {
        // Nearly every answer is a result, which is recognised without decoding it.
        guard json.count <= BusLimits.errorAnswer, json.prefix(Self.resultStart.count) != Self.resultStart else {
            return nil
        }
        return (try? WireJSON.decode(ErrorAnswer.self, from: json))?.error
    }

    private static let longestHealthRequest = 512

    private func asksForHealth(_ request: IncomingRequest) -> Bool {
        guard request.json.count <= Self.longestHealthRequest, mayContainHealth(request.json) else { return false }
        return (try? request.head())?.request == HealthRequest.name
    }

    /// Returns false if a request certainly has another name; decoding each request would take much longer.
    private func mayContainHealth(_ json: Data) -> Bool {
        // `Data.range(of:)` would create an `NSData` for each request.
        json.withUnsafeBytes { bytes in
            bytes.indices.contains { index in
                switch bytes[index] {
                // A backslash can begin an escaped letter of the name.
                case UInt8(ascii: "\\"): true
                case Self.healthName[0]: bytes[index...].starts(with: Self.healthName)
                default: false
                }
            }
        }
    }

    private static let healthName = Array(HealthRequest.name.utf8)

    private func answerHealth(
        _ request: IncomingRequest,
        _ health: Health,
        now: ContinuousClock.Instant
    ) -> [Action] {
        guard let registration = configuration.registration else { return [] }
        var health = health
        health.set(currentMetrics())
        health.set(currentRole(), now: now)
        let answer = HealthAnswer(service: registration.service, instance: registration.instance, health: health)
        guard let json = try? WireJSON.encode(Answer.result(answer)) else { return [] }
        return [.send([BusFrames.answer, request.route, Data(request.id.rawValue.utf8), json])]
    }

    /// Rejects a request, because this instance is a standby and has not loaded the state of the service.
    ///
    /// The requester retries, and the bus then chooses the active instance.
    private func rejectAsStandby(_ request: IncomingRequest) -> [Action] {
        let name = configuration.registration.map { "\($0.service.rawValue)/\($0.instance)" } ?? ""
        let text = "\(name) is a standby. Send the request to the service, without an instance name."
        let error = RequestError(.unavailable, text)
        guard let json = try? WireJSON.encode(Answer<Done>.error(error)) else { return [] }
        return [
            .count("bus.rejectedAsStandby"),
            .send([BusFrames.answer, request.route, Data(request.id.rawValue.utf8), json]),
        ]
    }

    // MARK: Time

    private mutating func tick(now: ContinuousClock.Instant) -> [Action] {
        var actions: [Action] = []
        if let due = echoDue, due <= now {
            echoDue = now + configuration.confirmationTimeout
            actions.append(.askForEcho)
        }
        if heartbeatDue <= now { actions += heartbeat(now: now) }
        if let due = requestsDue, due <= now {
            requestsDue = nil
            for id in outstanding.keys.sorted() {
                guard let request = outstanding[id] else { continue }
                if request.deadline <= now {
                    outstanding[id] = nil
                    actions.append(.deliver(.requestFailed(id, request.failure ?? Self.timedOut(request))))
                } else if isConnected && request.due <= now {
                    actions += send(id, now: now)
                } else {
                    schedule(isConnected ? min(request.due, request.deadline) : request.deadline)
                }
            }
        }
        return actions
    }

    private static func timedOut(_ request: OutgoingRequest) -> RequestError {
        RequestError(
            .timedOut,
            "\(request.target) did not answer within \(request.timeout.millisecondsRoundedUp) ms; is it running?"
        )
    }
}

/// The frames with a special meaning for the bus.
package enum BusFrames {
    /// The first frame of each answer that is sent to the bus; the first frame of a request is its target.
    package static let answer = Data("~answer".utf8)
    /// The first byte of each route.
    ///
    /// A route is a frame that identifies the requester. A request id never begins with this byte.
    package static let routeMark: UInt8 = 0
    /// The frame that a publisher receives when the bus subscribes to all topics.
    package static let subscribeToEverything = Data([1])
}
