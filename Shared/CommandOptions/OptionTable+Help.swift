// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

extension OptionTable {
    /// The maximum length of a line in the help, in characters.
    package static let helpColumns = 80

    /// The text that the option `--help` prints, including the newline after the last line.
    public var help: String {
        var usage = "Usage: \(command) [OPTION …]"
        for operand in operands {
            let name = operand.isRepeatable ? "\(operand.name) …" : operand.name
            usage += operand.isOptional ? " [\(name)]" : " \(name)"
        }
        var text = Self.wrap(summary, indent: 0) + "\n\n" + usage + "\n"
        if !operands.isEmpty {
            text += "\nArguments:\n" + Self.rows(operands.map { ("  \($0.name)", $0.help) })
        }
        text += "\nOptions:\n"
        text += Self.rows(
            options.map { option in
                let short = option.short.map { "-\($0), " } ?? "    "
                return ("  \(short)--\(option.name)\(option.value.map { " \($0)" } ?? "")", option.help)
            }
        )
        if !notes.isEmpty { text += "\n" + notes + "\n" }
        return text
    }

    /// Formats rows as two columns, and wraps the texts of the right column.
    package static func rows(_ rows: [(left: String, right: String)]) -> String {
        let width = min(32, (rows.map(\.left.count).max() ?? 0) + 2)
        return rows.map { row in
            let right = wrap(row.right, indent: width)
            if row.left.count + 2 > width {
                return row.left + "\n" + String(repeating: " ", count: width) + right + "\n"
            }
            return row.left + String(repeating: " ", count: width - row.left.count) + right + "\n"
        }.joined()
    }

    /// Breaks a text at its spaces into lines of at most `columns` characters.
    ///
    /// All lines except the first begin with `indent` spaces, which count as part of the line. The first line is
    /// shorter by `indent` characters, because the caller writes that many characters before it. A word that is too
    /// long for a line is not broken.
    package static func wrap(_ text: String, indent: Int, columns: Int = helpColumns) -> String {
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ") {
            if !line.isEmpty, indent + line.count + 1 + word.count > columns {
                lines.append(line)
                line = ""
            }
            line += line.isEmpty ? String(word) : " \(word)"
        }
        lines.append(line)
        return lines.joined(separator: "\n" + String(repeating: " ", count: indent))
    }
}
