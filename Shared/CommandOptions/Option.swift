// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// One option of a command: data, from which parsing, help and shell completion are made.
public struct Option: Sendable, Equatable {
    /// Without the dashes: `config`.
    public var name: String
    /// The letter for `-c`.
    public var short: Character?
    /// The name of the value in the help, such as `FILE`; nil for an option without a value.
    public var value: String?
    /// The values that completion offers; empty if every value is allowed.
    ///
    /// For completion: parsing does not check it.
    public var choices: [String]
    /// A Boolean value that indicates whether the option may be given more than once.
    public var isRepeatable: Bool
    /// The description in the help.
    public var help: String

    public init(
        _ name: String,
        short: Character? = nil,
        value: String? = nil,
        choices: [String] = [],
        isRepeatable: Bool = false,
        help: String
    ) {
        self.name = name
        self.short = short
        self.value = value
        self.choices = choices
        self.isRepeatable = isRepeatable
        self.help = help
    }

    public static let config = Option(
        "config",
        short: "c",
        value: "FILE",
        help: "Read the configuration from FILE (default: TIDINGS_CONFIG, else tidings.yml where there is one)."
    )
    public static let help = Option("help", short: "h", help: "Show this help.")
    public static let version = Option("version", short: "V", help: "Show the version.")
}
