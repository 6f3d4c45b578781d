// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// A reader for JSON (RFC 8259) that records the place of each value; it stops at the first error.
struct PlacedJSONReader {
    /// The reason why a text is not JSON, with its place.
    struct Problem: Error, Hashable {
        var mark: PlacedJSON.Mark
        var message: String
    }

    static let maximumDepth = 100

    private let scalars: [Unicode.Scalar]
    private var position = 0
    private var mark = PlacedJSON.Mark(line: 1, column: 1)
    private var depth = 0

    private init(_ text: String) { scalars = Array(text.unicodeScalars) }

    static func read(_ text: String) throws(Problem) -> PlacedJSON {
        var reader = PlacedJSONReader(text)
        reader.skipSpace()
        guard reader.peek != nil else { throw reader.problem("there is nothing in it; a JSON object was expected") }
        let value = try reader.value()
        reader.skipSpace()
        guard reader.peek == nil else { throw reader.problem("there is something behind the JSON value") }
        return value
    }

    private var peek: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

    private func problem(_ message: String) -> Problem { Problem(mark: mark, message: message) }

    private mutating func advance() {
        if scalars[position] == "\n" {
            mark = PlacedJSON.Mark(line: mark.line + 1, column: 1)
        } else {
            mark.column += 1
        }
        position += 1
    }

    private mutating func skip(_ scalar: Unicode.Scalar) -> Bool {
        guard peek == scalar else { return false }
        advance()
        return true
    }

    private mutating func skipSpace() {
        while let scalar = peek, scalar == " " || scalar == "\n" || scalar == "\r" || scalar == "\t" { advance() }
    }

    private mutating func value() throws(Problem) -> PlacedJSON {
        let start = mark
        switch peek {
        case "{": return PlacedJSON(value: try object(), mark: start)
        case "[": return PlacedJSON(value: try array(), mark: start)
        case "\"": return PlacedJSON(value: .string(try string()), mark: start)
        case .some(let scalar) where scalar == "-" || ("0"..."9").contains(scalar):
            return PlacedJSON(value: try number(), mark: start)
        case nil: throw problem("it ends where a value was expected")
        default:
            for (word, value) in [
                ("true", PlacedJSON.Value.boolean(true)), ("false", .boolean(false)), ("null", .null),
            ]
            where scalars[position...].starts(with: word.unicodeScalars) {
                for _ in word.unicodeScalars { advance() }
                return PlacedJSON(value: value, mark: start)
            }
            throw problem("a JSON value was expected")
        }
    }

    private mutating func enter() throws(Problem) {
        depth += 1
        guard depth <= Self.maximumDepth else { throw problem("more than \(Self.maximumDepth) levels deep") }
        advance()
        skipSpace()
    }

    private mutating func object() throws(Problem) -> PlacedJSON.Value {
        try enter()
        defer { depth -= 1 }
        var members: [PlacedJSON.Member] = []
        if skip("}") { return .object(members) }
        while true {
            let start = mark
            guard peek == "\"" else { throw problem("a name in quotation marks was expected") }
            let name = try string()
            skipSpace()
            guard skip(":") else { throw problem("':' was expected behind the name \"\(name)\"") }
            skipSpace()
            members.append(PlacedJSON.Member(name: name, mark: start, value: try value()))
            skipSpace()
            if skip("}") { return .object(members) }
            guard skip(",") else { throw problem("',' or '}' was expected") }
            skipSpace()
        }
    }

    private mutating func array() throws(Problem) -> PlacedJSON.Value {
        try enter()
        defer { depth -= 1 }
        var elements: [PlacedJSON] = []
        if skip("]") { return .array(elements) }
        while true {
            elements.append(try value())
            skipSpace()
            if skip("]") { return .array(elements) }
            guard skip(",") else { throw problem("',' or ']' was expected") }
            skipSpace()
        }
    }

    private mutating func number() throws(Problem) -> PlacedJSON.Value {
        var text = ""
        while let scalar = peek, ("0"..."9").contains(scalar) || "+-.eE".unicodeScalars.contains(scalar) {
            text.unicodeScalars.append(scalar)
            advance()
        }
        guard Double(text) != nil else { throw problem("'\(text)' is no number") }
        return .number(text)
    }

    private mutating func string() throws(Problem) -> String {
        advance()
        var text = String.UnicodeScalarView()
        while let scalar = peek {
            switch scalar {
            case "\"":
                advance()
                return String(text)
            case "\\":
                advance()
                text.append(try escape())
            case _ where scalar.value < 0x20:
                throw problem("a line break or control character in a string; write it as \\n or \\u00XX")
            default:
                text.append(scalar)
                advance()
            }
        }
        throw problem("it ends within a string")
    }

    private mutating func escape() throws(Problem) -> Unicode.Scalar {
        guard let scalar = peek else { throw problem("it ends within a string") }
        let plain: [Unicode.Scalar: Unicode.Scalar] = [
            "\"": "\"", "\\": "\\", "/": "/", "b": "\u{8}", "f": "\u{C}", "n": "\n", "r": "\r", "t": "\t",
        ]
        if let meant = plain[scalar] {
            advance()
            return meant
        }
        guard scalar == "u" else { throw problem("'\\\(scalar)' is no escape of JSON") }
        advance()
        let unit = try hexadecimal()
        if let scalar = Unicode.Scalar(unit) { return scalar }
        // A surrogate pair is one character; an unpaired surrogate becomes U+FFFD.
        guard (0xD800..<0xDC00).contains(unit), skip("\\"), skip("u") else { return "\u{FFFD}" }
        let low = try hexadecimal()
        guard (0xDC00..<0xE000).contains(low) else { return "\u{FFFD}" }
        return Unicode.Scalar(0x10000 + (UInt32(unit) - 0xD800) << 10 + (UInt32(low) - 0xDC00)) ?? "\u{FFFD}"
    }

    private mutating func hexadecimal() throws(Problem) -> UInt16 {
        var text = ""
        while text.count < 4, let scalar = peek, scalar.properties.isASCIIHexDigit {
            text.unicodeScalars.append(scalar)
            advance()
        }
        guard text.count == 4, let unit = UInt16(text, radix: 16) else {
            throw problem("four hexadecimal digits were expected behind \\u")
        }
        return unit
    }
}
