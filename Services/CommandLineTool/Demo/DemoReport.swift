// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import MessageBus
import WidgetSchema

/// The output of the demo: rows, the time to the first verdict, and a closing line.
///
/// Verdicts on widgets without content are not shown: they come before the first fetch has ended.
struct DemoReport {
    private let printer: MessagePrinter
    private let terminal: Terminal
    private let start: ContinuousClock.Instant
    private var counts: [UpdateResult: Int] = [:]

    /// Creates a report for a demo that has started at `start`.
    init(_ terminal: Terminal, start: ContinuousClock.Instant) {
        self.terminal = terminal
        self.start = start
        printer = MessagePrinter(terminal)
    }

    /// Returns the lines for one update, each with its newline; empty if the update is not shown.
    mutating func text(_ message: BusMessage, now: ContinuousClock.Instant = .now) -> String {
        guard let json = message.frames.first, let event = try? WireJSON.decode(Event<Update>.self, from: json),
            event.data.reason != .missing
        else { return "" }
        let isFirst = counts.isEmpty
        counts[event.data.result, default: 0] += 1
        let first = "First verdict: \(Self.seconds(now - start)) after the start of the demo."
        return printer.text(event) + (isFirst ? terminal.style.text(first, .strong) + "\n" : "")
    }

    /// Returns the line for a message that the demo's own webhook received; empty if Tidings did not send it.
    static func delivery(_ body: Data, _ terminal: Terminal) -> String {
        guard let event = try? WireJSON.decode(Event<Update>.self, from: body) else { return "" }
        let text = "  -> webhook: \(event.subject ?? ""): \(MessagePrinter.printable(event.data.summary))"
        return terminal.style.text(CharacterWidth.shorten(text, to: terminal.columns), .faint) + "\n"
    }

    /// Returns the closing lines, each with its newline.
    func closing(executable: String, now: ContinuousClock.Instant = .now) -> String {
        let changes = counts[.newData, default: 0]
        let failures = counts[.failed, default: 0]
        let all = counts.values.reduce(0, +)
        let text =
            "The demo ran for \(Self.seconds(now - start)): \(Program.count(all, "verdict")), of which "
            + "\(changes) \(changes == 1 ? "was a change" : "were changes") that somebody sees, and "
            + "\(Program.count(failures, "failure")). '\(executable) init --output my.yml' writes a configuration for your "
            + "own widgets, and '\(executable) up --config my.yml' runs it."
        return "\n" + DemoText.wrap(text, terminal) + "\n"
    }

    private static func seconds(_ duration: Duration) -> String {
        let tenths = (duration / .milliseconds(100)).rounded()
        return tenths < 100 ? String(format: "%.1f s", tenths / 10) : "\(Int((tenths / 10).rounded())) s"
    }
}
