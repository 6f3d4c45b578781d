// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import MessageBus
import TestSupport
import WidgetSchema

/// The layout that a display shows, requested as by any client.
struct ShownLayout {
    let layout: Layout

    /// Returns the picture of a display's layout, as the text of an SVG.
    static func svg(_ widget: String, on display: String, _ system: RunningSystem) async throws -> String {
        guard let id = WidgetID(rawValue: widget), let display = DisplayName(rawValue: display) else {
            throw DidNotArrive("\(widget) and \(display) are ids")
        }
        let frames = try await withBusClient(BusConfiguration(address: system.address)) { client in
            try await client.ask(
                RequestTarget(.layout),
                RenderRequest(widget: id, display: display, format: .svg),
                deadline: .seconds(20)
            ).1
        }
        guard let picture = frames.first else { throw DidNotArrive("a picture of \(widget)") }
        return String(decoding: picture, as: UTF8.self)
    }

    /// `sequence` asks for the layout as it was in that cycle; without it, for the latest.
    init(_ widget: String, on display: String, at sequence: UInt64? = nil, _ system: RunningSystem) async throws {
        guard let widget = WidgetID(rawValue: widget), let display = DisplayName(rawValue: display) else {
            throw DidNotArrive("\(widget) and \(display) are ids")
        }
        let answer = try await withBusClient(BusConfiguration(address: system.address)) { client in
            try await client.ask(
                RequestTarget(.layout),
                RenderRequest(widget: widget, display: display, sequence: sequence.map { SequenceNumber($0) }),
                deadline: .seconds(20)
            ).0
        }
        guard let layout = answer.layout else { throw DidNotArrive("a layout of \(widget)") }
        self.layout = layout
    }

    /// The text of each label, from top to bottom as the tree has them.
    var texts: [String] { Self.all(layout.views).compactMap { $0.text?.lines.map(\.text).joined(separator: " ") } }

    /// The actions of taps.
    var actions: [LayoutAction] { Self.all(layout.views).compactMap(\.action) }

    /// The names of the icons, from top to bottom as the tree has them.
    var symbols: [String] { Self.all(layout.views).compactMap(\.image?.symbol) }

    var rows: [LayoutView] { Self.all(layout.views).filter { $0.kind == .row } }

    private static func all(_ views: [LayoutView]) -> [LayoutView] {
        views.flatMap { [$0] + all($0.views ?? []) }
    }
}

extension IndependentReader {
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
