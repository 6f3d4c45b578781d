// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import ServiceRuntime
import TestSupport
import Testing
import WidgetSchema

@testable import Delivery

/// Pushes over HTTP/2 and TLS, to a server that is none of ours.
@Suite(.serialized, .timeLimit(.minutes(3))) struct APNsServerTests {
    private static let token = String(repeating: "ab", count: 32)

    @Test func eachAnswerOfTheServerHasItsOutcome() async throws {
        let answers = APNsTests.answers
        func token(_ index: Int) -> String { String(repeating: "0", count: 60) + String(index + 4_096, radix: 16) }
        let script = answers.enumerated().map { index, answer in
            #""\#(token(index))":[[\#(answer.status),"\#(answer.reason)",{"timestamp":\#(PushSamples.time.milliseconds)}]]"#
        }
        try await ScriptedAPNs.with("{\(script.joined(separator: ","))}") { server in
            for (index, answer) in answers.enumerated() {
                // A service of its own, because some answers make all other requests of a service wait.
                let outcome = try await server.send(token(index), with: try await server.service())
                #expect(OutcomeKind(outcome) == answer.kind, "\(answer.status) \(answer.reason): \(outcome)")
                #expect(!"\(outcome)".contains(token(index)))
                #expect(try await server.next().connection == 1, "answers of every kind keep the connection")
            }
        }
    }

    @Test func aPushHasTheHeadersThatAppleDemands() async throws {
        try await ScriptedAPNs.with { server in
            let service = try await server.service()
            #expect(try await server.send(Self.token, with: service) == .delivered)
            #expect(try await server.send(Self.token, with: service, message: "msg_2") == .delivered)
            let (first, second) = (try await server.next(), try await server.next())
            #expect(first.headers[":path"] == "/3/device/\(Self.token)")
            #expect(first.headers[":method"] == "POST")
            #expect(first.headers["apns-push-type"] == "widgets")
            #expect(first.headers["apns-topic"] == "org.example.News.push-type.widgets")
            #expect(first.headers["apns-expiration"] == String(PushSamples.time.milliseconds / 1000 + 86_400))
            #expect(first.body == #"{"aps":{"content-changed":true}}"#)
            #expect(first.headers["authorization"] == second.headers["authorization"], "the token is used again")
            #expect(first.headers["apns-id"] != second.headers["apns-id"])
            #expect(first.connection == second.connection)
        }
    }

    // Apple allows one request at a time after each rejected one.
    @Test func aServerWithOneStreamGetsAllPushesOverOneConnection() async throws {
        try await ScriptedAPNs.with(streams: 1) { server in
            let service = try await server.service()
            try await withThrowingTaskGroup(of: DeliveryOutcome.self) { group in
                for number in 0..<50 {
                    group.addTask { try await server.send(Self.token, with: service, message: "msg_\(number)") }
                }
                for try await outcome in group { #expect(outcome == .delivered) }
            }
            var ids: Set<String?> = []
            for _ in 0..<50 {
                let received = try await server.next()
                #expect(received.connection == 1)
                ids.insert(received.headers["apns-id"])
            }
            #expect(ids.count == 50)
        }
    }

    // A refused stream, GOAWAY and a connection that closes: the push is sent again with the same id.
    @Test(arguments: ["refuse", "goaway", "close"])
    func aPushWithoutAnAnswerIsRepeated(action: String) async throws {
        try await ScriptedAPNs.with(#"{"\#(Self.token)":["\#(action)"]}"#) { server in
            #expect(try await server.send(Self.token, with: try await server.service()) == .delivered)
            let (first, second) = (try await server.next(), try await server.next())
            #expect(first.headers["apns-id"] == second.headers["apns-id"])
        }
    }

    @Test(arguments: ["goaway", "close"])
    func aPushThatNeverGetsAnAnswerIsUnknown(action: String) async throws {
        let actions = Array(repeating: #""\#(action)""#, count: 16).joined(separator: ",")
        try await ScriptedAPNs.with(#"{"\#(Self.token)":[\#(actions)]}"#) { server in
            let outcome = try await server.send(Self.token, with: try await server.service())
            #expect(OutcomeKind(outcome) == .unknown)
        }
    }

    // A 200 counts only if the stream ended without an error.
    @Test(arguments: ["reset", "headers"])
    func aResetAfterTheHeadersIsNoSuccess(action: String) async throws {
        let actions = Array(repeating: #""\#(action)""#, count: 16).joined(separator: ",")
        try await ScriptedAPNs.with(#"{"\#(Self.token)":[\#(actions)]}"#) { server in
            let outcome = try await server.send(Self.token, with: try await server.service())
            #expect(OutcomeKind(outcome) == .unknown)
        }
    }

    @Test func aServerThatIsNotThereIsTriedLater() async throws {
        let origin = try await ScriptedAPNs.with { server in server.origin }
        try await ScriptedAPNs.with { server in
            let service = APNsService(
                key: try await APNsTests.key(),
                transport: server.client,
                origin: { _ in origin },
                clock: { .now }
            )
            #expect(OutcomeKind(try await server.send(Self.token, with: service)) == .retry)
        }
    }

    @Test func theCheckNeedsAnyAnswer() async throws {
        try await ScriptedAPNs.with(#"{"":[[405,"MethodNotAllowed"]]}"#) { server in
            let service = try await server.service()
            let result = await outcome { service.check(.production, timeout: .seconds(20), completion: $0) }
            #expect(result == .delivered)
        }
    }
}
