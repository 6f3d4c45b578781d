// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import MessageBus
import TestSupport
import WidgetSchema

extension BusClient {
    /// Asks the bus for its health.
    func busHealth() async throws -> Health {
        try await ask(RequestTarget(.bus), HealthRequest(), deadline: .seconds(20)).result.health
    }

    func nextRequest() async throws -> IncomingRequest {
        try await first("a request") { if case .request(let request) = $0 { request } else { nil } }
    }
}

extension SubscriptionMessages {
    func firstMessage() async throws -> BusMessage {
        for await case .message(let message) in self { return message }
        throw DidNotArrive("a message")
    }
}

extension Endpoint {
    /// The number of the TCP port; 0 for a local socket.
    var port: Int { if case .tcp(_, let port) = self { Int(port) } else { 0 } }
}
