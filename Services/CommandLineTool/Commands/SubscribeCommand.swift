// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import CommandOptions
import EventStreams
import Foundation
import WidgetSchema

/// `tidings subscribe`: shows the messages whose topics begin with the given prefixes, as they are published.
enum SubscribeCommand: Subcommand {
    static let table = OptionTable(
        command: "tidings subscribe",
        summary: "Shows updates or other messages as they are published.",
        operands: [
            Operand(
                "PREFIX",
                isOptional: true,
                isRepeatable: true,
                help: "What topics begin with: update/newData/, layout/blog/, health/ (default: update/)."
            )
        ],
        options: [
            Option("json", short: "j", help: "One CloudEvent a line, byte for byte as it was received."),
            Option("count", short: "n", value: "N", help: "End after N messages."),
            Option(
                "since",
                short: "s",
                value: "SEQUENCE|EPOCH:OFFSET",
                help: "First show stored updates: from this cycle of each widget on, or after this position in the "
                    + "stream of all widgets. Each update is shown once and in order, even if the bus loses messages."
            ),
        ] + BusChoice.options,
        notes: "The command continues after restarts of the bus. It ends when its output is\nclosed, or with Ctrl-C."
    )

    static let counts = 1...1_000_000_000

    static func run(_ options: ParsedOptions, environment: [String: String]) throws -> CommandStatus {
        let count = try options.integer("count", in: counts) ?? .max
        let prefixes = options.operands.isEmpty ? [Topic.Prefix.update] : options.operands
        for prefix in prefixes {
            if let problem = TopicPrefix.problem(prefix) { throw wrongUse(problem) }
        }
        let since = try since(options)
        let address = try BusChoice.address(options, environment: environment)
        let printer = options.has("json") ? nil : MessagePrinter(.ofOutput(environment: environment))
        if let since {
            guard let filter = UpdateFilter(prefixes) else {
                throw wrongUse("option '--since' works only with topic prefixes that begin with \(Topic.Prefix.update)")
            }
            var left = count
            var following = try UpdateFollowing(since, filter: filter, at: address) { update in
                let text = printer?.text(update.event) ?? String(decoding: update.json, as: UTF8.self) + "\n"
                try StandardOutput.write(text)
                left -= 1
                return left > 0
            }
            try following.run()
            return .done
        }
        var subscription = try LiveSubscription(prefixes, at: address, printer, count: count)
        try subscription.run()
        return .done
    }

    /// The point at which the output begins.
    enum Start: Hashable, Sendable {
        /// For each widget, the output begins with the cycle that has this sequence number.
        case sequence(SequenceNumber)
        /// The output begins after this offset in the stream of the updates of all widgets.
        case position(StreamOffset)
    }

    static func since(_ options: ParsedOptions) throws(UsageError) -> Start? {
        guard let text = options.value("since") else { return nil }
        if let position = StreamOffset(text) { return .position(position) }
        guard let since = SequenceNumber(text) else {
            throw wrongUse("option '--since' needs a sequence number or EPOCH:OFFSET, not '\(text)'")
        }
        return .sequence(since)
    }
}
