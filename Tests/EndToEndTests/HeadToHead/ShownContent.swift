// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import MessageBus
import TestSupport
import WidgetSchema

/// Requests to the cache for a widget's content, and commands, sent as any client sends them.
enum ShownContent {
    static func feed(_ widget: String, _ system: RunningSystem) async throws -> FeedContent {
        guard case .feed(let feed) = try await content(widget, system) else {
            throw DidNotArrive("the content of \(widget) is not a feed")
        }
        return feed
    }

    static func content(_ widget: String, _ system: RunningSystem) async throws -> Content {
        guard let id = WidgetID(rawValue: widget) else { throw DidNotArrive("\(widget) is a widget id") }
        return try await withBusClient(BusConfiguration(address: system.address)) { client in
            let (_, contents) = try await client.ask(
                RequestTarget(.cache),
                SnapshotRequest<Refreshed>(widgets: [id]),
                deadline: .seconds(10)
            )
            guard let bytes = contents.first else { throw DidNotArrive("\(widget) has no content") }
            return try WireJSON.decode(Content.self, from: bytes)
        }
    }

    /// Sends a command, and waits for the number of its cycle.
    static func send(
        _ command: Command,
        counter: UInt64,
        to widget: String,
        display: String? = nil,
        _ system: RunningSystem
    ) async throws -> UInt64 {
        guard let id = WidgetID(rawValue: widget) else { throw DidNotArrive("\(widget) is a widget id") }
        return try await withBusClient(BusConfiguration(address: system.address)) { client in
            let request = CommandRequest(
                client: "test",
                counter: counter,
                widget: id,
                command: command,
                display: display.flatMap { DisplayName(rawValue: $0) }
            )
            let (answer, _) = try await client.ask(RequestTarget(.cache), request, deadline: .seconds(20))
            return answer.sequence.number
        }
    }

    /// Pushes content as an app does, and waits for the number of its cycle.
    static func push(
        _ content: Content,
        counter: UInt64,
        to widget: String = "w",
        hasContent: Bool? = nil,
        _ system: RunningSystem
    ) async throws -> UInt64 {
        guard let id = WidgetID(rawValue: widget) else { throw DidNotArrive("\(widget) is a widget id") }
        return try await withBusClient(BusConfiguration(address: system.address)) { client in
            let request = PushRequest(
                client: "app",
                counter: counter,
                widget: id,
                content: content,
                hasContent: hasContent
            )
            return try await client.ask(RequestTarget(.cache), request, deadline: .seconds(20)).0.sequence.number
        }
    }
}
