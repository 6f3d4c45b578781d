// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

package import MessageBus

/// A test waited for something that did not come.
package struct DidNotArrive: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}

extension BusClient {
    /// Reads inputs until one is what the test waits for; those before it are dropped.
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
}
