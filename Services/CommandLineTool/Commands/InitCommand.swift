// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import CommandOptions
import Configuration
import Foundation
import SourceParsing

/// `tidings init`: writes an initial configuration.
enum InitCommand: Subcommand {
    static let table = OptionTable(
        command: "tidings init",
        summary: "Writes a configuration to begin with.",
        options: [
            Option(
                "opml",
                value: "FILE",
                help: "Make a widget of each feed in the subscriptions that a feed reader exported; - for standard "
                    + "input."
            ),
            Option(
                "output",
                short: "o",
                value: "FILE",
                help: "Where to write it; - for standard output (default: \(TidingsConfiguration.defaultFile))."
            ),
            Option("force", short: "f", help: "Overwrite the file if it is there."),
        ],
        notes: "The same subscriptions give the same widget ids. Exit status: 2 if the file\n"
            + "exists already."
    )

    static func run(_ options: ParsedOptions, environment: [String: String]) throws -> CommandStatus {
        let output = options.value("output") ?? TidingsConfiguration.defaultFile
        let text = try options.value("opml").map(imported) ?? ConfigurationText()
        for refusal in text.refusals {
            Program.note("\(options.value("opml") ?? ""):\(refusal)")
        }
        if !text.refusals.isEmpty {
            Program.note("\(Program.count(text.refusals.count, "subscription")) left out")
        }
        try OutputFile(output, permissions: 0o644, overwrites: options.has("force")).write(Data(text.text.utf8))
        guard output != OutputFile.standardOutput else { return .done }
        try StandardOutput.write("wrote \(output) with \(Program.count(text.widgetCount, "widget"))\n")
        let config = output == TidingsConfiguration.defaultFile ? "" : " --config \(output)"
        Program.remark("start the services with 'tidings up\(config)'")
        return .done
    }

    private static func imported(_ file: String) throws(CommandFailure) -> ConfigurationText {
        Program.remark("reading subscriptions from \(file == "-" ? "standard input (end with Ctrl-D)" : file) …")
        let document = try Document.read(file)
        let list: FeedList
        do {
            list = try SourceParser.parseFeedList(Array(document.bytes))
        } catch {
            throw CommandFailure(.no, error.text(name: document.name))
        }
        Program.remark("\(list.entries.count) feeds found …")
        guard !list.entries.isEmpty else {
            throw CommandFailure(.no, "\(document.name): there is no feed in it (no <outline> with an xmlUrl)")
        }
        return ConfigurationText(list)
    }
}
