// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import CommandOptions
import Configuration
import Foundation
import ServiceRuntime
import Text

/// The entry point of the command `tidings`.
///
/// It selects the subcommand, handles the requests for help and for the version, and converts errors to exit statuses.
enum Program {
    static let name = "tidings"

    /// The subcommands in the order in which the help lists them.
    static let subcommands: [any Subcommand.Type] = [
        DemoCommand.self,
        InitCommand.self,
        UpCommand.self,
        SubscribeCommand.self,
        ListCommand.self,
        GetCommand.self,
        RenderCommand.self,
        ExplainCommand.self,
        SendCommand.self,
        PushCommand.self,
        DeliverCommand.self,
        BudgetCommand.self,
        HealthCommand.self,
        TokenCommand.self,
        PanelCommand.self,
        BackupCommand.self,
        RestoreCommand.self,
        StoreCommand.self,
        CheckCommand.self,
        InspectCommand.self,
        OriginCommand.self,
        CompletionCommand.self,
    ]

    /// The action that a command line requests.
    enum Invocation {
        case show(String)
        case run(any Subcommand.Type, ParsedOptions)
    }

    /// Runs the command that the arguments name and returns its exit status; errors go to standard error.
    static func run(_ arguments: [String], environment: [String: String]) -> CommandStatus {
        do {
            switch try parse(arguments) {
            case .show(let text):
                try StandardOutput.write(text)
                return .done
            case .run(let subcommand, let options):
                return try subcommand.run(options, environment: environment)
            }
        } catch is StandardOutput.Closed {
            return .done
        } catch let failure as CommandFailure {
            note(failure.description)
            return failure.status
        } catch {
            // Errors of the command line or the configuration already contain their place.
            let isWrongUse = error is UsageError || error is ConfigurationErrors
            StandardStream.error.write(isWrongUse ? "\(error)\n" : "\(name): \(SystemError.text(error))\n")
            return isWrongUse ? .wrongUse : .no
        }
    }

    /// Returns the action for the arguments, which do not include the program's name.
    static func parse(_ arguments: [String]) throws -> Invocation {
        guard let word = arguments.first else { return .show(help) }
        switch word {
        case "--help", "-h": return .show(help)
        case "--version", "-V", "version": return .show(version)
        case "help":
            guard let topic = arguments.dropFirst().first(where: { !$0.hasPrefix("-") }) else { return .show(help) }
            return .show(try subcommand(topic).table.help)
        case _ where word.hasPrefix("-"):
            throw UsageError(command: name, problem: "unknown option '\(word)'; write options after the sub-command")
        default:
            let subcommand = try subcommand(word)
            let options = try subcommand.table.parse(Array(arguments.dropFirst()))
            if options.asksForHelp { return .show(subcommand.table.help) }
            if options.asksForVersion { return .show(version) }
            return .run(subcommand, options)
        }
    }

    private static func subcommand(_ word: String) throws(UsageError) -> any Subcommand.Type {
        if let found = subcommands.first(where: { $0.name == word }) { return found }
        let hint = EditDistance.hint(for: word, among: subcommands.map { $0.name })
        throw UsageError(command: name, problem: "unknown sub-command '\(word)'\(hint)")
    }

    /// Writes a line to standard error.
    static func note(_ text: String) { StandardStream.error.write("\(name): \(text)\n") }

    /// Writes a line to standard error that only a person at a terminal needs.
    static func remark(_ text: String) { if isatty(STDERR_FILENO) == 1 { note(text) } }

    /// Returns a number with its noun, such as "2 widgets".
    static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }

    static var version: String { "\(name) \(TidingsVersion.current)\n" }

    static var help: String {
        """
        Keeps glanceable widgets up to date, and tells subscribers only when what they
        see would change.

        Usage: \(name) COMMAND [OPTION …] [ARGUMENT …]

        Commands:

        """
            + OptionTable.rows(subcommands.map { ("  \($0.name)", $0.table.summary) })
                + """

                Options:
                  -h, --help     Show this help; '\(name) help COMMAND' shows that of a command.
                  -V, --version  Show the version.

                Exit status: 0 done; 1 the answer is no; 2 wrong use or a broken
                configuration; 3 the bus or a service cannot be reached.

                """
    }
}
