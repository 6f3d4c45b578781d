// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import ServiceRuntime

/// What may stand where an option's value or an operand is expected.
enum CompletedWord: Hashable {
    case choice([String])
    case file
    /// Nobody but the person knows.
    case anything

    init(_ option: Option) { self.init(name: option.value ?? "", choices: option.choices) }

    init(_ operand: Operand) { self.init(name: operand.name, choices: operand.choices) }

    private init(name: String, choices: [String]) {
        let files: Set<String> = ["FILE", "CONFIG", "DOCUMENT"]
        self = !choices.isEmpty ? .choice(choices) : files.contains(name) ? .file : .anything
    }
}

extension OptionTable {
    /// The word behind `tidings`.
    var word: String { String(command.split(separator: " ").last ?? "") }
}
