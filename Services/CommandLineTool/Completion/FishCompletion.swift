// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import CommandOptions

/// The completion of a command in fish 3 and later, generated from its option tables.
struct FishCompletion {
    let command: String
    let tables: [OptionTable]

    var script: String {
        let words = (tables.map(\.word) + ["help", "version"]).joined(separator: " ")
        var lines = [
            "# Completes '\(command)' in fish: ~/.config/fish/completions/\(command).fish",
            "complete -c \(command) -f",
            "function __\(command)_operands",
            "    # The number of words after the command that are no options.",
            "    set -l words (commandline -opc)",
            "    set -l count 0",
            "    for word in $words[3..-1]",
            "        string match -q -- '-*' $word; or set count (math $count + 1)",
            "    end",
            "    echo $count",
            "end",
        ]
        let none = "not __fish_seen_subcommand_from \(words)"
        for table in tables {
            lines.append("complete -c \(command) -n '\(none)' -a \(table.word) -d \(quoted(table.summary))")
        }
        lines.append("complete -c \(command) -n '\(none)' -a help -d 'Shows the help of a command.'")
        lines.append("complete -c \(command) -n '\(none)' -a version -d 'Shows the version.'")
        lines.append(
            "complete -c \(command) -n '__fish_seen_subcommand_from help' -a '\(tables.map(\.word).joined(separator: " "))'"
        )
        for table in tables { lines += options(table) + operands(table) }
        return lines.joined(separator: "\n") + "\n"
    }

    private func seen(_ table: OptionTable) -> String { "__fish_seen_subcommand_from \(table.word)" }

    private func options(_ table: OptionTable) -> [String] {
        table.options.map { option in
            let short = option.short.map { " -s \($0)" } ?? ""
            let value = option.value == nil ? "" : " -r" + words(CompletedWord(option))
            return
                "complete -c \(command) -n '\(seen(table))'\(short) -l \(option.name)\(value) -d \(quoted(option.help))"
        }
    }

    private func operands(_ table: OptionTable) -> [String] {
        table.operands.enumerated().compactMap { index, operand in
            let words = words(CompletedWord(operand))
            guard !words.isEmpty else { return nil }
            let place = operand.isRepeatable ? "" : "; and test (__\(command)_operands) -eq \(index)"
            return "complete -c \(command) -n '\(seen(table))\(place)'\(words)"
        }
    }

    private func words(_ word: CompletedWord) -> String {
        switch word {
        case .choice(let choices): " -a '\(choices.joined(separator: " "))'"
        case .listed(let subject): " -a '(\(CompletedWord.listing(subject, command: command)))'"
        case .file: " -F"
        case .anything: ""
        }
    }

    private func quoted(_ text: String) -> String {
        "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
    }
}
