// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import ServiceRuntime
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
        notes: "Exit status: 2 where something is wrong; each line on standard error begins with\nFILE:LINE:COLUMN."
    )

    static func run(_ options: ParsedOptions, environment: [String: String]) throws -> CommandStatus {
        let configuration = try Configuration.load(path: options.operands.first, environment: environment)
        guard configuration.file != nil else {
            throw CommandFailure(.wrongUse, "there is no \(Configuration.defaultFile) here; name the file to check")
        }
        for warning in configuration.warnings { StandardStream.error.write("tidings: \(warning)\n") }
        StandardStream.output.write(summary(configuration))
        return .done
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
