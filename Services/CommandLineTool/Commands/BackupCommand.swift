// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import CommandOptions
import Configuration
import Foundation
import Glibc
import Storage

/// `tidings backup`: copies the stores into one file while the services run.
enum BackupCommand: Subcommand {
    static let table = OptionTable(
        command: "tidings backup",
        summary: "Copies the stores into one file, while the services run.",
        operands: [Operand("FILE", help: "The tar archive to make or replace; '-' is standard output.")],
        options: [.config],
        notes: "The stores are those of the configuration, or of TIDINGS_STORE. They are checked\n"
            + "as by 'tidings restore'. The keys and pictures of panels are copied, too. A\n"
            + "file is checked by 'tar -xf FILE && sha256sum -c SHA256SUMS'.\n\n"
            + "Examples:\n  tidings backup tidings.tar\n  tidings backup - | gzip > tidings.tar.gz"
    )

    static func run(_ options: ParsedOptions, environment: [String: String]) throws -> CommandStatus {
        let configuration = try options.configuration(environment)
        let file = options.operands[0]
        guard file != OutputFile.standardOutput || isatty(STDOUT_FILENO) == 0 else {
            throw CommandFailure(.wrongUse, "a backup cannot be written to a terminal: name a file, or use a pipe")
        }
        let stores = StoreLocation(configuration.store)
        let names: [String]
        do {
            names = try Stores.backUp(
                stores,
                to: OutputFile(file, permissions: 0o600),
                panels: configuration.panelFolder
            )
        } catch let failure as CommandFailure {
            throw failure
        } catch {
            let remedy = error is CopyCheck.Fault ? "; restore an earlier backup" : ""
            throw CommandFailure(.no, "no backup was made: \(SystemError.text(error))\(remedy)")
        }
        guard !names.isEmpty else {
            throw CommandFailure(.no, "there is no store in \(stores); the services create the stores when they run")
        }
        if case .server = stores, !names.contains(PanelFiles.folder) {
            Program.note(
                "no panels were found in \(URL(filePath: configuration.panelFolder).absoluteURL.path); if the gateway has some, "
                    + "run the command in its working folder"
            )
        }
        if file != OutputFile.standardOutput {
            try StandardOutput.write("\(file): \(names.joined(separator: ", "))\n")
        }
        return .done
    }
}
