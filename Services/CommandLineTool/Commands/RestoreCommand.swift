// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import CommandOptions
import Configuration
import Foundation
import Storage

/// `tidings restore`: restores the stores from a backup.
enum RestoreCommand: Subcommand {
    static let table = OptionTable(
        command: "tidings restore",
        summary: "Restores the stores from a backup; the services may be running.",
        operands: [Operand("FILE", help: "A file that 'tidings backup' has written.")],
        options: [.config],
        notes: "The whole file is checked first: its digests, its tables, and each row. If it is\n"
            + "not correct, nothing is changed. Running services notice the restore, end, and\n"
            + "are started again by 'tidings up', Compose or systemd. Each widget continues\n"
            + "with a new sequence number.\n\n"
            + "Example:\n  tidings restore tidings.tar"
    )

    static func run(_ options: ParsedOptions, environment: [String: String]) throws -> CommandStatus {
        let configuration = try options.configuration(environment)
        let file = options.operands[0]
        guard file != OutputFile.standardOutput else {
            throw CommandFailure(.wrongUse, "a backup cannot be read from standard input: name a file")
        }
        let input = try InputFile.open(file)
        let stores = StoreLocation(configuration.store)
        let names: [String]
        let setAside: [String]
        do {
            (names, setAside) = try Stores.restore(input, to: stores, panels: configuration.panelFolder)
        } catch let error as Stores.RestoredInPart {
            report(error.setAside)
            throw CommandFailure(
                .no,
                "\(file) was restored only in part: \(error); mend this and run the command again"
            )
        } catch {
            let remedy = error is CopyCheck.Fault || error is TapeArchive.Fault ? "; use another backup" : ""
            // The error may contain names of the archive.
            let reason = MessagePrinter.printable(SystemError.text(error))
            throw CommandFailure(.no, "\(file) was not restored, and nothing was changed: \(reason)\(remedy)")
        }
        report(setAside)
        if case .server = stores, names.contains(PanelFiles.folder) {
            Program.note("the panels were restored to \(URL(filePath: configuration.panelFolder).absoluteURL.path)")
        }
        try StandardOutput.write("\(stores): \(names.joined(separator: ", "))\n")
        return .done
    }

    private static func report(_ setAside: [String]) {
        for store in setAside {
            Program.note("the existing store was damaged and was renamed to \(store)")
        }
    }
}
