// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// A scanner that reads a JSON document (RFC 8259) once and builds only the requested values.
///
/// It tolerates missing or extra separators between values, and raw control characters in strings. The end of a
/// truncated document is not an error. Nesting does not use the stack, and each call takes time proportional to the
/// number of bytes that it passes.
package struct JSONScanner {
    package enum Kind {
        case object
        case array
        case string
        case number
        case literal
        case end
    }

    private let bytes: [UInt8]
    private var steps: StepCounter
    private var position = 0

    package init(_ bytes: [UInt8], budget: (any JSONReadingBudget)? = nil) {
        self.bytes = bytes
        steps = StepCounter(budget)
    }

    /// Returns the kind of the next value without reading this value; returns `end` at the end of the document, or if
    /// the budget is exhausted.
    package mutating func kind() -> Kind {
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

    /// Reads the next object: calls `body` with the name of each member, and moves past the object.
    ///
    /// `body` may read the member's value; if it does not, the value is skipped. Returns false if the document ends
    /// within the object. If the next value is not an object, skips it and returns true.
    package mutating func readObject(_ body: (inout JSONScanner, String) -> Void) -> Bool {
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
                // The object ends after a name: the member has no value and is ignored.
                if bytes[position] == UInt8(ascii: "}") { continue }
                let start = position
                body(&self, name)
                if position == start { skipValue() }
            default:
                skipValue()
            }
        }
    }

    /// Reads the next array, and calls `body` for each element; returns false if the reading did not reach the array's
    /// end.
    ///
    /// `body` may read the element; if it does not, the element is skipped. If `body` returns false, the reading ends,
    /// and the scanner stays where `body` left it. The reading also ends if the document ends within the array.
    ///
    /// If the next value is not an array, calls `body` once for this value, and returns the result of `body`. In this
    /// case, the value is not skipped if `body` does not read it.
    package mutating func readArray(_ body: (inout JSONScanner) -> Bool) -> Bool {
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

    /// Reads the next value, and returns the decoded text of a string, or a number exactly as it is written.
    ///
    /// If the value is of any other kind, skips it and returns nil. Also returns nil if the document ends within a
    /// string.
    package mutating func readText() -> String? {
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
    package mutating func readFlag() -> Bool? {
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

    /// Skips the next value, including all values within it.
    package mutating func skipValue() {
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
        steps.add(1)
        if steps.isExhausted { position = bytes.count }
        let start = position
        defer { steps.add(position - start) }
        while position < bytes.count {
            switch bytes[position] {
            case 9, 10, 13, 32, UInt8(ascii: ","), UInt8(ascii: ":"): position += 1
            default: return
            }
        }
    }

    /// Skips a number, a literal, or a run of invalid characters.
    private mutating func skipScalar() {
        let end = JSONLexer.endOfScalar(bytes, from: position)
        steps.add(end - position)
        position = end
    }

    private mutating func skipString() {
        let end = JSONLexer.endOfString(bytes, from: position)
        steps.add(end - position)
        position = end
    }

    /// Returns the text of the next string; nil if the document ends within it.
    private mutating func readString() -> String? {
        let start = position + 1
        skipString()
        guard position - 1 >= start, bytes[position - 1] == UInt8(ascii: "\"") else { return nil }
        return JSONText.decode(bytes[start..<(position - 1)])
    }
}
