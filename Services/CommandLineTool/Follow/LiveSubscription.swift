// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import MessageBus
import WidgetSchema

/// The loop of `tidings subscribe` without `--since`: it shows messages as they are published.
struct LiveSubscription {
    private let session: BusSession
    private let prefixes: [String]
    private let printer: MessagePrinter?
    private var left: Int
    private var seen = SeenUpdates()
    private var dropped: Int64 = 0

    /// Connects to the bus, waits until the subscriptions are active, and warns about unknown widgets in the prefixes.
    ///
    /// `printer` formats the messages; if it is nil, the JSON of each message is printed unchanged. The output ends
    /// after `count` messages.
    init(_ prefixes: [String], at address: BusAddresses, _ printer: MessagePrinter?, count: Int) throws {
        self.prefixes = prefixes
        self.printer = printer
        left = count
        // The notifier's heads show how many updates were missed while the connection was lost.
        let heads = Self.showsEveryUpdate(prefixes) ? [Topic.heads(of: .notifier).text] : []
        session = try BusSession(address, subscriptions: prefixes + heads)
        Terminal.onOutputClosed(session.end)
        let widgets = prefixes.compactMap(TopicPrefix.widget)
        if !widgets.isEmpty { warn(widgets) }
    }

    /// Returns whether one of the prefixes matches all updates; only then can missing sequence numbers be detected.
    private static func showsEveryUpdate(_ prefixes: [String]) -> Bool {
        prefixes.contains { Topic.Prefix.update.hasPrefix($0) }
    }

    private func warn(_ widgets: [WidgetID]) {
        let known = KnownWidgets.all(session)
        guard !known.isEmpty else { return }
        for widget in Set(widgets).subtracting(known).sorted() {
            let hint = KnownWidgets.suggestion(for: widget, among: known)
            Program.note("there is no update of a widget '\(widget)' yet\(hint)")
        }
    }

    /// Shows messages until their number reaches `count`, the output is closed, or the session ends.
    mutating func run() throws {
        defer { session.close() }
        while left > 0, let sign = session.next() {
            switch sign {
            case .message(let message): try show(message)
            case .resubscribed:
                seen.mayHaveMissed()
                if !Self.showsEveryUpdate(prefixes) {
                    Program.note(
                        "connected to the bus again; messages published in the meantime are missing "
                            + "(use --since SEQUENCE to get updates)"
                    )
                }
            case .ended: return
            }
            if session.dropped > dropped {
                dropped = session.dropped
                seen.mayHaveMissed()
                Program.note("output is too slow; \(dropped) messages were dropped so far")
            }
        }
    }

    private mutating func show(_ message: BusMessage) throws {
        let json = message.frames.first ?? Data()
        if message.topic == Topic.heads(of: .notifier) {
            if let event = try? WireJSON.decode(Event<NotifierHeads>.self, from: json),
                let missed = seen.handleHeads(event.data.heads.mapValues(\.sequence))
            {
                Program.note(
                    "missed \(missed.count == 1 ? "1 update" : "up to \(missed.count) updates"); "
                        + "use --since \(missed.since.number) to get them"
                )
            }
            guard prefixes.contains(where: { message.topic.text.hasPrefix($0) }) else { return }
        }
        var isRepeated = false
        if message.topic.text.hasPrefix(Topic.Prefix.update),
            let event = try? WireJSON.decode(Event<Update>.self, from: json)
        {
            isRepeated = !seen.isNew(event)
        }
        // Programs get every message; they recognise repetitions by the sequence number.
        guard printer == nil || !isRepeated else { return }
        try StandardOutput.write(printer?.text(message) ?? String(decoding: json, as: UTF8.self) + "\n")
        left -= 1
    }
}
