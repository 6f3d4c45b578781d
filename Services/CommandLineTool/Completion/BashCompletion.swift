// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import CommandOptions

/// The completion of a command in bash 4 and later, generated from its option tables.
struct BashCompletion {
    let command: String
    let tables: [OptionTable]

    private var words: String { (tables.map(\.word) + ["help", "version"]).joined(separator: " ") }

    var script: String {
        """
        # Completes '\(command)' in bash: source it.
        _\(command)() {
            local current="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}"
            COMPREPLY=()
            if (( COMP_CWORD == 1 )); then
                mapfile -t COMPREPLY < <(compgen -W "\(words) --help --version" -- "$current")
                return
            fi
            local word="${COMP_WORDS[1]}"
            # The equals sign of --name=value is a word of its own here.
            if [[ $current == "=" ]]; then
                current=""
            elif [[ $before == "=" ]]; then
                before="${COMP_WORDS[COMP_CWORD-2]}"
            fi
            case "$word:$before" in
        \(lines(values))
            esac
            if [[ $current == -* ]]; then
                case "$word" in
        \(lines(options, indent: 8))
                esac
                return
            fi
            local index operand=0 isValue=0
            for (( index = 2; index < COMP_CWORD; index++ )); do
                if [[ ${COMP_WORDS[index]} == "=" ]]; then
                    continue
                elif (( isValue )); then
                    isValue=0
                    continue
                fi
                case "$word:${COMP_WORDS[index]}" in
        \(lines(valueOptions.isEmpty ? [] : ["\(valueOptions.joined(separator: "|"))) isValue=1 ;;"], indent: 12))
                    *:-?*) ;;
                    *) operand=$(( operand + 1 )) ;;
                esac
            done
            case "$word:$operand" in
        \(lines(operands))
            esac
        }
        complete -F _\(command) \(command)

        """
    }

    private func lines(_ lines: [String], indent: Int = 4) -> String {
        lines.map { String(repeating: " ", count: indent + 4) + $0 }.joined(separator: "\n")
    }

    /// Returns the shell pattern that matches an option of a subcommand, such as `up:--config|up:-c`.
    private func patterns(_ table: OptionTable, _ option: Option) -> String {
        (["--\(option.name)"] + (option.short.map { ["-\($0)"] } ?? [])).map { "\(table.word):\($0)" }
            .joined(separator: "|")
    }

    private var valueOptions: [String] {
        tables.flatMap { table in table.options.filter { $0.value != nil }.map { patterns(table, $0) } }
    }

    private var values: [String] {
        tables.flatMap { table in
            table.options.filter { $0.value != nil }.map {
                "\(patterns(table, $0))) \(reply(CompletedWord($0)))return ;;"
            }
        }
    }

    private var options: [String] {
        tables.map { table in
            let names = table.options.map { "--\($0.name)" }.joined(separator: " ")
            return "\(table.word)) \(reply(.choice([names])));;"
        }
    }

    private var operands: [String] {
        var lines = ["help:0) \(reply(.choice([tables.map(\.word).joined(separator: " ")])));;"]
        for table in tables {
            for (index, operand) in table.operands.enumerated() {
                let reply = reply(CompletedWord(operand))
                guard !reply.isEmpty else { continue }
                lines.append("\(table.word):\(operand.isRepeatable ? "*" : String(index))) \(reply);;")
            }
        }
        return lines
    }

    private func reply(_ word: CompletedWord) -> String {
        switch word {
        case .choice(let choices):
            "mapfile -t COMPREPLY < <(compgen -W \"\(choices.joined(separator: " "))\" -- \"$current\"); "
        case .listed(let subject):
            "mapfile -t COMPREPLY < <(compgen -W \"$(\(CompletedWord.listing(subject, command: command)))\" -- \"$current\"); "
        case .file: "compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -f -- \"$current\"); "
        case .anything: ""
        }
    }
}
