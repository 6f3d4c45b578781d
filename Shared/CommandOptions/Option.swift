// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// An option of a command, as data for the parser, the help and shell completion.
public struct Option: Sendable, Equatable {
    /// The name without dashes, such as `config`.
    public var name: String
    /// The letter of the short form, such as `c` for `-c`; nil if there is no short form.
    public var short: Character?
    /// The name that the help shows for the value of the option, such as `FILE`; nil for a flag.
    public var value: String?
    /// The values that shell completion suggests; empty if there are no suggestions.
    ///
    /// The parser accepts other values too.
    public var choices: [String]
    /// A Boolean value that indicates whether the option may be repeated.
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
        help: "Read the configuration from FILE (default: TIDINGS_CONFIG, else tidings.yml if it exists)."
    )
    public static let help = Option("help", short: "h", help: "Show this help.")
    public static let version = Option("version", short: "V", help: "Show the version.")
}
