// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Cryptography
import Foundation
import HTTPTransport
import Locking
import ServiceEngine
import TestSupport
import Testing
import WidgetSchema

@testable import Delivery

@Suite struct APNsTests {
    /// An answer of Apple's push service, and what follows from it.
    struct Answer: Sendable {
        var status: Int
        var reason: String
        var kind: OutcomeKind
        var consequence = APNsAnswer.Consequence.none
    }

    private static let configurationPause = APNsAnswer.Consequence.pause(APNsAnswer.configurationPause)

    /// Every status and reason that Apple documents.
    static let answers: [Answer] = [
        Answer(status: 400, reason: "BadCollapseId", kind: .rejected),
        Answer(status: 400, reason: "BadDeviceToken", kind: .gone),
        Answer(status: 400, reason: "BadExpirationDate", kind: .rejected),
        Answer(status: 400, reason: "BadMessageId", kind: .rejected),
        Answer(status: 400, reason: "BadPriority", kind: .rejected),
        Answer(status: 400, reason: "BadTopic", kind: .retry),
        Answer(status: 400, reason: "DeviceTokenNotForTopic", kind: .gone),
        Answer(status: 400, reason: "DuplicateHeaders", kind: .rejected),
        Answer(status: 400, reason: "IdleTimeout", kind: .retry),
        Answer(status: 400, reason: "InvalidPushType", kind: .rejected),
        Answer(status: 400, reason: "MissingDeviceToken", kind: .rejected),
        Answer(status: 400, reason: "MissingTopic", kind: .rejected),
        Answer(status: 400, reason: "PayloadEmpty", kind: .rejected),
        Answer(status: 400, reason: "TopicDisallowed", kind: .retry),
        Answer(status: 403, reason: "BadCertificate", kind: .retry, consequence: configurationPause),
        Answer(status: 403, reason: "BadCertificateEnvironment", kind: .retry, consequence: configurationPause),
        Answer(status: 403, reason: "ExpiredProviderToken", kind: .retry, consequence: .renewToken),
        Answer(status: 403, reason: "Forbidden", kind: .rejected, consequence: configurationPause),
        Answer(status: 403, reason: "InvalidProviderToken", kind: .retry, consequence: configurationPause),
        Answer(status: 403, reason: "MissingProviderToken", kind: .retry, consequence: configurationPause),
        Answer(status: 403, reason: "UnrelatedKeyIdInToken", kind: .retry, consequence: configurationPause),
        Answer(status: 403, reason: "BadEnvironmentKeyIdInToken", kind: .retry, consequence: configurationPause),
        Answer(status: 403, reason: "BadEnvironmentKeyInToken", kind: .retry, consequence: configurationPause),
        Answer(status: 404, reason: "BadPath", kind: .rejected),
        Answer(status: 405, reason: "MethodNotAllowed", kind: .rejected),
        Answer(status: 410, reason: "Unregistered", kind: .gone),
        Answer(status: 410, reason: "ExpiredToken", kind: .gone),
        Answer(status: 413, reason: "PayloadTooLarge", kind: .rejected),
        Answer(status: 429, reason: "TooManyRequests", kind: .retry),
        Answer(
            status: 429,
            reason: "TooManyProviderTokenUpdates",
            kind: .retry,
            consequence: .pause(APNsTokenSchedule.minimumAge)
        ),
        Answer(status: 500, reason: "InternalServerError", kind: .retry),
        Answer(status: 503, reason: "ServiceUnavailable", kind: .retry),
        Answer(status: 503, reason: "Shutdown", kind: .retry),
        Answer(status: 400, reason: "SomethingNew", kind: .rejected),
        Answer(status: 502, reason: "SomethingNew", kind: .retry),
    ]

    /// Returns a key that OpenSSL has made.
    static func key() async throws -> APNsKey {
        try await withTemporaryFolder { folder in
            let command = "openssl ecparam -name prime256v1 -genkey -noout | openssl pkcs8 -topk8 -nocrypt -out key.p8"
            #expect(try await EndedProgram.run(["sh", "-c", command], in: folder).status == 0)
            let pem = try String(contentsOf: folder.appending(path: "key.p8"), encoding: .utf8)
            return try #require(APNsKey(pem: pem, keyID: "ABC123DEFG", teamID: "TEAM123456"))
        }
    }

