// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import CommandOptions
import Foundation
import MessageBus
import WidgetSchema

/// `tidings render`: draws a display as a picture.
enum RenderCommand: Subcommand {
    /// The timeout for a request for a picture.
    ///
    /// This timeout is longer than that of other requests, because drawing takes time.
    static let timeout: Duration = .seconds(15)
    private static let formats: [RenderFormat] = [.png, .svg]

    static let table = OptionTable(
        command: "tidings render",
        summary: "Draws what a display or a board shows, as PNG or SVG.",
        operands: [Operand("WIDGET", isOptional: true, help: "The widget's id; not with --board.")],
        options: [
            Option("display", short: "d", value: "DISPLAY", help: "The display, such as phone-classic."),
            Option("board", value: "BOARD", help: "Draw this board of the configuration, and no widget."),
            Option("output", short: "o", value: "FILE", help: "Where the picture goes; '-' is standard output."),
            Option(
                "format",
                short: "f",
                value: "FORMAT",
                choices: formats.map(\.rawValue),
                help: "png or svg (default: by the file's name)."
            ),
            Option(
                "appearance",
                value: "APPEARANCE",
                choices: Appearance.allCases.map(\.rawValue),
                help: "light or dark (default: the display's own)."
            ),
            Option(
                "sequence",
                short: "n",
                value: "SEQUENCE",
                help: "Draw the display as it was in this cycle (default: the latest)."
            ),
        ] + BusChoice.options,
        notes: """
            The file is written completely or not at all. An existing file is replaced; a
            FIFO or a device is written to directly. Exit status: 1 if there is no such
            widget, display or cycle, or if the file cannot be written.
            """
    )

    static func run(_ options: ParsedOptions, environment: [String: String]) throws -> CommandStatus {
        let address = try BusChoice.address(options, environment: environment)
        guard let output = options.value("output") else { throw wrongUse("--output is missing: name a file, or '-'") }
        if let board = options.value("board") {
            for option in ["display", "appearance", "sequence"] where options.has(option) {
                throw wrongUse("--\(option) is for widgets, not for boards")
            }
            guard options.operands.isEmpty else { throw wrongUse("give a widget or --board, not both") }
            let format = try format(options.value("format"), output: output)
            let session = try BusSession(address)
            defer { session.close() }
            let configuration = options.partialConfiguration(environment).configuration
            try write(try picture(ofBoard: board, format, of: configuration, session), to: output)
            return .done
        }
        guard let name = options.operands.first else {
            throw wrongUse("WIDGET is missing; or name a board with --board")
        }
        let widget: WidgetID = try id(name, "widget id")
        guard let display = options.value("display") else {
            throw wrongUse("--display is missing: 'tidings get \(widget) --json' names the widget's displays")
        }
        let request = RenderRequest(
            widget: widget,
            display: try id(display, "display name"),
            sequence: try options.value("sequence").map(sequence),
            format: try format(options.value("format"), output: output),
            appearance: try options.value("appearance").map { try choice($0, "'\($0)' is not an appearance") }
        )
        try write(try picture(request, address), to: output)
        return .done
    }

    // MARK: The command line

    private static func format(_ text: String?, output: String) throws(UsageError) -> RenderFormat {
        let ending = URL(filePath: output).pathExtension.lowercased()
        if let text {
            guard let format = RenderFormat(rawValue: text), formats.contains(format) else {
                throw wrongUse("'\(text)' is not a format; use png or svg")
            }
            if let named = RenderFormat(rawValue: ending), formats.contains(named), named != format {
                Program.note("'\(output)' ends in .\(ending), but is written as \(format.rawValue)")
            }
            return format
        }
        if output == "-" { throw wrongUse("--format is missing: png or svg") }
        guard let format = RenderFormat(rawValue: ending), formats.contains(format) else {
            throw wrongUse("'\(output)' does not end in .png or .svg; give the format with --format")
        }
        return format
    }

    // MARK: The picture

    private static func picture(_ request: RenderRequest, _ address: BusAddresses) throws -> Data {
        let session = try BusSession(address)
        defer { session.close() }
        let (answer, contents) = try session.askForContents(RequestTarget(.layout), request, within: timeout)
        guard let picture = contents.first, picture.count == answer.picture?.bytes else {
            throw CommandFailure(
                .no,
                "the layout service's answer has no picture; the service may be of an earlier version"
            )
        }
        if let wanted = request.sequence, wanted != answer.sequence {
            throw CommandFailure(
                .no,
                "cycle \(wanted.number) of '\(request.widget)' is no longer stored, or never existed; the next stored is "
                    + "\(answer.sequence.number)"
            )
        }
        return picture
    }

    private static func write(_ picture: Data, to path: String) throws {
        guard path != OutputFile.standardOutput || isatty(STDOUT_FILENO) == 0 else {
            throw CommandFailure(.wrongUse, "a picture cannot be written to a terminal: name a file, or use a pipe")
        }
        try OutputFile(path).write(picture)
    }
}
