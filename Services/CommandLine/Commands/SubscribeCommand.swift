// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import MessageBus
import ServiceRuntime
import WidgetSchema

/// `tidings subscribe`: what is published under some prefixes, as it comes.
enum SubscribeCommand: Subcommand {
    static let table = OptionTable(
        command: "tidings subscribe",
        summary: "Shows updates, or what else is published, as it comes.",
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
                value: "SEQUENCE",
                help: "First what is kept of the updates from that cycle on, then what comes: each once, in order, "
                    + "without gap even where the bus loses some."
            ),
        ] + BusChoice.options,
        notes: "It goes on over restarts of the bus, and ends with its output or by Ctrl-C."
    )

    static let counts = 1...1_000_000_000

    static func run(_ options: ParsedOptions, environment: [String: String]) throws -> CommandStatus {
        let count = try options.integer("count", in: counts)
        let prefixes = options.operands.isEmpty ? [Topic.Prefix.update] : options.operands
        let address = try BusChoice.address(options, environment: environment)
        if let since = try since(options) {
            guard let filter = UpdateFilter(prefixes) else {
                throw wrongUse("option '--since' needs prefixes that begin with \(Topic.Prefix.update)")
            }
            return try follow(
                UpdateFollower(since: since, filter: filter),
                at: address,
                count: count,
                json: options.has("json"),
                environment: environment
            )
        }
        let session = try BusSession(address, subscriptions: prefixes)
        defer { session.close() }
        Terminal.onOutputClosed(session.end)
        let printer = options.has("json") ? nil : MessagePrinter(.ofOutput(environment: environment))
        var left = count ?? .max
        var dropped: Int64 = 0
        while left > 0, let sign = session.next() {
            switch sign {
            case .message(let message):
                let text = printer?.text(message) ?? jsonLine(message)
                guard StandardStream.output.write(text) else { return .done }
                if count != nil { left -= 1 }
            case .resubscribed:
                StandardStream.error.write("tidings: the bus is back; what was published meanwhile is missing\n")
            case .ended: return .done
            }
            if session.dropped > dropped {
                dropped = session.dropped
                StandardStream.error.write("tidings: output is too slow; \(dropped) messages were dropped so far\n")
            }
        }
        return .done
    }

    static func since(_ options: ParsedOptions) throws(UsageError) -> SequenceNumber? {
        guard let text = options.value("since") else { return nil }
        guard let since = SequenceNumber(text) else {
            throw wrongUse("option '--since' needs the number of a cycle, not '\(text)'")
        }
        return since
    }

    private static func follow(
        _ follower: UpdateFollower,
        at address: BusAddress,
        count: Int?,
        json: Bool,
        environment: [String: String]
    ) throws -> CommandStatus {
        let session = try BusSession(address, subscriptions: follower.filter.subscriptions)
        defer { session.close() }
        Terminal.onOutputClosed(session.end)
        let table = UpdateTable(.ofOutput(environment: environment))
        var left = count ?? .max
        var isFirst = true
        var following = UpdateFollowing(session: session, follower: follower) { event in
            var text = table.row(event)
            if json {
                text = (try? WireJSON.encode(event)).map { String(decoding: $0, as: UTF8.self) } ?? ""
            } else if isFirst {
                text = table.header + "\n" + text
            }
            isFirst = false
            if count != nil { left -= 1 }
            return StandardStream.output.write(text + "\n") && left > 0
        }
        try following.run()
        return .done
    }

    /// The event's own bytes, then a newline; contents that follow it are not JSON lines of their own.
    private static func jsonLine(_ message: BusMessage) -> String {
        String(decoding: message.frames.first ?? Data(), as: UTF8.self) + "\n"
    }
}
