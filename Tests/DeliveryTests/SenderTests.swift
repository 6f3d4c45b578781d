// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Configuration
import Foundation
import HTTPTransport
import Locking
import ServiceRuntime
import TestSupport
import Testing
import WebServer
import WidgetSchema

@testable import Delivery

/// Tests of the senders against real servers and programs.
@Suite(.timeLimit(.minutes(2))) struct SenderTests {
    private typealias Destination = TidingsConfiguration.Destination

    private static let secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

    private func make(
        _ kind: TidingsConfiguration.Destination.Kind,
        _ change: (inout TidingsConfiguration.Destination) -> Void
    ) throws -> TidingsConfiguration.Destination {
        var made = Destination(name: try destination("hook"), kind: kind)
        made.allowPrivateNetworks = true
        change(&made)
        return made
    }

    private func attempt(_ body: Data = Data("{}".utf8), number: Int = 1) throws -> DeliveryAttempt {
        DeliveryAttempt(
            message: "msg_p5jXN8AQM9LWM0D4loKWxJek",
            destination: try destination("hook"),
            subject: .widget(try widget("news")),
            number: number,
            body: body,
            time: Instant(milliseconds: 1_614_265_330_000),
            timeout: .seconds(5)
        )
    }

    private func event(_ summary: String) throws -> Data {
        let news = try widget("news")
        let data = Update.sample(.newData, .visibleChange) { $0.summary = summary }
        return try WireJSON.encode(
            Event(.update(.newData, news), widget: news, range: SequenceRange(1), time: at(0), data: data)
        )
    }

    private func send(_ sender: any Sender, _ attempt: DeliveryAttempt) async -> DeliveryOutcome {
        await withCheckedContinuation { continuation in
            sender.send(attempt) { continuation.resume(returning: $0) }
        }
    }

    private func withHTTP<Value>(_ body: (HTTPClient) async throws -> Value) async throws -> Value {
        try await withHTTPClient(configuration: DeliveryService.client, body)
    }

    private func programs() -> WorkerPool<Void> {
        WorkerPool<Void>(named: "program", WorkerPool<Void>.Options(threads: 1)) {}
    }

    // MARK: Webhooks

    // The example of the specification's libraries, which other implementations verify.
    @Test func aSignatureIsThatOfTheStandard() throws {
        let key = try #require(Destination.key(ofSecret: Self.secret))
        let headers = WebhookSender.signatureHeaders(
            of: Data(#"{"test": 2432232314}"#.utf8),
            id: "msg_p5jXN8AQM9LWM0D4loKWxJek",
            at: Instant(milliseconds: 1_614_265_330_999),
            keys: [key]
        )
        #expect(headers.map(\.name) == ["webhook-id", "webhook-timestamp", "webhook-signature"])
        #expect(
            headers.map(\.value) == [
                "msg_p5jXN8AQM9LWM0D4loKWxJek", "1614265330", "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
            ]
        )
    }

    @Test func aWebhookCarriesTheBytesAndBothSignaturesOfARotation() async throws {
        try await withReceiver { receiver, address in
            try await withHTTP { http in
                let hook = try make(.webhook) {
                    $0.url = address + "/in"
                    $0.secrets = [Self.secret, "whsec_" + Data(repeating: 7, count: 32).base64EncodedString()]
                    $0.headers = ["X-Key": "k"]
                }
                let body = try event("a")
                #expect(await send(WebhookSender(hook, http: http), try attempt(body)) == .delivered)
                let request = try #require(receiver.requests.first)
                #expect(request.body == body && request.path == "/in" && request.headers["x-key"] == "k")
                #expect(request.headers["content-type"] == "application/cloudevents+json; charset=utf-8")
                let signatures = try #require(request.headers["webhook-signature"]).split(separator: " ")
                #expect(signatures.count == 2 && signatures.allSatisfy { $0.hasPrefix("v1,") })
            }
        }
    }

    @Test func eachAnswerHasItsOutcome() async throws {
        try await withReceiver { receiver, address in
            try await withHTTP { http in
                let sender = WebhookSender(try make(.webhook) { $0.url = address }, http: http)
                let cases: [(status: Int, headers: [String: String], outcome: DeliveryOutcome)] = [
                    (200, [:], .delivered), (204, [:], .delivered),
                    (410, [:], .gone(reason: "The server answered 410.")),
                    (400, [:], .rejected(reason: "The server answered 400.")),
                    (422, [:], .rejected(reason: "The server answered 422.")),
                    (401, [:], .retry(after: nil, reason: "The server answered 401.")),
                    (500, [:], .retry(after: nil, reason: "The server answered 500.", isServerFailure: true)),
                    (429, ["Retry-After": "120"], .retry(after: .seconds(120), reason: "The server answered 429.")),
                ]
                receiver.answer(with: cases.map { ($0.status, $0.headers) })
                for one in cases { #expect(await send(sender, try attempt()) == one.outcome) }
                receiver.answer(with: [(302, ["Location": "/elsewhere"])])
                guard case .retry = await send(sender, try attempt()) else {
                    Issue.record("a redirect is not followed")
                    return
                }
                #expect(receiver.requests.count == cases.count + 1)
            }
        }
    }

    @Test func aClosedPortIsTriedAgainASilentServerMayHaveGotItAndAPrivateAddressGetsNothing() async throws {
        try await withHTTP { http in
            let closed = WebhookSender(try make(.webhook) { $0.url = "http://127.0.0.1:1/" }, http: http)
            guard case .retry(nil, _, true) = await send(closed, try attempt()) else {
                Issue.record("nothing was sent")
                return
            }
            try await withRawServer(answer: { connection in _ = connection.receiveHead() }) { server in
                let hook = try make(.webhook) { $0.url = "http://127.0.0.1:\(server.port)/" }
                let silent = WebhookSender(hook, http: http)
                guard case .unknown = await send(silent, try attempt()) else {
                    Issue.record("the server closed without an answer")
                    return
                }
            }
            try await withReceiver { receiver, address in
                let guarded = WebhookSender(
                    try make(.webhook) { ($0.url, $0.allowPrivateNetworks) = (address, false) },
                    http: http
                )
                guard case .retry(nil, let reason, false) = await send(guarded, try attempt()) else {
                    Issue.record("the address is rejected")
                    return
                }
                #expect(reason.contains("loopback") && receiver.requests.isEmpty)
            }
        }
    }

    @Test func aDateInRetryAfterIsReadToo() {
        let now = Instant(milliseconds: 784_111_777_000)
        #expect(WebOutcome.retryAfter("Sun, 06 Nov 1994 08:50:37 GMT", now: now) == .seconds(60))
        #expect(WebOutcome.retryAfter("soon", now: now) == nil)
    }

    // MARK: ntfy

    @Test func anNtfyNotificationNamesItsTopicAndReplacesThatOfItsWidget() async throws {
        struct Notification: Decodable {
            var topic: String
            var title: String
            var message: String
            var priority: Int?
        }
        try await withReceiver { receiver, address in
            try await withHTTP { http in
                let phone = try make(.ntfy) {
                    $0.url = address + "/base/news"
                    $0.token = "tk_1"
                    $0.replaces = true
                }
                let names = SubjectNames(widgets: [try widget("news"): "Neuigkeiten – äöü"])
                let sender = NtfySender(phone, names, http: http)
                var urgent = try attempt(try event(String(repeating: "ä", count: 3_000)))
                urgent.isHighPriority = true
                #expect(await send(sender, urgent) == .delivered)
                #expect(await send(sender, try attempt(try event("b"))) == .delivered)
                let requests = receiver.requests
                #expect(requests.map(\.path) == ["/base/", "/base/"])
                let first = try WireJSON.decode(Notification.self, from: requests[0].body)
                #expect(first.topic == "news" && first.title == "Neuigkeiten – äöü" && first.priority == 4)
                #expect(first.message.utf8.count <= 4_000 && first.message.hasSuffix("ä…"))
                #expect(try WireJSON.decode(Notification.self, from: requests[1].body).message == "b")
                #expect(requests[0].headers["x-sequence-id"] == requests[1].headers["x-sequence-id"])
                #expect(requests[0].headers["x-sequence-id"]?.isEmpty == false)
                #expect(requests[0].headers["authorization"] == "Bearer tk_1")
            }
        }
    }

    // MARK: Programs

    private func command(_ script: String) throws -> CommandSender {
        CommandSender(try make(.command) { $0.command = ["sh", "-c", script] }, programs: programs())
    }

    @Test func aCommandGetsTheEventOnItsStandardInput() async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appending(path: "got").path
            // More than a pipe may have.
            let body = Data(repeating: UInt8(ascii: "x"), count: 3_000_000)
            let sender = try command("cat > \(file); printf %s \"$TIDINGS_SUBJECT $TIDINGS_ATTEMPT\" >> \(file)")
            #expect(await send(sender, try attempt(body, number: 3)) == .delivered)
            let got = try Data(contentsOf: URL(filePath: file))
            #expect(got == body + Data("widget/news 3".utf8))
        }
    }

    @Test func theEndOfACommandIsItsOutcome() async throws {
        let rejected = await send(try command("exit 65"), try attempt())
        #expect(rejected == .rejected(reason: "The program ended with status 65."))
        let failed = await send(try command("exit 1"), try attempt())
        #expect(failed == .retry(after: nil, reason: "The program ended with status 1."))
        let killed = await send(try command("kill -9 $$"), try attempt())
        #expect(killed == .unknown(reason: "The program was ended by signal 9."))
        let missing = CommandSender(try make(.command) { $0.command = ["/nowhere/program"] }, programs: programs())
        guard case .retry(nil, let reason, true) = await send(missing, try attempt()) else {
            Issue.record("it could not be started")
            return
        }
        #expect(reason.contains("could not be started"))
    }

    @Test func aCommandThatHangsIsKilledWithItsChildren() async throws {
        var slow = try attempt()
        slow.timeout = .milliseconds(300)
        let begun = ContinuousClock.now
        let outcome = await send(try command("sleep 60 & sleep 60"), slow)
        #expect(outcome == .unknown(reason: "The program did not end in time, and was killed."))
        #expect(ContinuousClock.now - begun < .seconds(20))
    }

    @Test func aProgramGetsNoVariableOfTheServiceThatMayBeASecret() async throws {
        try await withTemporaryFolder { folder in
            setenv("DELIVERY_TEST_CANARY", "c4nary", 1)
            let file = folder.appending(path: "environment").path
            #expect(await send(try command("env > \(file)"), try attempt()) == .delivered)
            let text = try String(contentsOfFile: file, encoding: .utf8)
            #expect(text.contains("TIDINGS_MESSAGE=msg_") && !text.contains("c4nary"))
        }
    }

    // A stand-in for the program in PATH, which records what it gets and ends as the fact sheet says.
    @Test func appriseGetsItsAddressesOnlyInItsEnvironment() async throws {
        try await withTemporaryFolder { folder in
            let record = folder.appending(path: "record").path
            let program = folder.appending(path: "apprise")
            let script = """
                #!/bin/sh
                printf '%s\\n' "$@" > \(record)
                cat >> \(record)
                case "$APPRISE_URLS" in json://token@host) exit 0;; *partial*) exit 4;; *wrong*) exit 3;; *) exit 1;; esac
                """
            try Data(script.utf8).write(to: program)
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program.path)
            let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
            setenv("PATH", "\(folder.path):\(path)", 1)
            defer { setenv("PATH", path, 1) }
            func sender(_ urls: String) throws -> AppriseSender {
                AppriseSender(
                    try make(.apprise) { $0.urls = urls },
                    SubjectNames(),
                    pictures: StillPictures(),
                    programs: programs()
                )
            }
            let message = try attempt(try event("Ein Satz"))
            #expect(await send(try sender("json://token@host"), message) == .delivered)
            let text = try String(contentsOfFile: record, encoding: .utf8)
            #expect(text == "--title=news\nEin Satz" && !text.contains("token"))
            guard case .gone = await send(try sender("wrong"), message) else {
                Issue.record("a wrong configuration is not tried again")
                return
            }
            guard case .unknown = await send(try sender("partial"), message) else {
                Issue.record("some of the addresses got it")
                return
            }
            guard case .retry = await send(try sender("down"), message) else {
                Issue.record("any other failure is tried again")
                return
            }
        }
    }
}

/// No pictures.
private final class StillPictures: PictureProvider {
    func picture(of request: PictureRequest, completion: @escaping @Sendable (Data?) -> Void) { completion(nil) }
}
