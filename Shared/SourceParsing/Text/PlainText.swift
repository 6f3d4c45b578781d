// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// Texts without markup, on one line.
enum PlainText {
    /// Some characters are many scalars long, but not all: a text of so many scalars for each character wanted is enough.
    private static let scalarsPerCharacter = 8

    /// The text of a piece of HTML: tags go, references become characters, white space shrinks to single spaces.
    ///
    /// What follows after about `limit` characters may be left out. It takes time in proportion to the text.
    static func fromHTML(_ html: String, limit: Int = .max) -> String {
        var scanner = HTMLScanner(html, limit: scalarLimit(limit))
        return scanner.run()
    }

    /// The text with white space shrunk to single spaces, and none at its ends.
    static func collapse(_ text: String, limit: Int = .max) -> String {
        var line = LineBuilder(limit: scalarLimit(limit))
        for scalar in text.unicodeScalars {
            line.append(scalar)
            if line.isFull { break }
        }
        return line.text
    }

    /// Whether there is nothing but white space.
    static func isBlank(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy(\.properties.isWhitespace)
    }

    /// The text without white space at its ends.
    static func trimmed(_ text: String) -> String {
        let scalars = text.unicodeScalars
        guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
            let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
        else { return "" }
        return String(scalars[first...last])
    }

    /// The text as HTML that shows it.
    static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    private static func scalarLimit(_ characters: Int) -> Int {
        let (scalars, overflow) = characters.multipliedReportingOverflow(by: scalarsPerCharacter)
        return overflow ? .max : scalars
    }
}

/// A line in the making.
struct LineBuilder {
    private(set) var text = ""
    private let limit: Int
    private var count = 0
    private var hasPendingSpace = false

    init(limit: Int) {
        self.limit = limit
    }

    var isFull: Bool { count >= limit }

    mutating func append(_ scalar: Unicode.Scalar) {
        if scalar.properties.isWhitespace {
            hasPendingSpace = true
            return
        }
        // Control characters and the byte order mark show nothing.
        if scalar.properties.generalCategory == .control || scalar == "\u{FEFF}" { return }
        if hasPendingSpace, !text.isEmpty {
            text.unicodeScalars.append(" ")
            count += 1
        }
        hasPendingSpace = false
        text.unicodeScalars.append(scalar)
        count += 1
    }
}
