// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import ServiceRuntime

/// `tidings backup`: the stores in one file, while everything runs.
enum BackupCommand: Subcommand {
    static let table = OptionTable(
        command: "tidings backup",
        summary: "Copies the stores into one file, while the services run.",
        operands: [Operand("FILE", help: "Where the backup goes: a tar archive, made or replaced.")],
        options: [.config],
        notes: "The stores are those of the configuration, or of TIDINGS_STORE.\n\n"
            + "Example:\n  tidings backup tidings.tar"
    )

    static func run(_ options: ParsedOptions, environment: [String: String]) throws -> CommandStatus {
        let configuration = try Configuration.load(
            path: options.value(Option.config.name),
            environment: environment
        )
        let file = options.operands[0]
        do {
            let names = try Stores.backUp(configuration.store, to: file)
            guard !names.isEmpty else {
                throw CommandFailure(.no, "there is no store in \(configuration.store): nothing has run here yet")
            }
            StandardStream.output.write("\(file): \(names.joined(separator: ", "))\n")
            return .done
        } catch let failure as CommandFailure {
            throw failure
        } catch {
            throw CommandFailure(.no, "no backup was made: \(error)")
        }
    }
}
