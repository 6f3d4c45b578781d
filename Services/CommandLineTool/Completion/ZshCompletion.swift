// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import CommandOptions

/// The completion of a command in zsh, generated from its option tables.
struct ZshCompletion {
    let command: String
    let tables: [OptionTable]

    var script: String {
        let commands =
            tables.map { "'\($0.word):\(escaped($0.summary))'" } + [
                "'help:Shows the help of a command.'", "'version:Shows the version.'",
            ]
        let words = tables.map(\.word).joined(separator: " ")
        return """
            #compdef \(command)
            # Completes '\(command)' in zsh: source it behind compinit.
            _\(command)() {
                local -a commands
                commands=(
                    \(commands.joined(separator: "\n        "))
                )
                if (( CURRENT == 2 )); then
                    _describe -t commands command commands
                    return
                fi
                local word=$words[2]
                shift words
                (( CURRENT-- ))
                case $word in
                help) _arguments '1:COMMAND:(\(words))' ;;
            \(tables.map(branch).joined(separator: "\n"))
                esac
            }
            if [[ $funcstack[1] == _\(command) ]]; then
                _\(command) "$@"
            else
                compdef _\(command) \(command)
            fi

            """
    }

    private func branch(_ table: OptionTable) -> String {
        var specifications = table.options.map(specification)
        for (index, operand) in table.operands.enumerated() {
            let place = operand.isRepeatable ? "*" : String(index + 1)
            let colon = operand.isOptional && !operand.isRepeatable ? "::" : ":"
            specifications.append("'\(place)\(colon)\(operand.name):\(action(CompletedWord(operand)))'")
        }
        return "    \(table.word))\n        _arguments \(specifications.joined(separator: " \\\n            ")) ;;"
    }

    /// Returns the `_arguments` specification of an option.
    ///
    /// An example is `'(-c --config)'{-c+,--config=}'[Read it.]:FILE:_files'`.
    private func specification(_ option: Option) -> String {
        let hasValue = option.value != nil
        let help = "[\(escaped(option.help))]"
        let value = option.value.map { ":\($0):\(action(CompletedWord(option)))" } ?? ""
        let long = "--\(option.name)\(hasValue ? "=" : "")"
        guard let short = option.short else { return "'\(long)\(help)\(value)'" }
        return "'(-\(short) --\(option.name))'{-\(short)\(hasValue ? "+" : ""),\(long)}'\(help)\(value)'"
    }

    private func action(_ word: CompletedWord) -> String {
        switch word {
        case .choice(let choices): "(\(choices.joined(separator: " ")))"
        case .listed(let subject):
            "( ${(f)\"$(\(CompletedWord.listing(subject, command: command)))\"} )"
        case .file: "_files"
        case .anything: " "
        }
    }

    /// Escapes single quotes, brackets, colons and backslashes, for a single-quoted `_arguments` specification.
    private func escaped(_ text: String) -> String {
        var result = ""
        for character in text {
            switch character {
            case "'": result += "'\\''"
            case "[", "]", ":", "\\": result += "\\\(character)"
            default: result.append(character)
            }
        }
        return result
    }
}
