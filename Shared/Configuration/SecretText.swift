// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// A text of the configuration in which `${NAME}` stands for a value from the environment; `$${` is a literal `${`.
enum SecretText {
    enum Piece: Hashable {
        case text(String)
        case variable(String)
    }

    /// The error for an invalid text, with a message for the user.
    struct Problem: Error {
        var message: String
    }

    static func pieces(of text: String) throws(Problem) -> [Piece] {
        var pieces: [Piece] = []
        var literal = ""
        var rest = text[...]
        while let dollar = rest.firstIndex(of: "$") {
            literal += rest[..<dollar]
            rest = rest[dollar...]
            if rest.hasPrefix("$${") {
                literal += "${"
                rest = rest.dropFirst(3)
            } else if rest.hasPrefix("${") {
                guard let end = rest.firstIndex(of: "}") else {
                    throw Problem(message: "'${' has no closing '}'; write '$${' for a literal '${'")
                }
                let name = String(rest.dropFirst(2)[..<end])
                guard isName(name) else {
                    throw Problem(
                        message: "'${\(name)}' does not name an environment variable: a name consists of letters, "
                            + "digits and '_', and does not begin with a digit"
                    )
                }
                if !literal.isEmpty { pieces.append(.text(literal)) }
                literal = ""
                pieces.append(.variable(name))
                rest = rest[rest.index(after: end)...]
            } else {
                literal += "$"
                rest = rest.dropFirst()
            }
        }
        literal += rest
        return literal.isEmpty ? pieces : pieces + [.text(literal)]
    }

    private static func isName(_ text: String) -> Bool {
        text.utf8.first?.isDigit == false
            && text.utf8.allSatisfy { $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "_") }
    }
}
