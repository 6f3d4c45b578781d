// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Cryptography
import Foundation
import HTTPTransport
import Locking
import TestSupport
import Testing
import WidgetSchema

@testable import Delivery

@Suite struct WebPushTests {
    private static let p256dh =
        "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
    private static let auth = "BTBZMqHH6r4Tts7J_aSIgg"

    // RFC 8188, section 3.1.
    @Test func theContentCodingIsThatOfTheStandard() throws {
        let encoded = EncryptedContent.encode(
            Array("I am the walrus".utf8),
            secret: try #require(Base64URL.decode("yqdlZ-tYemfogSmv7Ws5PQ")),
            salt: try #require(Base64URL.decode("I1BsxtFttlv3u_Oo94xnmw")),
            keyID: []
        )
        let expected = "I1BsxtFttlv3u_Oo94xnmwAAEAAA-NAVub2qFgBEuQKRapoZu-IxkIva3MEB1PD-ly8Thjg"
        #expect(encoded.map(Base64URL.encode) == expected)
    }

    // RFC 8291, section 5.
    @Test func theMessageIsThatOfTheStandard() throws {
        let keys = try #require(WebPushKeys(p256dh: Self.p256dh, auth: Self.auth))
        let scalar = try #require(Base64URL.decode("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"))
        let key = try #require(P256PrivateKey(scalar: scalar))
        let salt = try #require(Base64URL.decode("DGv6ra1nlYgDCS1FRnbzlw"))
        let text = Array("When I grow up, I want to be a watermelon".utf8)
        let body = try #require(WebPushEncryption.encrypt(text, for: keys, key: key, salt: salt))
        #expect(body.count == 144)
        #expect(SHA256.hexDigest(of: body) == "f976e174457c5111a0b05234e648bc012cb1e2b37949afce4d7b1e84752953c7")
    }

    @Test func aMessageOf4096BytesIsTheLongest() throws {
        let keys = try #require(WebPushKeys(p256dh: Self.p256dh, auth: Self.auth))
        #expect(WebPushEncryption.maximumTextBytes == 3_993)
        let longest = [UInt8](repeating: 65, count: WebPushEncryption.maximumTextBytes)
        #expect(WebPushEncryption.encrypt(longest, for: keys)?.count == 4_096)
        #expect(WebPushEncryption.encrypt(longest + [65], for: keys) == nil)
    }

