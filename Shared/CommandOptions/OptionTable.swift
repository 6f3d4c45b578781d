// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Text

/// The options and operands of a command, as data.
///
/// Options may stand before, between or after the operands. They are written `--name value`, `--name=value`, `-n value`
/// or `-nvalue`; flags can be combined (`-vq`), and `--` ends the options. Names cannot be abbreviated, because a new
/// option could make an abbreviation in a script ambiguous.
public struct OptionTable: Sendable, Equatable {
    /// The words that name the command, such as `cache` or `tidings send`.
    public var command: String
    /// One sentence about the purpose of the command.
    public var summary: String
    public var operands: [Operand]
    /// All options, including `--help` and `--version`.
    public var options: [Option]
    /// The text that the help shows after the options.
    public var notes: String

    public init(
        command: String,
        summary: String,
        operands: [Operand] = [],
        options: [Option] = [],
        notes: String = ""
    ) {
        self.command = command
        self.summary = summary
        self.operands = operands
        self.options = options + [.help, .version]
        self.notes = notes
    }

    /// Parses the arguments that follow the name of the command.
    ///
    /// Throws the first error that is found.
    public func parse(_ arguments: [String]) throws(UsageError) -> ParsedOptions {
        var parsed = ParsedOptions(command: command)
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            if argument == "--" {
                parsed.operands += rest
                break
            } else if argument.hasPrefix("--") {
                try parseLong(argument.dropFirst(2), rest: &rest, into: &parsed)
            } else if argument.hasPrefix("-") && argument != "-" {
                try parseShort(argument.dropFirst(), rest: &rest, into: &parsed)
            } else {
                parsed.operands.append(argument)
            }
        }
        guard !parsed.asksForHelp, !parsed.asksForVersion else { return parsed }
        let required = operands.filter { !$0.isOptional }
        guard parsed.operands.count >= required.count else {
            throw problem("the argument \(required[parsed.operands.count].name) is missing")
        }
        if operands.last?.isRepeatable != true, parsed.operands.count > operands.count {
            throw problem("unexpected argument '\(parsed.operands[operands.count])'")
        }
        return parsed
    }

    private func parseLong(
        _ text: Substring,
        rest: inout ArraySlice<String>,
        into parsed: inout ParsedOptions
    ) throws(UsageError) {
        let sign = text.firstIndex(of: "=")
        let name = String(text[..<(sign ?? text.endIndex)])
        guard let option = options.first(where: { $0.name == name }) else {
            let suggestion = EditDistance.closest(to: name, among: options.map(\.name))
            throw problem("unknown option '--\(name)'" + (suggestion.map { "; did you mean '--\($0)'?" } ?? ""))
        }
        let attached = sign.map { String(text[text.index(after: $0)...]) }
        if option.value == nil, attached != nil { throw problem("option '--\(name)' takes no value") }
        try add(GivenOption(option: option, written: "--\(name)", attached: attached), rest: &rest, into: &parsed)
    }

    private func parseShort(
        _ letters: Substring,
        rest: inout ArraySlice<String>,
        into parsed: inout ParsedOptions
    ) throws(UsageError) {
        var letters = letters
        while let letter = letters.popFirst() {
            guard let option = options.first(where: { $0.short == letter }) else {
                throw problem("unknown option '-\(letter)'")
            }
            let attached = option.value == nil || letters.isEmpty ? nil : String(letters)
            if attached != nil { letters = "" }
            try add(GivenOption(option: option, written: "-\(letter)", attached: attached), rest: &rest, into: &parsed)
        }
    }

    /// An option as the user wrote it.
    ///
    /// `attached` is the value if it is in the same argument as the option, as in `--name=value` or `-nvalue`;
    /// otherwise nil.
    private struct GivenOption {
        let option: Option
        let written: String
        let attached: String?
    }

    private func add(
        _ given: GivenOption,
        rest: inout ArraySlice<String>,
        into parsed: inout ParsedOptions
    ) throws(UsageError) {
        let (option, written) = (given.option, given.written)
        if parsed.has(option.name), !option.isRepeatable { throw problem("option '\(written)' is given twice") }
        guard let name = option.value else {
            parsed.options[option.name, default: []].append("")
            return
        }
        guard let value = given.attached ?? rest.popFirst() else {
            throw problem("option '\(written)' needs a value: \(name)")
        }
        parsed.options[option.name, default: []].append(value)
    }

    private func problem(_ text: String) -> UsageError { UsageError(command: command, problem: text) }
}
