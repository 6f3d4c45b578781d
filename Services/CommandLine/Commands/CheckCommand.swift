// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import ServiceRuntime
import Synchronization
import WidgetSchema

/// `tidings check`: whether a configuration is valid, and what it says.
enum CheckCommand: Subcommand {
    static let table = OptionTable(
        command: "tidings check",
        summary: "Says what is wrong with a configuration, all of it at once.",
        operands: [
            Operand(
                "CONFIG",
                isOptional: true,
                help: "The configuration's file (default: TIDINGS_CONFIG, else tidings.yml)."
            )
        ],
        options: [
            Option("fetch", help: "Ask every source once, one at a time of each host, and say what it answers.")
        ],
        notes: "Exit status: 2 where something is wrong; each line on standard error begins with\n"
            + "FILE:LINE:COLUMN. With --fetch: 1 where a source fails."
    )

    static func run(_ options: ParsedOptions, environment: [String: String]) throws -> CommandStatus {
        let configuration = try Configuration.load(
            path: options.operands.first,
            environment: environment,
            needsSecrets: true
        )
        guard configuration.file != nil else {
            throw CommandFailure(.wrongUse, "there is no \(Configuration.defaultFile) here; name the file to check")
        }
        for warning in configuration.warnings { StandardStream.error.write("tidings: \(warning)\n") }
        guard options.has("fetch") else {
            StandardStream.output.write(summary(configuration))
            return .done
        }
        return fetch(SourceCheck(configuration), environment: environment)
    }

    // MARK: Sources

    private static func fetch(_ check: SourceCheck, environment: [String: String]) -> CommandStatus {
        let style = Terminal.ofOutput(environment: environment).style
        let failures = Mutex(0)
        check.run { target, finding in
            if finding.isFailure { failures.withLock { $0 += 1 } }
            return StandardStream.output.write(line(target, finding, style) + "\n")
        }
        let failed = failures.withLock(\.self)
        if failed > 0 {
            StandardStream.error.write("tidings: \(failed) of \(count(check.targets.count, "source")) failed\n")
        }
        return failed == 0 ? .done : .no
    }

    /// One source: its widgets, what came, and what to do about it.
    static func line(_ target: SourceCheck.Target, _ finding: SourceCheck.Finding, _ style: TextStyle) -> String {
        let widgets = target.widgets.map(\.rawValue).joined(separator: ", ")
        let text: String
        switch finding {
        case .items(let number, let title, let movedTo, let announced):
            text =
                style.text("ok", .good) + "      \(widgets): \(count(number, "item"))"
                + (title.map { ", \"\($0)\"" } ?? ", without a title")
                + (movedTo.map { "; moved permanently to \($0)" } ?? "")
                + (announced.map { "; a web page, whose feed is \($0)" } ?? "")
        case .failure(let message):
            text = style.text("failed", .bad) + "  \(widgets): \(target.source.url): \(message)"
        }
        return style == .plain ? MessagePrinter.printable(text) : text
    }

    static func summary(_ configuration: Configuration) -> String {
        let sources = Set(
            configuration.widgets.compactMap(\.source).map { source in
                [source.url, source.headers.sorted { $0.key < $1.key }.description]
            }
        )
        let counts = [
            count(configuration.widgets.count, "widget"), count(sources.count, "source"),
            count(configuration.displays.count, "display"),
        ]
        var text = "\(configuration.file ?? Configuration.defaultFile) is valid: \(counts.joined(separator: ", ")).\n"
        for widget in configuration.widgets {
            text += "  widget \(widget.id): \(widget.definition.kind.rawValue) from \(widget.source?.url ?? "pushes")"
            text += " on \(widget.displays.map(\.rawValue).joined(separator: ", "))\n"
        }
        return text
    }

    private static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }
}
