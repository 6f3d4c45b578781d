// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import CommandOptions
import ServiceRuntime
import WidgetSchema

/// `tidings list`: lists the widgets with a one-line summary of each, or the names of displays and topics.
enum ListCommand: Subcommand {
    /// The things that can be listed.
    enum Subject: String, CaseIterable {
        case widgets
        case displays
        case boards
        case topics
    }

    static let table = OptionTable(
        command: "tidings list",
        summary: "Lists the widgets with their last updates.",
        operands: [
            Operand(
                "SUBJECT",
                choices: Subject.allCases.map(\.rawValue),
                isOptional: true,
                help: "widgets, displays, boards or topics (default: widgets)."
            )
        ],
        options: [
            Option("boards", help: "The same as the subject boards."),
            Option("quiet", short: "q", help: "The names alone, one a line."),
            Option("json", short: "j", help: "The last update of each widget as one CloudEvent a line."),
        ] + BusChoice.options,
        notes: "The widgets are those that have had an update. Exit status: 0, also if there\nare none."
    )

    static func run(_ options: ParsedOptions, environment: [String: String]) throws -> CommandStatus {
        let named: Subject = try options.operands.first.map { try choice($0, "'\($0)' cannot be listed") } ?? .widgets
        let isOfBoards = options.has("boards")
        guard !isOfBoards || options.operands.isEmpty || named == .boards else {
            throw wrongUse("option '--boards' lists boards; give no other subject")
        }
        let subject = isOfBoards ? .boards : named
        guard subject == .widgets || !options.has("json") else {
            throw wrongUse("option '--json' is for widgets, not for \(subject.rawValue)")
        }
        let session = try BusSession(try BusChoice.address(options, environment: environment))
        defer { session.close() }
        let updates = try KnownWidgets.updates(session)
        switch subject {
        case .widgets where options.has("json"):
            for event in updates {
                try StandardOutput.write(json: event)
            }
        case .widgets where options.has("quiet"):
            try StandardOutput.write(lines(updates.compactMap(\.subject)))
        case .widgets: try show(updates, environment: environment)
        case .displays:
            // The cells of boards are no displays of their own.
            let names = Set(updates.flatMap { $0.data.displays.filter { $0.value.board == nil }.keys.map(\.rawValue) })
            try StandardOutput.write(lines(names.sorted()))
        case .boards: try StandardOutput.write(lines(boards(updates, isQuiet: options.has("quiet"))))
        case .topics:
            let widgets = updates.compactMap(\.widget)
            let topics = UpdateResult.allCases.flatMap { result in widgets.map { Topic.update(result, $0).text } }
            try StandardOutput.write(lines(topics.sorted()))
        }
        return .done
    }

    /// Writes the table of widgets for `tidings list`, and for `tidings get` without a widget.
    static func show(_ updates: [Event<Update>], environment: [String: String]) throws {
        guard !updates.isEmpty else {
            Program.note("no widget has had an update yet")
            return
        }
        let table = WidgetTable(.ofOutput(environment: environment), widgets: updates.compactMap(\.subject))
        let rows = updates.map { table.row($0, at: .now) }
        try StandardOutput.write(lines([table.header] + rows))
    }

    /// Returns a line for each board that updates mention: its name, its cells, its revision and its last change.
    static func boards(_ updates: [Event<Update>], isQuiet: Bool) -> [String] {
        var view = BoardView()
        for event in updates {
            guard let widget = event.widget, let range = event.range else { continue }
            view.take(widget, range.sequence, event.data.displays)
        }
        return view.ids.map { id in
            guard !isQuiet else { return id.rawValue }
            guard let state = view[id] else {
                return "\(id)  incomplete: not all of its widgets have had an update yet"
            }
            let cells = Program.count(state.cells.count, "cell")
            let change = state.lastChange.map { "changed \($0)" } ?? "no known change"
            return "\(id)  \(cells), revision \(state.revision), \(change)"
        }
    }

    private static func lines(_ lines: [String]) -> String { lines.map { $0 + "\n" }.joined() }
}
