// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import CommandOptions
import Configuration
import Text
import WidgetSchema

/// A subcommand of `tidings`: its options and its action.
protocol Subcommand: Sendable {
    /// The options and operands of the subcommand, for the parser and the help.
    ///
    /// The property `command` of the table must be `tidings NAME`; `NAME` is the word that selects the subcommand.
    static var table: OptionTable { get }

    /// Runs the subcommand on the calling thread, which is the main thread and may be blocked.
    ///
    /// Throws `CommandFailure`, `UsageError` or `ConfigurationErrors`.
    static func run(_ options: ParsedOptions, environment: [String: String]) throws -> CommandStatus
}

extension Subcommand {
    /// The word that selects the subcommand, such as `get`.
    static var name: String { String(table.command.dropFirst(Program.name.count + 1)) }

    static func wrongUse(_ problem: String) -> UsageError { UsageError(command: table.command, problem: problem) }

    /// Returns the id or the name in an argument; `noun` says what it must be.
    static func id<ID: ValidatedString>(_ text: String, _ noun: String) throws(UsageError) -> ID {
        guard let id = ID(rawValue: text) else { throw wrongUse("'\(text)' is not a valid \(noun): \(ID.rule)") }
        return id
    }

    /// Returns the value that `text` names; an error is `problem` with the closest value or all values.
    static func choice<Value: CaseIterable & RawRepresentable<String>>(
        _ text: String,
        _ problem: String
    ) throws(UsageError) -> Value {
        if let value = Value(rawValue: text) { return value }
        throw wrongUse(problem + EditDistance.hint(for: text, among: Value.allCases.map(\.rawValue)))
    }

    static func sequence(_ text: String) throws(UsageError) -> SequenceNumber {
        guard let number = SequenceNumber(text), number > .zero else {
            throw wrongUse("'\(text)' is not a valid sequence number; use a positive whole number")
        }
        return number
    }
}

extension ParsedOptions {
    /// Loads the configuration that the option `--config` or the environment names.
    ///
    /// Throws `ConfigurationErrors` if it is not valid.
    func configuration(
        _ environment: [String: String],
        needsSecrets: NeededSecrets = []
    ) throws -> TidingsConfiguration {
        try .load(path: value(Option.config.name), environment: environment, needsSecrets: needsSecrets)
    }

    /// Loads the valid parts of that configuration, and the errors of the others.
    func partialConfiguration(
        _ environment: [String: String]
    ) -> (configuration: TidingsConfiguration, errors: [ConfigurationError]) {
        TidingsConfiguration.loadPartially(path: value(Option.config.name), environment: environment)
    }
}