    @Test func eachStatusAndReasonHasAnOutcome() {
        for answer in Self.answers {
            let meaning = APNsAnswer(
                status: answer.status,
                APNsAnswer.Body(reason: answer.reason),
                wait: nil,
                registered: PushSamples.time
            )
            #expect(OutcomeKind(meaning.outcome) == answer.kind, "\(answer.status) \(answer.reason)")
            #expect(meaning.consequence == answer.consequence, "\(answer.status) \(answer.reason)")
        }
        let reasons = Self.answers.map(\.reason)
        #expect(Set(reasons).count == reasons.count - 1, "each reason is listed once, and the unknown one twice")
    }

    // The device may have installed the app again after Apple found that it was gone.
    @Test(arguments: [(-1, OutcomeKind.gone), (0, .gone), (1, .retry)] as [(Int64, OutcomeKind)])
    func aDeviceThatHasRegisteredSinceIsNotGone(milliseconds: Int64, kind: OutcomeKind) {
        let json = #"{"reason":"Unregistered","timestamp":\#(PushSamples.time.milliseconds)}"#
        let response = HTTPResponse(status: 410, headers: [], body: Data(json.utf8), finalURL: "")
        let answer = APNsAnswer(.success(response), registered: PushSamples.time.advanced(byMilliseconds: milliseconds))
        #expect(OutcomeKind(answer.outcome) == kind)
    }

    @Test func aReasonThatIsNoWordIsNotShown() {
        for reason in ["<script>", "Bad\nReason", String(repeating: "x", count: 65), ""] {
            let body = (try? WireJSON.encode(["reason": reason])) ?? Data()
            #expect(APNsAnswer.Body(body).reason == nil)
        }
        #expect(APNsAnswer.Body(Data("<html>".utf8)) == APNsAnswer.Body(reason: nil))
    }

