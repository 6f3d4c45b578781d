// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import CommandOptions
import MessageBus
import WidgetSchema

/// `tidings budget`: shows what each destination got, what was saved, and what its budget still allows.
enum BudgetCommand: Subcommand {
    static let table = OptionTable(
        command: "tidings budget",
        summary: "Shows what destinations got, what was saved, and what is left today.",
        operands: [
            Operand("DESTINATION", isOptional: true, help: "One destination, with its widgets (default: all).")
        ],
        options: [Option("json", short: "j", help: "The state of all destinations as one JSON object.")]
            + BusChoice.options,
        notes: "Exit status: 1 if there is no such destination."
    )

    static func run(_ options: ParsedOptions, environment: [String: String]) throws -> CommandStatus {
        let wanted: DestinationName? = try options.operands.first.map { text throws(UsageError) in
            try id(text, "destination's name")
        }
        let session = try BusSession(try BusChoice.address(options, environment: environment))
        defer { session.close() }
        var answer = try session.ask(RequestTarget(.delivery), DeliveriesRequest())
        if let wanted {
            answer.destinations.removeAll { $0.destination != wanted }
            guard !answer.destinations.isEmpty else {
                throw CommandFailure(.no, "there is no destination '\(wanted)'; 'tidings budget' shows all")
            }
        }
        if options.has("json") {
            try StandardOutput.write(json: answer)
            return .done
        }
        guard !answer.destinations.isEmpty else {
            Program.note("the configuration has no destinations")
            return .done
        }
        let style = Terminal.ofOutput(environment: environment).style
        for report in answer.destinations {
            try StandardOutput.write(text(of: report, lists: wanted != nil, style))
        }
        if answer.more { Program.note("some widgets are not shown; --json shows no more of them") }
        return .done
    }

    /// Returns the lines about one destination; its widgets and boards only if `lists` is true.
    static func text(of report: DestinationReport, lists: Bool, _ style: TextStyle) -> String {
        let spent = report.subjects.compactMap(\.spent).reduce(0, +)
        let left = report.subjects.compactMap(\.left).reduce(0, +)
        var rows: [(name: String, value: String)] = [
            ("delivered", Program.count(report.delivered, "message")),
            (
                "saved",
                "\(report.savedByNoData) by noData, \(report.savedByMerging) merged with a later change"
            ),
        ]
        if let perDay = report.perDay {
            rows.append(("budget", "\(perDay) in 24 hours" + budget(of: report, sum: "\(spent) spent, \(left) left")))
        }
        if let problem = report.problem { rows.append(("problem", MessagePrinter.printable(problem))) }
        for subject in report.subjects where lists { rows.append((subject.name, line(subject))) }
        return style.text("\(report.destination)", .strong) + " (\(report.kind))\n" + style.rows(rows, indent: 2)
    }

    /// Returns the owners of a budget and what they have spent; `sum` is the latter.
    private static func budget(of report: DestinationReport, sum: String) -> String {
        // The report of the first widget has a shared budget, those of the others have none.
        let isShared = report.subjects.dropFirst().contains { $0.spent == nil }
        if isShared { return " for all widgets together; \(sum)" }
        // Devices of Apple may share a budget. With fewer than two widgets, that is not visible.
        let isApple = report.kind == DeviceRegistration.Address.Kind.apns.rawValue
        if isApple, report.subjects.count < 2 { return "; \(sum)" }
        return " for each widget; \(sum) for " + Program.count(report.subjects.count, "widget")
    }

    /// Returns what a destination got of one widget or board, in one line.
    static func line(_ report: DeliveryReport) -> String {
        var parts = [report.state.rawValue]
        if let spent = report.spent, let left = report.left { parts.append("\(spent) spent, \(left) left") }
        if let attempts = report.attempts { parts.append(Program.count(attempts, "attempt")) }
        if let next = report.next { parts.append("next at \(next)") }
        return MessagePrinter.printable(parts.joined(separator: ", ") + ": " + report.reason)
    }
}

extension DeliveryReport {
    /// The name of the widget, or of the board.
    fileprivate var name: String { widget?.rawValue ?? board.map { "board \($0)" } ?? "" }
}
