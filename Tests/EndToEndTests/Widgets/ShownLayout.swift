// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import TestSupport
import WidgetSchema

/// The layout that a display shows, requested as by any client.
struct ShownLayout {
    let layout: Layout

    /// Returns the picture of a display's layout, as the text of an SVG.
    static func svg(_ widget: String, on display: String, _ system: RunningSystem) async throws -> String {
        let request = try request(widget, on: display, format: .svg)
        guard let picture = try await system.ask(.layout, request).contents.first else {
            throw DidNotArrive("a picture of \(widget)")
        }
        return String(decoding: picture, as: UTF8.self)
    }

    private static func request(
        _ widget: String,
        on display: String,
        at sequence: UInt64? = nil,
        format: RenderFormat? = nil
    ) throws -> RenderRequest {
        guard let display = DisplayName(rawValue: display) else { throw DidNotArrive("\(display) is a display") }
        let sequence = sequence.map { SequenceNumber($0) }
        return RenderRequest(widget: try ShownContent.id(widget), display: display, sequence: sequence, format: format)
    }

    /// `sequence` asks for the layout as it was in that cycle; without it, for the latest.
    init(_ widget: String, on display: String, at sequence: UInt64? = nil, _ system: RunningSystem) async throws {
        let request = try Self.request(widget, on: display, at: sequence)
        guard let layout = try await system.ask(.layout, request).result.layout else {
            throw DidNotArrive("a layout of \(widget)")
        }
        self.layout = layout
    }

    /// The text of each label, from top to bottom as the tree has them.
    var texts: [String] { Self.all(layout.views).compactMap { $0.text?.lines.map(\.text).joined(separator: " ") } }

    /// The actions of taps.
    var actions: [LayoutAction] { Self.all(layout.views).compactMap(\.action) }

    /// The names of the icons, from top to bottom as the tree has them.
    var symbols: [String] { Self.all(layout.views).compactMap(\.image?.symbol) }

    var rows: [LayoutView] { Self.all(layout.views).filter { $0.kind == .row } }

    private static func all(_ views: [LayoutView]) -> [LayoutView] { views.flatMap { [$0] + all($0.views ?? []) } }
}

extension IndependentReader {
    /// Pushes content to a widget, and waits for the update of its cycle.
    @discardableResult
    func push(
        _ content: Content,
        counter: UInt64,
        to widget: String = "w",
        hasContent: Bool? = nil,
        _ system: RunningSystem
    ) async throws -> Seen {
        let number = try await ShownContent.push(content, counter: counter, to: widget, hasContent: hasContent, system)
        return try await next("push \(counter) to \(widget)", of: widget) { $0.sequence == number }
    }

    /// Sends a command to a widget, and waits for the update of its cycle.
    @discardableResult
    func press(
        _ command: Command,
        counter: UInt64,
        to widget: String = "w",
        display: String? = nil,
        _ system: RunningSystem
    ) async throws -> Seen {
        let number = try await ShownContent.send(command, counter: counter, to: widget, display: display, system)
        return try await next("press \(counter) of \(widget)", of: widget) { $0.sequence == number }
    }

    /// Waits for the update of a cycle of `w`.
    func verdict(of number: UInt64, _ what: String) async throws -> Seen {
        try await next(what) { $0.sequence == number }
    }

    /// Waits for an update of a widget after that number, and gives the first of them.
    func next(
        _ what: String,
        of widget: String = "w",
        after number: UInt64 = 0,
        where matches: @escaping @Sendable (Seen) -> Bool
    ) async throws -> Seen {
        let isIt: @Sendable (Seen) -> Bool = { $0.widget == widget && $0.sequence > number && matches($0) }
        try await read(what) { $0.updates.contains(where: isIt) }
        guard let seen = record.updates.first(where: isIt) else { throw DidNotArrive(what) }
        return seen
    }
}
