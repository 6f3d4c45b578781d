// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import CommandOptions
import Configuration
import Foundation
import Glibc
import ServiceRuntime
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
            StandardStream.error.write("\(Program.name): \(options.value("opml") ?? ""):\(refusal)\n")
        }
        if !text.refusals.isEmpty {
            let number = text.refusals.count
            StandardStream.error.write("\(Program.name): \(number) subscription\(number == 1 ? "" : "s") left out\n")
        }
        try OutputFile(output, permissions: 0o644, overwrites: options.has("force")).write(Data(text.text.utf8))
        guard output != OutputFile.standardOutput else { return .done }
        let count = text.widgetCount
        try StandardOutput.write("wrote \(output) with \(count) widget\(count == 1 ? "" : "s")\n")
        guard isatty(STDERR_FILENO) == 1 else { return .done }
        let config = output == TidingsConfiguration.defaultFile ? "" : " --config \(output)"
        StandardStream.error.write("\(Program.name): start the services with 'tidings up\(config)'\n")
        return .done
    }

    private static func imported(_ file: String) throws(CommandFailure) -> ConfigurationText {
        if isatty(STDERR_FILENO) == 1 {
            let name = file == "-" ? "standard input (end with Ctrl-D)" : file
            StandardStream.error.write("\(Program.name): reading subscriptions from \(name) …\n")
        }
        let document = try Document.read(file)
        do {
            let list = try SourceParser.parseFeedList(Array(document.bytes), documentURL: document.name)
            if isatty(STDERR_FILENO) == 1 {
                StandardStream.error.write("\(Program.name): \(list.entries.count) feeds found …\n")
            }
            guard !list.entries.isEmpty else {
                throw CommandFailure(.no, "\(document.name): there is no feed in it (no <outline> with an xmlUrl)")
            }
            return ConfigurationText(list)
        } catch let failure as CommandFailure {
            throw failure
        } catch {
            throw CommandFailure(.no, "\(error)")
        }
    }
}
