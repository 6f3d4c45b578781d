// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import CommandOptions
import Configuration
import Storage

/// `tidings store`: copies the stores to another folder or to a PostgreSQL server.
enum StoreCommand: Subcommand {
    static let table = OptionTable(
        command: "tidings store",
        summary: "Copies the stores to another folder or server.",
        operands: [
            Operand("ACTION", help: "copy."),
            Operand("TO", help: "A folder, or postgresql://USER@HOST/DATABASE, without stores."),
        ],
        options: [.config],
        notes: """
            The stores are those of the configuration, or of TIDINGS_STORE. Stop the
            services first, and start them with the new location: later changes in the old
            one are not copied. Each widget continues with a new sequence number.
            A password belongs into ~/.pgpass or PGPASSWORD, not into an argument.

            Example:
              tidings store copy postgresql://tidings@db1,db2/tidings
            """
    )

    static func run(_ options: ParsedOptions, environment: [String: String]) throws -> CommandStatus {
        guard options.operands[0] == "copy" else {
            throw CommandFailure(.wrongUse, "'\(options.operands[0])' is not an action: use copy")
        }
        let configuration = try options.configuration(environment)
        let (source, target) = (StoreLocation(configuration.store), StoreLocation(options.operands[1]))
        let names: [String]
        do {
            names = try Stores.copy(from: source, to: target)
        } catch let error as Stores.RestoredInPart {
            throw CommandFailure(
                .no,
                "the stores were copied only in part: \(error); mend this, and copy with 'tidings backup' and 'tidings restore'"
            )
        } catch {
            let remedy = error is CopyCheck.Fault ? "; restore a backup first" : ""
            throw CommandFailure(.no, "the stores were not copied: \(SystemError.text(error))\(remedy)")
        }
        guard !names.isEmpty else { throw CommandFailure(.no, "there is no store in \(source)") }
        try StandardOutput.write("\(target): \(names.joined(separator: ", "))\n")
        return .done
    }
}