    @Test func aTokenIsRenewedAfterTwentyMinutesAndBeforeSixty() async throws {
        let key = try await Self.key()
        var schedule = APNsTokenSchedule()
        let start = ContinuousClock.now
        func token(_ minutes: Int) -> String? {
            let elapsed = Duration.seconds(minutes * 60)
            return schedule.token(of: key, wall: PushSamples.time.advanced(by: elapsed), now: start + elapsed)
        }
        let first = try #require(token(0))
        var changes: [Int] = []
        var last = first
        for minute in 1...240 {
            let current = try #require(token(minute))
            if current != last { changes.append(minute) }
            last = current
        }
        for (earlier, later) in zip([0] + changes, changes) { #expect((20..<60).contains(later - earlier)) }
        #expect(changes.count >= 4)
        let claims = try #require(Base64URL.decode(String(first.split(separator: ".")[1])))
        #expect(String(decoding: claims, as: UTF8.self) == #"{"iss":"TEAM123456","iat":1790000000}"#)
    }

    @Test func aRejectedTokenIsReplacedOnlyIfItIsOldEnough() async throws {
        let key = try await Self.key()
        var schedule = APNsTokenSchedule()
        let start = ContinuousClock.now
        func token(_ minutes: Int) -> String? {
            schedule.token(of: key, wall: PushSamples.time, now: start + .seconds(minutes * 60))
        }
        func renew(_ used: String, _ minutes: Int) -> Bool {
            schedule.renew(used, now: start + .seconds(minutes * 60))
        }
        let first = try #require(token(0))
        #expect(!renew(first, 19))
        #expect(token(19) == first)
        #expect(renew(first, 20))
        let next = token(20)
        #expect(next != first)
        #expect(renew(first, 21), "the rejected token is no longer in use")
        #expect(token(21) == next)
    }

    @Test func afterAnAnswerAboutTheKeyNoRequestIsSentForAnHour() async throws {
        let start = ContinuousClock.now
        let elapsed = Lock(Duration.zero)
        let transport = RecordingTransport { _ in
            let body = Data(#"{"reason":"InvalidProviderToken"}"#.utf8)
            return .success(HTTPResponse(status: 403, headers: [], body: body, finalURL: ""))
        }
        let service = APNsService(key: try await Self.key(), transport: transport) {
            ClockReading(wall: PushSamples.time, monotonic: start + elapsed.withLock(\.self))
        }
        for _ in 0..<3 { #expect(OutcomeKind(try await send(service)) == .retry) }
        #expect(transport.requests.count == 1)
        elapsed.withLock { $0 = .seconds(3_599) }
        #expect(try await send(service) != .delivered)
        #expect(transport.requests.count == 1)
        elapsed.withLock { $0 = .seconds(3_600) }
        _ = try await send(service)
        #expect(transport.requests.count == 2)
    }

    @Test func aDeviceForWhichTheKeyIsNotValidStopsNoOtherAppAndEnvironment() async throws {
        let transport = RecordingTransport { request in
            if request.url.contains("sandbox") {
                let body = Data(#"{"reason":"BadEnvironmentKeyIdInToken"}"#.utf8)
                return .success(HTTPResponse(status: 403, headers: [], body: body, finalURL: ""))
            }
            return .success(HTTPResponse(status: 200, headers: [], body: Data(), finalURL: ""))
        }
        let service = APNsService(key: try await Self.key(), transport: transport) {
            ClockReading(wall: PushSamples.time, monotonic: .now)
        }
        var registration = PushSamples.apns()
        registration.environment = .sandbox
        for _ in 0..<2 { #expect(OutcomeKind(try await send(service, registration)) == .retry) }
        #expect(transport.requests.count == 1, "the pause is for this environment")
        #expect(try await send(service) == .delivered)
    }

    @Test func anOldTokenThatAppleRejectsIsReplacedAtOnce() async throws {
        let start = ContinuousClock.now
        let elapsed = Lock(Duration.zero)
        let isExpired = Lock(false)
        let transport = RecordingTransport { _ in
            let rejects = isExpired.withLock { expired in
                defer { expired = false }
                return expired
            }
            let body = Data((rejects ? #"{"reason":"ExpiredProviderToken"}"# : "").utf8)
            return .success(HTTPResponse(status: rejects ? 403 : 200, headers: [], body: body, finalURL: ""))
        }
        let service = APNsService(key: try await Self.key(), transport: transport) {
            ClockReading(wall: PushSamples.time, monotonic: start + elapsed.withLock(\.self))
        }
        #expect(try await send(service) == .delivered)
        elapsed.withLock { $0 = .seconds(30 * 60) }
        isExpired.withLock { $0 = true }
        #expect(try await send(service) == .delivered)
        let tokens = transport.requests.map { $0.headers.first { $0.name == "authorization" }?.value }
        #expect(tokens.count == 3)
        #expect(tokens[0] == tokens[1])
        #expect(tokens[1] != tokens[2])
        // A young token that Apple takes for expired means a wrong clock; another token would not help.
        isExpired.withLock { $0 = true }
        #expect(OutcomeKind(try await send(service)) == .retry)
        #expect(OutcomeKind(try await send(service)) == .retry)
        #expect(transport.requests.count == 4)
    }

    @Test func aBackgroundPushNamesTheWidgetAndHasPriorityFive() async throws {
        let transport = RecordingTransport { _ in
            .success(HTTPResponse(status: 200, headers: [], body: Data(), finalURL: ""))
        }
        let service = APNsService(key: try await Self.key(), transport: transport) {
            ClockReading(wall: PushSamples.time, monotonic: .now)
        }
        let token = String(repeating: "cd", count: 32)
        let sender = APNsSender(PushSamples.apns(token, .background), registered: PushSamples.time, service: service)
        let attempt = try PushSamples.attempt()
        #expect(await outcome { sender.send(attempt, completion: $0) } == .delivered)
        let request = try #require(transport.requests.first)
        let headers = Dictionary(request.headers.map { ($0.name, $0.value) }) { first, _ in first }
        #expect(request.url == "https://api.push.apple.com/3/device/\(token)")
        #expect(headers["apns-priority"] == "5")
        #expect(headers["apns-topic"] == "org.example.News")
        #expect((headers["apns-collapse-id"]?.utf8.count ?? 0) <= 64)
        let body = String(decoding: request.body ?? Data(), as: UTF8.self)
        let cycle = #"{"subject":"widget/news","sequence":"00000000000000000007"}"#
        #expect(body == #"{"aps":{"content-available":1},"tidings":\#(cycle)}"#)
        let pattern = /[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/
        #expect(headers["apns-id"]?.wholeMatch(of: pattern) != nil)
        #expect(!request.allowPrivateNetworks)
    }

    @Test func descriptionsShowNoToken() {
        let registration = PushSamples.apns("cafe0123456789")
        var shown = "\(registration)"
        dump(registration, to: &shown)
        dump(DeviceRegistration(address: .apns(registration)), to: &shown)
        #expect(!shown.contains("cafe"), "\(shown)")
    }

    private func send(
        _ service: APNsService,
        _ registration: APNsRegistration = PushSamples.apns()
    ) async throws -> DeliveryOutcome {
        let push = APNsPush(
            message: "msg_1",
            subject: .widget(try #require(WidgetID(rawValue: "news"))),
            sequence: 7,
            time: PushSamples.time
        )
        let request = APNsService.Request(
            push: push,
            registration: registration,
            registered: PushSamples.time,
            timeout: .seconds(20)
        )
        return await outcome { service.send(request, completion: $0) }
    }
}