    @Test func twoMessagesShareNeitherKeyNorSalt() throws {
        let keys = try #require(WebPushKeys(p256dh: Self.p256dh, auth: Self.auth))
        let bodies = try (0..<2).map { _ in try #require(WebPushEncryption.encrypt([1], for: keys)) }
        #expect(bodies[0].prefix(16) != bodies[1].prefix(16))
        #expect(bodies[0][21..<86] != bodies[1][21..<86])
    }

    // The receiver is Python's: `http_ece` of PyPI if it is installed, else one that the fixture makes from the RFC with
    // the package `cryptography`.
    @Test func aReceiverInPythonReadsWhatIsSent() async throws {
        let receiver = try #require(P256PrivateKey())
        let auth = RandomBytes.make(WebPushKeys.secretBytes)
        let subscription = WebPushSubscription(
            endpoint: "https://push.example.org/send/secret",
            keys: .init(p256dh: Base64URL.encode(receiver.publicKey.bytes), auth: Base64URL.encode(auth))
        )
        let (sender, transport) = try makeSender(subscription, answer: 201)
        let attempt = try PushSamples.attempt { $0.summary = "Ünïcode ✓" }
        #expect(await outcome { sender.send(attempt, completion: $0) } == .delivered)
        let request = try #require(transport.requests.first)
        let input = [
            Base64URL.encode(receiver.scalar), Base64URL.encode(auth), Base64URL.encode(Array(request.body ?? Data())),
            request.headers.first { $0.name == "Authorization" }?.value ?? "",
        ].joined(separator: "\n")
        let python = ProcessInfo.processInfo.environment["TIDINGS_TEST_PYTHON"] ?? "/usr/bin/python3"
        let ended = try await EndedProgram.run(
            [python, "-B", fixture("web-push-receiver.py")],
            input: Data(input.utf8)
        )
        #expect(ended.status == 0, "\(ended.errors)")
        let received = try WireJSON.decode(Received.self, from: Data(ended.output.utf8))
        #expect(received.message.subject == "widget/news")
        #expect(received.message.sequence == SequenceNumber(7))
        #expect(received.message.action == .notify)
        #expect(received.message.title == "The news")
        #expect(received.message.text == "Ünïcode ✓")
        #expect(received.claims.aud == "https://push.example.org")
        #expect(received.claims.sub == "mailto:admin@example.org")
        #expect(received.claims.exp == PushSamples.time.milliseconds / 1000 + 12 * 3_600)
    }

    private struct Received: Decodable {
        struct Claims: Decodable {
            var aud: String
            var exp: Int64
            var sub: String
        }

        var message: WebPushMessage
        var claims: Claims
    }

    @Test func aRequestHasTheHeadersOfTheStandardAndNoName() async throws {
        let subscription = WebPushSubscription(
            endpoint: "https://push.example.org:8443/send/secret",
            keys: .init(p256dh: Self.p256dh, auth: Self.auth)
        )
        let (sender, transport) = try makeSender(subscription, answer: 201)
        let (first, second) = (try PushSamples.attempt(sequence: 7), try PushSamples.attempt(sequence: 8))
        for attempt in [first, second] { #expect(await outcome { sender.send(attempt, completion: $0) } == .delivered) }
        let requests = transport.requests
        try #require(requests.count == 2)
        func value(_ name: String, _ index: Int = 0) -> String? {
            requests[index].headers.first { $0.name == name }?.value
        }
        #expect(requests[0].url == subscription.endpoint)
        #expect(requests[0].method == "POST")
        #expect(value("TTL") == "86400")
        #expect(value("Content-Encoding") == "aes128gcm")
        #expect(value("Urgency") == "normal")
        #expect(value("Topic") == value("Topic", 1), "a newer message replaces one that waits")
        #expect(value("Topic")?.count == 32)
        #expect(!requests[0].allowPrivateNetworks)
        #expect(requests[0].limits.maximumRedirects == 0)
        #expect(requests[0].headers.allSatisfy { !$0.value.contains("news") })
    }

    @Test(arguments: [
        ("https://fcm.googleapis.com/fcm/send/abc:def", "https://fcm.googleapis.com"),
        ("https://push.example.org:443/x", "https://push.example.org"),
        ("https://push.example.org:8443/x?y=1", "https://push.example.org:8443"),
    ])
    func anEndpointHasAnOrigin(text: String, origin: String) {
        #expect(WebPushEndpoint(text)?.origin == origin)
    }

    @Test(arguments: [
        "http://push.example.org/x", "https://push.example.org", "https://user@push.example.org/x",
        "https://push.example.org:0/x", "https://push.example.org:99999/x", "https://push.example.org:8 443/x",
        "https://[::1]/x", "https:///x", "https://push.example.org/x\r\nHost: a", "https://push.example.org\\@a/x",
        "https://PUSH.example.org/x", "https://push.example.org/#x", "https://-a/x", "",
        "https://push.example.org/" + String(repeating: "x", count: 2_048),
    ])
    func anEndpointOfAnotherFormIsRejected(text: String) {
        #expect(WebPushEndpoint(text) == nil)
    }

    @Test func descriptionsShowNoSecret() throws {
        let subscription = WebPushSubscription(
            endpoint: "https://push.example.org/canary",
            keys: .init(p256dh: Self.p256dh, auth: Self.auth)
        )
        let endpoint = try #require(WebPushEndpoint(subscription.endpoint))
        var shown = "\(endpoint) \(subscription)"
        dump(subscription, to: &shown)
        dump(endpoint, to: &shown)
        let registration = DeviceRegistration(address: .webPush(subscription))
        dump(registration, to: &shown)
        shown += "\(registration)"
        for secret in ["canary", Self.auth, Self.p256dh] { #expect(!shown.contains(secret), "\(shown)") }
    }

    @Test(
        arguments: [
            (201, .delivered), (200, .delivered), (202, .delivered), (404, .gone), (410, .gone), (413, .rejected),
            (400, .rejected), (429, .retry), (406, .retry), (401, .retry), (403, .retry), (408, .retry), (500, .retry),
            (503, .retry), (302, .rejected),
        ] as [(Int, OutcomeKind)]
    )
    func eachStatusHasAnOutcome(status: Int, kind: OutcomeKind) {
        let response = HTTPResponse(status: status, headers: [], body: Data(), finalURL: "")
        #expect(OutcomeKind(WebPushAnswer.outcome(response)) == kind)
    }

    @Test func theTimeThatAServiceAsksForIsPassedOn() {
        let headers: HTTPHeaders = [HTTPHeader("Retry-After", "120")]
        let response = HTTPResponse(status: 429, headers: headers, body: Data(), finalURL: "")
        guard case .retry(let wait, _, _) = WebPushAnswer.outcome(response) else {
            Issue.record("429 is no retry")
            return
        }
        #expect(wait == .seconds(120))
    }

    @Test func aLongTextIsShortenedUntilItFits() throws {
        var message = WebPushMessage(action: .notify, subject: "widget/news", title: "T", text: "")
        for character in ["x", "\u{1F469}\u{200D}\u{1F469}\u{200D}\u{1F467}\u{200D}\u{1F466}", "\u{1}"] {
            message.text = String(repeating: character, count: 10_000)
            let data = try message.encoded()
            #expect(data.count <= WebPushEncryption.maximumTextBytes)
            let text = try #require(try WireJSON.decode(WebPushMessage.self, from: data).text)
            #expect(text.count >= 50)
        }
    }

    private func makeSender(
        _ subscription: WebPushSubscription,
        answer: Int
    ) throws -> (WebPushSender, RecordingTransport) {
        let transport = RecordingTransport { _ in
            .success(HTTPResponse(status: answer, headers: [], body: Data(), finalURL: ""))
        }
        let key = VAPIDKey(key: try #require(P256PrivateKey()), contact: "mailto:admin@example.org")
        let options = WebPushSender.Options(key: key, notifies: { _ in true }, name: { _ in "The news" })
        return (try #require(WebPushSender(subscription, options, transport: transport)), transport)
    }
}
