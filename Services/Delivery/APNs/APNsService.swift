// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import HTTPTransport
import Locking
import ServiceEngine
import WidgetSchema

/// The requests to Apple's push service with one key, over one connection.
///
/// May be used from any thread. Its `HTTPClient` has ``connections`` connections to a server: Apple binds a connection to
/// the team of its first token, and wants it to stay open.
final class APNsService: Sendable {
    static let connections = 1
    /// The minimum time that must remain for the repetition of a request.
    private static let minimumRemaining = Duration.seconds(1)

    /// The requests that a rejection of the key concerns: a key may be valid for one environment or for some apps only.
    private struct Scope: Hashable {
        var environment: APNsRegistration.Environment
        var bundle: String

        init(_ registration: APNsRegistration) {
            (environment, bundle) = (registration.environment, registration.bundle)
        }
    }

    private struct State {
        var schedule = APNsTokenSchedule()
        /// The times until which no request is sent, with the reasons.
        var pauses: [Scope: (end: ContinuousClock.Instant, reason: String)] = [:]
    }

    /// One attempt to send a push.
    struct Request: Sendable {
        var push: APNsPush
        var registration: APNsRegistration
        /// The time at which the device registered.
        var registered: Instant
        var timeout: Duration
    }

    private let key: APNsKey
    private let origin: @Sendable (APNsRegistration.Environment) -> String
    private let transport: any PushTransport
    private let clock: @Sendable () -> ClockReading
    private let state = Lock(State())

    init(
        key: APNsKey,
        transport: any PushTransport,
        origin: @escaping @Sendable (APNsRegistration.Environment) -> String = APNsPush.origin,
        clock: @escaping @Sendable () -> ClockReading
    ) {
        self.key = key
        self.transport = transport
        self.origin = origin
        self.clock = clock
    }

    /// Sends a push, and calls `completion` exactly once.
    func send(_ request: Request, completion: @escaping Sender.Completion) {
        send(request, started: clock().monotonic, mayRepeat: true, completion)
    }

    /// Checks that Apple's service answers; the request is one that it answers with an error.
    func check(_ environment: APNsRegistration.Environment, timeout: Duration, completion: @escaping Sender.Completion)
    {
        let request = HTTPRequest(url: origin(environment) + "/", limits: WebOutcome.limits(timeout: timeout))
        transport.send(request) { completion(WebOutcome.reached($0)) }
    }

    private func send(
        _ request: Request,
        started: ContinuousClock.Instant,
        mayRepeat: Bool,
        _ completion: @escaping Sender.Completion
    ) {
        let now = clock()
        let remaining = request.timeout - (now.monotonic - started)
        let scope = Scope(request.registration)
        let (token, pause) = state.withLock { state -> (String?, DeliveryOutcome?) in
            if let pause = state.pauses[scope] {
                guard pause.end <= now.monotonic else {
                    return (nil, .retry(after: pause.end - now.monotonic, reason: pause.reason))
                }
                state.pauses[scope] = nil
            }
            return (state.schedule.token(of: key, wall: now.wall, now: now.monotonic), nil)
        }
        if let pause { return completion(pause) }
        guard let token else { return completion(.retry(after: nil, reason: "libcrypto could not sign the token.")) }
        let message = request.push.request(
            to: request.registration,
            origin: origin(request.registration.environment),
            token: token,
            timeout: remaining
        )
        transport.send(message) { [self] result in
            let now = clock().monotonic
            let canRepeat = mayRepeat && request.timeout - (now - started) >= Self.minimumRemaining
            // The server is shutting this connection down, or has closed it: the next request opens another one. The id
            // of the push is the same.
            if canRepeat, case .failure(let failure) = result, Self.connectionEnded.contains(failure.curlCode) {
                return send(request, started: started, mayRepeat: false, completion)
            }
            let answer = APNsAnswer(result, registered: request.registered)
            switch answer.consequence {
            case .none: break
            case .renewToken:
                let isRenewed = state.withLock { $0.schedule.renew(token, now: now) }
                if isRenewed, canRepeat { return send(request, started: started, mayRepeat: false, completion) }
                // A young token that has expired means that a clock is wrong.
                if !isRenewed { self.pause(scope, for: APNsAnswer.configurationPause, answer.outcome, now: now) }
            case .pause(let duration):
                self.pause(scope, for: duration, answer.outcome, now: now)
            }
            completion(answer.outcome)
        }
    }

    private func pause(
        _ scope: Scope,
        for duration: Duration,
        _ outcome: DeliveryOutcome,
        now: ContinuousClock.Instant
    ) {
        let reason: String =
            switch outcome {
            case .retry(_, let reason, _), .rejected(let reason), .gone(let reason), .unknown(let reason): reason
            case .delivered: ""
            }
        state.withLock { state in
            // Bundles are named by devices, so only those whose pause has not ended are kept.
            state.pauses = state.pauses.filter { $0.value.end > now }
            state.pauses[scope] = (end: now + duration, reason: reason)
        }
    }

    /// The codes of libcurl for a connection that ended before the answer: `CURLE_HTTP2` (after GOAWAY),
    /// `CURLE_PARTIAL_FILE`, `CURLE_GOT_NOTHING`, `CURLE_SEND_ERROR`, `CURLE_RECV_ERROR`.
    private static let connectionEnded: Set<Int> = [16, 18, 52, 55, 56]
}

/// The sender of one device of Apple.
final class APNsSender: Sender {
    private let service: APNsService
    private let registration: APNsRegistration
    private let registered: Instant

    init(_ registration: APNsRegistration, registered: Instant, service: APNsService) {
        self.service = service
        self.registration = registration
        self.registered = registered
    }

    func send(_ attempt: DeliveryAttempt, completion: @escaping Completion) {
        let push = APNsPush(
            message: attempt.message,
            subject: attempt.subject,
            sequence: (try? WireJSON.decode(EventHead.self, from: attempt.body))?.sequence,
            time: attempt.time
        )
        let request = APNsService.Request(
            push: push,
            registration: registration,
            registered: registered,
            timeout: attempt.timeout
        )
        service.send(request, completion: completion)
    }

    /// Does nothing: requests in flight end with their own deadlines, and the client ends with the service.
    func stop() {}
}
