// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import MessageBus
import ServiceRuntime
import WidgetSchema

/// `tidings get`: the last update of a widget.
enum GetCommand: Subcommand {
    static let table = OptionTable(
        command: "tidings get",
        summary: "Shows the last update of a widget.",
        operands: [Operand("WIDGET", help: "The widget's id.")],
        options: [Option("json", short: "j", help: "The update as one CloudEvent.")] + BusChoice.options,
        notes: "Exit status: 1 where there is no such widget, or none of its updates yet."
    )

    static func run(_ options: ParsedOptions, environment: [String: String]) throws -> CommandStatus {
        let text = options.operands[0]
        let address = try BusChoice.address(options, environment: environment)
        guard let widget = WidgetID(rawValue: text) else { throw wrongUse("'\(text)' is no widget: \(WidgetID.rule)") }
        let session = try BusSession(address)
        defer { session.close() }
        guard let event = try update(of: widget, session) else {
            throw CommandFailure(.no, "there is no update of a widget '\(widget)'" + hint(widget, session))
        }
        if options.has("json") {
            StandardStream.output.write(String(decoding: try WireJSON.encode(event), as: UTF8.self) + "\n")
        } else {
            let terminal = Terminal.ofOutput(environment: environment)
            StandardStream.output.write(UpdateReport(event: event, style: terminal.style).text)
        }
        return .done
    }

    private static func update(of widget: WidgetID, _ session: BusSession) throws -> Event<Update>? {
        do throws(CommandFailure) {
            return try session.ask(RequestTarget(.notifier), SnapshotRequest<Update>(widgets: [widget]))
                .records.last
        } catch {
            if error.status == .no { return nil }
            throw error
        }
    }

    /// What a person may have meant.
    private static func hint(_ widget: WidgetID, _ session: BusSession) -> String {
        suggestion(for: widget, among: KnownWidgets.all(session))
    }

    static let maximumNamesShown = 10

    static func suggestion(for widget: WidgetID, among known: [WidgetID]) -> String {
        if known.isEmpty { return "; no widget has had one yet" }
        if let near = EditDistance.closest(to: widget.rawValue, among: known.map(\.rawValue)) {
            return "; did you mean '\(near)'?"
        }
        let names = known.prefix(maximumNamesShown).map(\.rawValue).joined(separator: ", ")
        return "; there are \(names)" + (known.count > maximumNamesShown ? ", …" : "")
    }
}
