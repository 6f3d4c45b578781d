// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// A check that bytes are exactly one JSON value (RFC 8259), with a visitor for the parts of this value.
///
/// Nesting does not use the stack, and the time is proportional to the number of bytes.
struct JSONSyntaxCheck<Visitor: JSONSyntaxVisitor> {
    static var maximumDepth: Int { 512 }

    private let bytes: [UInt8]
    private var visitor: Visitor
    private var steps: StepCounter
    private var position = 0
    /// The open objects and arrays, outermost first; true for an object, false for an array.
    private var open: [Bool] = []

    private init(_ bytes: [UInt8], _ visitor: Visitor, _ budget: (any JSONReadingBudget)?) {
        self.bytes = bytes
        self.visitor = visitor
        steps = StepCounter(budget)
    }

    /// Returns the visitor after it has visited all parts of the document.
    ///
    /// Throws if the bytes are not exactly one JSON value, or if the check exhausts the budget. `budget` limits the work
    /// of the check. If it is nil, there is no limit.
    static func check(
        _ bytes: [UInt8],
        visitor: Visitor,
        budget: (any JSONReadingBudget)?
    ) throws(JSONSyntaxError) -> Visitor {
        var check = JSONSyntaxCheck(bytes, visitor, budget)
        defer { check.steps.report() }
        try check.run()
        return check.visitor
    }

    private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

    private func problem(_ message: String) -> JSONSyntaxError { JSONSyntaxError(offset: position, message: message) }

    private mutating func run() throws(JSONSyntaxError) {
        skipSpace()
        guard current != nil else { throw problem("the text is empty; a JSON value was expected") }
        repeat {
            do {
                let start = position
                // The steps are counted even if an error is thrown.
                defer { steps.add(position - start + 1) }
                while try enterValue() {}
            }
            guard !steps.isExhausted else {
                throw JSONSyntaxError(
                    kind: .budgetExhausted,
                    offset: position,
                    message: "reading the JSON takes too much processor time"
                )
            }
        } while try advanceToNextValue()
    }

    /// Skips a scalar, or moves into an object or array.
    ///
    /// Returns true for an object or array that is not empty; `position` is then at the first value in it. Returns
    /// false for a scalar, with `position` after the scalar. Also returns false for an empty object or array, with
    /// `position` at the closing bracket.
    private mutating func enterValue() throws(JSONSyntaxError) -> Bool {
        guard let byte = current else { throw problem("the text ends where a JSON value was expected") }
        switch byte {
        case UInt8(ascii: "{"):
            try enter(object: true)
            guard current != UInt8(ascii: "}") else { return false }
            try name()
            return true
        case UInt8(ascii: "["):
            try enter(object: false)
            return current != UInt8(ascii: "]")
        case UInt8(ascii: "\""):
            let (range, isEscaped) = try string()
            visitor.visit(.string, range, isEscaped: isEscaped)
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): try number()
        default: try literal()
        }
        return false
    }

    /// Moves from the end of a value to the next value.
    ///
    /// Skips closing brackets, a comma and the name of a member. Returns false at the end of the document.
    private mutating func advanceToNextValue() throws(JSONSyntaxError) -> Bool {
        while true {
            skipSpace()
            guard let isObject = open.last else {
                guard current == nil else { throw problem("there is more text after the JSON value") }
                return false
            }
            let bracket: Unicode.Scalar = isObject ? "}" : "]"
            guard let byte = current else {
                throw problem("the text ends within \(isObject ? "an object" : "an array"); it may be truncated")
            }
            position += 1
            if byte == UInt8(ascii: ",") {
                skipSpace()
                if isObject { try name() }
                return true
            }
            guard byte == UInt8(ascii: bracket) else {
                position -= 1
                throw problem("',' or '\(bracket)' was expected")
            }
            open.removeLast()
            visitor.leave()
        }
    }

    private mutating func enter(object: Bool) throws(JSONSyntaxError) {
        guard open.count < Self.maximumDepth else {
            throw JSONSyntaxError(
                kind: .tooDeep,
                offset: position,
                message: "the JSON is more than \(Self.maximumDepth) levels deep"
            )
        }
        open.append(object)
        visitor.visit(object ? .object : .array, position..<position, isEscaped: false)
        position += 1
        skipSpace()
    }

    private mutating func name() throws(JSONSyntaxError) {
        guard current == UInt8(ascii: "\"") else {
            throw problem(current == nil ? "the text ends within an object" : "a name in quotation marks was expected")
        }
        let (range, isEscaped) = try string()
        visitor.visit(.name, range, isEscaped: isEscaped)
        skipSpace()
        guard current == UInt8(ascii: ":") else { throw problem("':' was expected after a name") }
        position += 1
        skipSpace()
    }

    private mutating func skipSpace() {
        position = JSONLexer.endOfSpace(bytes, from: position)
    }

    /// Skips a string; returns the range between its quotation marks, and whether it contains an escape sequence.
    private mutating func string() throws(JSONSyntaxError) -> (range: Range<Int>, isEscaped: Bool) {
        position += 1
        let start = position
        var isEscaped = false
        while let special = bytes.withUnsafeBufferPointer({ JSONText.special(in: $0, from: position) }) {
            position = special + 1
            switch bytes[special] {
            case UInt8(ascii: "\""): return (start..<special, isEscaped)
            case UInt8(ascii: "\\"):
                isEscaped = true
                try escape()
            case let byte:
                position = special
                throw problem(
                    "a string has the control character \(byte); write it as \\u00XX, or as \\n if it is a line break"
                )
            }
        }
        position = bytes.count
        throw problem("the text ends within a string")
    }

    private mutating func escape() throws(JSONSyntaxError) {
        guard let byte = current else { return }
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            position += 1
        case UInt8(ascii: "u"):
            position += 1
            for _ in 0..<4 {
                guard let byte = current, JSONText.digit(byte) != nil else {
                    throw problem("four hexadecimal digits were expected after \\u")
                }
                position += 1
            }
        default: throw problem("the escape sequence is not valid in JSON")
        }
    }

    private mutating func number() throws(JSONSyntaxError) {
        let start = position
        if current == UInt8(ascii: "-") { position += 1 }
        if current == UInt8(ascii: "0") {
            position += 1
        } else {
            try digits()
        }
        if current == UInt8(ascii: ".") {
            position += 1
            try digits()
        }
        if current == UInt8(ascii: "e") || current == UInt8(ascii: "E") {
            position += 1
            if current == UInt8(ascii: "+") || current == UInt8(ascii: "-") { position += 1 }
            try digits()
        }
        if let byte = current, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
            throw problem("a number must not have leading zeros")
        }
        visitor.visit(.number, start..<position, isEscaped: false)
    }

    private mutating func digits() throws(JSONSyntaxError) {
        let start = position
        while let byte = current, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
        guard position > start else { throw problem("a digit was expected") }
    }

    private mutating func literal() throws(JSONSyntaxError) {
        for word in ["true", "false", "null"] where bytes[position...].starts(with: word.utf8) {
            visitor.visit(word == "null" ? .null : .boolean, position..<position, isEscaped: false)
            position += word.utf8.count
            return
        }
        throw problem("a JSON value was expected")
    }
}
