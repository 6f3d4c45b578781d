// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import CommandOptions
import MessageBus
import WidgetSchema

/// `tidings deliver test`: sends the last update of a widget to one destination, and shows the result.
enum DeliverCommand: Subcommand {
    static let table = OptionTable(
        command: "tidings deliver",
        summary: "Sends a test message to a destination, and shows the result.",
        operands: [
            Operand("ACTION", choices: ["test"], help: "test."),
            Operand("DESTINATION", help: "The destination's name in the configuration."),
        ],
        options: [
            Option("widget", short: "w", value: "ID", help: "Send the last update of this widget (default: of any).")
        ] + BusChoice.options,
        notes: """
            The message costs nothing of the destination's budget, and its filter does not
            count. Exit status: 1 if the destination does not accept it.
            """
    )

    /// The maximum time for an attempt and its answer: the longest timeout of a destination, and a reserve.
    private static let timeout: Duration = .seconds(70)

    static func run(_ options: ParsedOptions, environment: [String: String]) throws -> CommandStatus {
        let action = options.operands[0]
        guard action == "test" else { throw wrongUse("'\(action)' is not an action: use test") }
        let destination: DestinationName = try id(options.operands[1], "destination's name")
        let widget: WidgetID? = try options.value("widget").map { text throws(UsageError) in
            try id(text, "widget id")
        }
        let session = try BusSession(try BusChoice.address(options, environment: environment))
        defer { session.close() }
        let request = SnapshotRequest<Update>(widgets: widget.map { [$0] })
        let updates = try session.ask(RequestTarget(.notifier), request).records
        guard let update = updates.first(where: \.data.hasContent) ?? updates.first else {
            if let widget { throw KnownWidgets.missing(widget, "there is no update of a widget", session) }
            throw CommandFailure(.no, "no widget has had an update yet, so there is nothing to send")
        }
        let answer = try session.ask(
            RequestTarget(.delivery),
            DeliverTestRequest(destination: destination, update: update),
            within: timeout
        )
        let duration = Duration.milliseconds(answer.milliseconds).roundedText
        guard answer.isDelivered else {
            throw CommandFailure(
                .no,
                "'\(destination)' did not accept the update of '\(update.subject ?? "")' after \(duration): "
                    + MessagePrinter.printable(answer.reason ?? "")
            )
        }
        try StandardOutput.write("'\(destination)' accepted the update of '\(update.subject ?? "")' in \(duration).\n")
        return .done
    }
}
