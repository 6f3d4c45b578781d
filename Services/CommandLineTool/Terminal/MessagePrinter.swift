// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import MessageBus
import Synchronization
import WidgetSchema

/// A printer for messages: updates as rows under one header, others by topic, sequence number and size.
final class MessagePrinter: Sendable {
    private let table: UpdateTable
    private let hasHeader = Mutex(false)

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

    /// Returns the row of an update with its newline, after the header if it is the first one.
    func text(_ event: Event<Update>) -> String {
        let isFirst = hasHeader.withLock { hasHeader in
            defer { hasHeader = true }
            return !hasHeader
        }
        return (isFirst ? table.header + "\n" : "") + table.row(event) + "\n"
    }

    /// The sequence number of any stream message.
    private struct Numbered: Decodable {
        var sequence: SequenceNumber?
    }

    /// Returns a text without control characters, because topics are untrusted and must not control a terminal.
    static func printable(_ text: String) -> String {
        String(
            String.UnicodeScalarView(text.unicodeScalars.map { $0.properties.generalCategory == .control ? "?" : $0 })
        )
    }
}
