// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
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
        let contents = try await system.ask(.cache, SnapshotRequest<Refreshed>(widgets: [try id(widget)])).contents
        guard let bytes = contents.first else { throw DidNotArrive("\(widget) has no content") }
        return try WireJSON.decode(Content.self, from: bytes)
    }

    static func id(_ widget: String) throws -> WidgetID {
        guard let id = WidgetID(rawValue: widget) else { throw DidNotArrive("\(widget) is a widget id") }
        return id
    }

    /// Sends a command, and waits for the number of its cycle.
    static func send(
        _ command: Command,
        counter: UInt64,
        to widget: String,
        display: String? = nil,
        _ system: RunningSystem
    ) async throws -> UInt64 {
        let request = CommandRequest(
            client: "test",
            counter: counter,
            widget: try id(widget),
            command: command,
            display: display.flatMap { DisplayName(rawValue: $0) }
        )
        return try await system.ask(.cache, request).result.sequence.number
    }

    /// Pushes content as an app does, and waits for the number of its cycle.
    static func push(
        _ content: Content,
        counter: UInt64,
        to widget: String = "w",
        hasContent: Bool? = nil,
        _ system: RunningSystem
    ) async throws -> UInt64 {
        var request = PushRequest(client: "app", counter: counter, widget: try id(widget), content: content)
        request.hasContent = hasContent
        return try await system.ask(.cache, request).result.sequence.number
    }
}
