// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import CommandOptions

/// `tidings completion`: writes a script that completes command lines in a shell.
enum CompletionCommand: Subcommand {
    /// The shells for which there is a script.
    enum Shell: String, CaseIterable {
        case bash
        case zsh
        case fish
    }

    static let table = OptionTable(
        command: "tidings completion",
        summary: "Writes a script that completes 'tidings' on command lines.",
        operands: [Operand("SHELL", choices: Shell.allCases.map(\.rawValue), help: "bash, zsh or fish.")],
        notes: "To have it from the next login on:\n"
            + "  echo 'source <(tidings completion bash)' >> ~/.bashrc\n"
            + "  echo 'source <(tidings completion zsh)' >> ~/.zshrc     # after compinit\n"
            + "  tidings completion fish > ~/.config/fish/completions/tidings.fish\n\n"
            + "The names of widgets, displays and topics come from the running bus."
    )

    static func run(_ options: ParsedOptions, environment: [String: String]) throws -> CommandStatus {
        let text = options.operands[0]
        let shell: Shell = try choice(text, "there is no completion script for '\(text)'")
        let tables = Program.subcommands.map { $0.table }
        switch shell {
        case .bash: try StandardOutput.write(BashCompletion(command: Program.name, tables: tables).script)
        case .zsh: try StandardOutput.write(ZshCompletion(command: Program.name, tables: tables).script)
        case .fish: try StandardOutput.write(FishCompletion(command: Program.name, tables: tables).script)
        }
        return .done
    }
}
