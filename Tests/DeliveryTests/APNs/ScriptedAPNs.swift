// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import HTTPTransport
import ServiceRuntime
import TestSupport
import Testing
import WidgetSchema

@testable import Delivery

/// A server in the place of Apple's push service, and a client that trusts it.
struct ScriptedAPNs {
    let server: APNsServer
    let origin: String
    let client: HTTPClient

    /// Runs `body` with a server and a client; `script` has the actions for each token as JSON.
    static func with<Value>(
        _ script: String = "{}",
        streams: Int = 100,
        _ body: (ScriptedAPNs) async throws -> Value
    ) async throws -> Value {
        try await APNsServer.with(script, streams: streams) { server in
            let configuration = HTTPClientConfiguration(
                userAgent: "Tidings/test",
                maximumConnectionsPerServer: APNsService.connections,
                certificateFile: server.certificate,
                allowedAddresses: [try #require(IPAddress("127.0.0.1"))]
            )
            return try await withHTTPClient(configuration: configuration) { client in
                let origin = "https://127.0.0.1:\(server.port)"
                return try await body(ScriptedAPNs(server: server, origin: origin, client: client))
            }
        }
    }

    /// Returns a service with a key of its own.
    func service() async throws -> APNsService {
        let origin = origin
        return APNsService(key: try await APNsTests.key(), transport: client, origin: { _ in origin }, clock: { .now })
    }

    func next() async throws -> APNsServer.Received { try await server.next() }

    func send(
        _ token: String,
        with service: APNsService,
        message: String = "msg_1"
    ) async throws -> DeliveryOutcome {
        try await Sending(service: service).send(token, message: message)
    }

    /// The sending of pushes with a service.
    struct Sending: Sendable {
        let service: APNsService

        func send(_ token: String, message: String) async throws -> DeliveryOutcome {
            let push = APNsPush(
                message: message,
                subject: .widget(try #require(WidgetID(rawValue: "news"))),
                sequence: 7,
                time: PushSamples.time
            )
            let request = APNsService.Request(
                push: push,
                registration: PushSamples.apns(token),
                registered: PushSamples.time,
                timeout: .seconds(20)
            )
            return await outcome { service.send(request, completion: $0) }
        }
    }
}
