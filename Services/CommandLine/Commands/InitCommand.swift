// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Glibc
import ServiceRuntime
import SourceParsing

/// `tidings init`: a configuration to begin with.
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
                help: "Where to write it; - for standard output (default: \(Configuration.defaultFile))."
            ),
            Option("force", short: "f", help: "Overwrite the file if it is there."),
        ],
        notes: "The same subscriptions give the same widget ids. Exit status: 2 where the file\n"
            + "is there already."
    )

    static func run(_ options: ParsedOptions, environment: [String: String]) throws -> CommandStatus {
        let output = options.value("output") ?? Configuration.defaultFile
        let text = try options.value("opml").map(imported) ?? ConfigurationText()
        for refusal in text.refusals {
            StandardStream.error.write("tidings: \(options.value("opml") ?? ""):\(refusal)\n")
        }
        guard output != "-" else {
            StandardStream.output.write(text.text)
            return .done
        }
        try write(text.text, to: output, overwrites: options.has("force"))
        let count = text.widgetCount
        StandardStream.output.write("wrote \(output) with \(count) widget\(count == 1 ? "" : "s")\n")
        return .done
    }

    private static func imported(_ file: String) throws(CommandFailure) -> ConfigurationText {
        let document = try Document.read(file)
        do {
            let list = try SourceParser.parseSubscriptions(Array(document.bytes), documentURL: document.name)
            guard !list.subscriptions.isEmpty else {
                throw CommandFailure(.no, "\(document.name): there is no feed in it (no <outline> with an xmlUrl)")
            }
            return ConfigurationText(list)
        } catch let failure as CommandFailure {
            throw failure
        } catch {
            throw CommandFailure(.no, "\(error)")
        }
    }

    /// Writes the whole file or nothing.
    private static func write(_ text: String, to path: String, overwrites: Bool) throws(CommandFailure) {
        if overwrites {
            do {
                try Data(text.utf8).write(to: URL(filePath: path), options: .atomic)
            } catch {
                throw CommandFailure(.no, "\(path): it cannot be written: \(error.localizedDescription)")
            }
            return
        }
        // Exclusive: a file that appears meanwhile is somebody else's.
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else {
            if errno == EEXIST {
                throw CommandFailure(
                    .wrongUse,
                    "\(path) is there already and stays as it is; name another with --output, or overwrite it with --force"
                )
            }
            throw CommandFailure(.no, "\(path): it cannot be written: \(String(cString: strerror(errno)))")
        }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        do {
            try handle.write(contentsOf: Data(text.utf8))
            try handle.close()
        } catch {
            unlink(path)
            throw CommandFailure(.no, "\(path): it cannot be written: \(error.localizedDescription)")
        }
    }
}
