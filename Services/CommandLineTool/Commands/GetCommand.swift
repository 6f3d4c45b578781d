// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import CommandOptions
import MessageBus
import Text
import WidgetSchema

/// `tidings get`: shows the last update of a widget, or the contents of one of its displays.
enum GetCommand: Subcommand {
    static let table = OptionTable(
        command: "tidings get",
        summary: "Shows the last update of a widget, or of all.",
        operands: [
            Operand("WIDGET", isOptional: true, help: "The widget's id (default: lists all, as 'tidings list' does).")
        ],
        options: [
            Option("json", short: "j", help: "The update as one CloudEvent; with --display the layout."),
            Option(
                "display",
                short: "d",
                value: "DISPLAY",
                help: "Show the widget as text on this display, such as phone-classic or phone-compact."
            ),
        ] + BusChoice.options,
        notes: """
            The line 'content' shows the newest date in the content. Exit status: 1 if there
            is no such widget or display, or no update of it yet.
            """
    )

    static func run(_ options: ParsedOptions, environment: [String: String]) throws -> CommandStatus {
        guard let text = options.operands.first else {
            if let display = options.value("display") {
                throw wrongUse("option '--display' needs a widget: 'tidings get WIDGET --display \(display)'")
            }
            return try ListCommand.run(options, environment: environment)
        }
        let address = try BusChoice.address(options, environment: environment)
        let widget: WidgetID = try id(text, "widget id")
        let session = try BusSession(address)
        defer { session.close() }
        guard let event = try update(of: widget, session) else {
            throw KnownWidgets.missing(widget, "there is no update of a widget", session)
        }
        if let display = options.value("display") {
            let layout = try layout(of: widget, on: display, event.data, session)
            try StandardOutput.write(drawing(layout, json: options.has("json"), environment: environment))
        } else if options.has("json") {
            try StandardOutput.write(json: event)
        } else {
            let terminal = Terminal.ofOutput(environment: environment)
            try StandardOutput.write(UpdateReport(event: event, style: terminal.style).text)
        }
        return .done
    }

    // MARK: Display

    private static func layout(
        of widget: WidgetID,
        on name: String,
        _ update: Update,
        _ session: BusSession
    ) throws(CommandFailure) -> RenderAnswer {
        let names = update.displays.keys.map(\.rawValue).sorted()
        guard let display = DisplayName(rawValue: name), update.displays[display] != nil else {
            let all = names.isEmpty ? "; it has none" : "; it has \(names.joined(separator: ", "))"
            let hint = EditDistance.hint(for: name, among: names, else: all)
            throw CommandFailure(.no, "'\(widget)' has no display '\(name)'\(hint)")
        }
        return try session.ask(RequestTarget(.layout), RenderRequest(widget: widget, display: display))
    }

    private static func drawing(_ answer: RenderAnswer, json: Bool, environment: [String: String]) throws -> String {
        guard !json else { return String(decoding: try WireJSON.encode(answer), as: UTF8.self) + "\n" }
        let terminal = Terminal.ofOutput(environment: environment)
        let box = BoxCharacters(environment: environment)
        guard let layout = answer.layout else {
            throw CommandFailure(.no, "the answer of the layout service has no layout")
        }
        let picture = LayoutPicture(
            layout: layout,
            columns: min(terminal.columns, Terminal.standardColumns),
            box: box,
            style: terminal.style
        )
        let size = [layout.size.width, layout.size.height].map {
            String(UpdateReport.points($0).dropLast(" pt".count))
        }
        let caption = [
            "\(answer.widget) on \(answer.display)", "\(size.joined(separator: " \(box.times) ")) pt",
            "cycle \(answer.sequence.number)",
        ]
        return picture.text + terminal.style.text(caption.joined(separator: " \(box.separator) "), .faint) + "\n"
    }

    // MARK: Update

    private static func update(of widget: WidgetID, _ session: BusSession) throws -> Event<Update>? {
        do throws(CommandFailure) {
            return try session.ask(RequestTarget(.notifier), SnapshotRequest<Update>(widgets: [widget]))
                .records.last
        } catch {
            if error.status == .no { return nil }
            throw error
        }
    }
}
