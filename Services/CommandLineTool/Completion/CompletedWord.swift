// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import CommandOptions

/// The possible words for an option's value or an operand.
enum CompletedWord: Hashable {
    case choice([String])
    case file
    /// The word is one of the names that `tidings list` prints, such as a widget id; the bus must be running.
    case listed(ListCommand.Subject)
    /// The word can be any text, so it cannot be completed.
    case anything

    init(_ option: Option) { self.init(name: option.value ?? "", choices: option.choices) }

    init(_ operand: Operand) { self.init(name: operand.name, choices: operand.choices) }

    private init(name: String, choices: [String]) {
        let files: Set<String> = ["FILE", "CONFIG", "DOCUMENT"]
        let subjects: [String: ListCommand.Subject] = [
            "WIDGET": .widgets, "DISPLAY": .displays, "BOARD": .boards, "PREFIX": .topics,
        ]
        if !choices.isEmpty {
            self = .choice(choices)
        } else if let subject = subjects[name] {
            self = .listed(subject)
        } else {
            self = files.contains(name) ? .file : .anything
        }
    }

    /// Returns the shell command that prints the names of all widgets, displays or topics, for use in a completion
    /// script.
    ///
    /// `subject` selects what is listed, and `command` is the name of this program. The shell command prints no errors
    /// and ends within a second, because it runs when the Tab key is pressed.
    static func listing(_ subject: ListCommand.Subject, command: String) -> String {
        "timeout 1 \(command) \(ListCommand.name) --quiet \(subject.rawValue) 2>/dev/null"
    }
}

extension OptionTable {
    /// The name of the subcommand, which is the word after `tidings`.
    var word: String { String(command.split(separator: " ").last ?? "") }
}
