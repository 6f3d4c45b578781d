// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

package import MessageBus
package import WidgetSchema

/// The error for an input that a test waited for and that did not arrive.
package struct DidNotArrive: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}

extension BusClient {
    /// Reads inputs until one matches; earlier inputs are dropped.
    package func first<Found>(_ what: String, where match: (BusInput) throws -> Found?) async throws -> Found {
        for await input in inputs {
            if let found = try match(input) { return found }
        }
        throw DidNotArrive(what)
    }

    package func waitUntilReady() async throws {
        try await first("ready") { if case .ready = $0 { () } else { nil } }
    }

    package func waitUntilPublisherConnected(again: Bool = false) async throws {
        try await first("the publisher's connection") {
            if case .publisherConnected(again) = $0 { () } else { nil }
        }
    }

    /// Reads heartbeats until one matches; earlier inputs are dropped.
    package func health<Found>(
        _ what: String,
        where match: (_ health: Health, _ instance: String) -> Found?
    ) async throws -> Found {
        try await first(what) { input in
            guard case .message(let topic, let frames) = input, let json = frames.first else { return nil }
            let health = try WireJSON.decode(Event<Health>.self, from: json).data
            return match(health, topic.text.split(separator: "/").last.map(String.init) ?? "")
        }
    }
}
