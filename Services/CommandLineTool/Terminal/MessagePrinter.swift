// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Locking
import MessageBus
import WidgetSchema

/// A formatter that converts messages to lines of text.
///
/// Updates become rows of a table with one header. Every other message becomes a line with its topic, sequence number
/// and size.
final class MessagePrinter: Sendable {
    private let table: UpdateTable
    private let hasHeader = Lock(false)

    init(_ terminal: Terminal) { table = UpdateTable(terminal) }

    /// Returns the lines of one message, each with its newline.
    func text(_ message: BusMessage) -> String {
        let json = message.frames.first ?? Data()
        if message.topic.text.hasPrefix(Topic.Prefix.update),
            let event = try? WireJSON.decode(Event<Update>.self, from: json)
        {
            return text(event)
        }
        let sequence = (try? WireJSON.decode(Numbered.self, from: json))?.sequence.map { "  \($0.number)" } ?? ""
        let bytes = message.frames.map(\.count).reduce(0, +)
        return "\(Self.printable(message.topic.text))\(sequence)  \(bytes) bytes\n"
    }

    /// Returns the row of an update with its newline; the first call also returns the table's header, before the row.
    func text(_ event: Event<Update>) -> String {
        let isFirst = hasHeader.withLock { hasHeader in
            defer { hasHeader = true }
            return !hasHeader
        }
        return (isFirst ? table.header + "\n" : "") + table.row(event) + "\n"
    }

    /// The only part of a message's JSON that is decoded: the sequence number, if the message has one.
    private struct Numbered: Decodable {
        var sequence: SequenceNumber?
    }

    /// Returns the text with `?` for each control character, because untrusted topics must not control a terminal.
    static func printable(_ text: String) -> String {
        String(
            String.UnicodeScalarView(text.unicodeScalars.map { $0.properties.generalCategory == .control ? "?" : $0 })
        )
    }
}
