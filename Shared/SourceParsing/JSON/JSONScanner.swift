// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// Walks once over a JSON document (RFC 8259) and builds only what is asked for.
///
/// It forgives what is left out or too much between values, and raw control characters in strings; where the document
/// breaks off it is at its end. Depth costs no stack, and every step takes time in proportion to the bytes it passes.
struct JSONScanner {
    enum Kind {
        case object
        case array
        case string
        case number
        case literal
        case end
    }

    private let bytes: [UInt8]
    private let work: ParsingWork
    private(set) var position = 0

    init(_ bytes: [UInt8], work: ParsingWork = ParsingWork()) {
        self.bytes = bytes
        self.work = work
    }

    /// Whether everything was read, or the document was cut off.
    var isAtEnd: Bool { position >= bytes.count }

    /// What begins here.
    mutating func kind() -> Kind {
        skipSeparators()
        guard position < bytes.count else { return .end }
        switch bytes[position] {
        case UInt8(ascii: "{"): return .object
        case UInt8(ascii: "["): return .array
        case UInt8(ascii: "\""): return .string
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): return .number
        default: return .literal
        }
    }

    /// Calls `body` with the name of each member, to read its value or to leave it, and goes behind the object.
    ///
    /// False where the document ends within it. What is no object is skipped.
    mutating func readObject(_ body: (inout JSONScanner, String) -> Void) -> Bool {
        guard kind() == .object else {
            skipValue()
            return true
        }
        position += 1
        while true {
            skipSeparators()
            guard position < bytes.count else { return false }
            switch bytes[position] {
            case UInt8(ascii: "}"):
                position += 1
                return true
            case UInt8(ascii: "\""):
                guard let name = readString() else { return false }
                skipSeparators()
                guard position < bytes.count else { return false }
                // A name without a value.
                if bytes[position] == UInt8(ascii: "}") { continue }
                let start = position
                body(&self, name)
                if position == start { skipValue() }
            default:
                skipValue()
            }
        }
    }

    /// Calls `body` at each element, to read it or to leave it, and goes behind the array; `body` says whether to go on.
    ///
    /// False where the document ends within it, or where `body` had enough. What is no array is one element.
    mutating func readArray(_ body: (inout JSONScanner) -> Bool) -> Bool {
        guard kind() == .array else { return body(&self) }
        position += 1
        while true {
            skipSeparators()
            guard position < bytes.count else { return false }
            if bytes[position] == UInt8(ascii: "]") {
                position += 1
                return true
            }
            let start = position
            guard body(&self) else { return false }
            if position == start { skipValue() }
        }
    }

    /// The text of a string, or the digits of a number; `nil` for anything else, which is skipped.
    mutating func readText() -> String? {
        switch kind() {
        case .string: return readString()
        case .number:
            let start = position
            skipScalar()
            return String(decoding: bytes[start..<position], as: UTF8.self)
        default:
            skipValue()
            return nil
        }
    }

    /// Reads true or false; skips anything else and returns nil.
    mutating func readFlag() -> Bool? {
        guard kind() == .literal else {
            skipValue()
            return nil
        }
        let start = position
        skipScalar()
        switch String(decoding: bytes[start..<position], as: UTF8.self) {
        case "true": return true
        case "false": return false
        default: return nil
        }
    }

    /// Goes behind the value that begins here.
    mutating func skipValue() {
        skipSeparators()
        var depth = 0
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                position += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                position += 1
                depth -= 1
            case UInt8(ascii: "\""):
                skipString()
            default:
                skipScalar()
            }
            if depth <= 0 { return }
            skipSeparators()
        }
    }

    private mutating func skipSeparators() {
        work.add(1)
        if work.isExhausted { position = bytes.count }
        let start = position
        defer { work.add(position - start) }
        while position < bytes.count {
            switch bytes[position] {
            case 9, 10, 13, 32, UInt8(ascii: ","), UInt8(ascii: ":"): position += 1
            default: return
            }
        }
    }

    /// Goes behind a number, a literal or a run of what is none.
    private mutating func skipScalar() {
        let start = position
        defer { work.add(position - start) }
        position += 1
        while position < bytes.count {
            switch bytes[position] {
            case 9, 10, 13, 32, UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "{"), UInt8(ascii: "}"),
                UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "\""):
                return
            default: position += 1
            }
        }
    }

    private mutating func skipString() {
        let start = position
        defer { work.add(position - start) }
        position += 1
        while position < bytes.count {
            let byte = bytes[position]
            position += byte == UInt8(ascii: "\\") ? 2 : 1
            if byte == UInt8(ascii: "\"") { return }
        }
        position = bytes.count
    }

    /// The text of the string that begins here; `nil` where the document ends within it.
    private mutating func readString() -> String? {
        let start = position + 1
        skipString()
        guard position - 1 >= start, bytes[position - 1] == UInt8(ascii: "\"") else { return nil }
        return JSONText.decode(bytes[start..<(position - 1)])
    }
}
