// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// The form in which words are written in all languages.
///
/// For each language there is a line with its code. Below it are the words in the order of their cases, separated by ` | `
/// or the end of a line. An empty line separates languages.
enum WordTable {
    static func parsed<Word: CaseIterable & Hashable>(_ text: String, as word: Word.Type) -> [WidgetLanguage: [Word:
        String]]
    {
        var table: [WidgetLanguage: [Word: String]] = [:]
        for block in text.split(separator: "\n\n") {
            let lines = block.split(separator: "\n")
            guard let code = lines.first, let language = WidgetLanguage(rawValue: String(code)) else { continue }
            let words = lines.dropFirst().flatMap { $0.split(separator: " | ") }
            for (word, string) in zip(Word.allCases, words) {
                table[language, default: [:]][word] = String(string.drop { $0 == " " })
            }
        }
        return table
    }
}
