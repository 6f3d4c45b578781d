// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// A check that bytes are exactly one JSON value (RFC 8259).
///
/// Nesting does not use the stack, and the time is proportional to the number of bytes.
struct JSONCheck {
    /// The reason why bytes are not JSON, with its place.
    struct Problem: Error {
        var offset: Int
        var message: String
        var isTooDeep = false
    }

    static let maximumDepth = 512

    private let bytes: [UInt8]
    private let work: ParsingWork
    private var position = 0
    /// For each open container, whether it is an object.
    private var open: [Bool] = []

    private init(_ bytes: [UInt8], _ work: ParsingWork) {
        self.bytes = bytes
        self.work = work
    }

    static func check(_ bytes: [UInt8], work: ParsingWork = ParsingWork()) throws(Problem) {
        var check = JSONCheck(bytes, work)
        try check.run()
    }

    private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

    private func problem(_ message: String) -> Problem { Problem(offset: position, message: message) }

    private mutating func run() throws(Problem) {
        skipSpace()
        repeat {
            do {
                let start = position
                // The steps before an error count too.
                defer { work.add(position - start + 1) }
                while try beginsValue() {}
            }
            // The caller of the check reports the exhausted work.
            if work.isExhausted { return }
        } while try goesOn()
    }

    /// Skips a scalar or an empty container, or enters a container; returns true if another value begins here.
    private mutating func beginsValue() throws(Problem) -> Bool {
        guard let byte = current else { throw problem("it ends where a value was expected") }
        switch byte {
        case UInt8(ascii: "{"):
            try enter(object: true)
            guard current != UInt8(ascii: "}") else { return false }
            try name()
            return true
        case UInt8(ascii: "["):
            try enter(object: false)
            return current != UInt8(ascii: "]")
        case UInt8(ascii: "\""): try string()
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): try number()
        default: try literal()
        }
        return false
    }

    /// Skips the separators after a value; returns whether another value begins there.
    private mutating func goesOn() throws(Problem) -> Bool {
        while true {
            skipSpace()
            guard let isObject = open.last else {
                guard current == nil else { throw problem("there is something behind the JSON value") }
                return false
            }
            let bracket: Unicode.Scalar = isObject ? "}" : "]"
            guard let byte = current else {
                throw problem("it ends within \(isObject ? "an object" : "an array"); is it half of a document?")
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
        }
    }

    private mutating func enter(object: Bool) throws(Problem) {
        guard open.count < Self.maximumDepth else {
            throw Problem(
                offset: position,
                message: "it is more than \(Self.maximumDepth) levels deep",
                isTooDeep: true
            )
        }
        open.append(object)
        position += 1
        skipSpace()
    }

    private mutating func name() throws(Problem) {
        guard current == UInt8(ascii: "\"") else {
            throw problem(current == nil ? "it ends within an object" : "a name in quotation marks was expected")
        }
        try string()
        skipSpace()
        guard current == UInt8(ascii: ":") else { throw problem("':' was expected behind a name") }
        position += 1
        skipSpace()
    }

    private mutating func skipSpace() {
        while let byte = current, byte == 32 || byte == 10 || byte == 13 || byte == 9 { position += 1 }
    }

    private mutating func string() throws(Problem) {
        position += 1
        while let byte = current {
            position += 1
            if byte == UInt8(ascii: "\"") { return }
            if byte == UInt8(ascii: "\\") { try escape() }
            if byte < 32 {
                position -= 1
                throw problem("a string has the control character \(byte), which is written as an escape in JSON")
            }
        }
        throw problem("it ends within a string")
    }

    private mutating func escape() throws(Problem) {
        guard let byte = current else { return }
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            position += 1
        case UInt8(ascii: "u"):
            position += 1
            for _ in 0..<4 {
                guard let byte = current, JSONText.digit(byte) != nil else {
                    throw problem("four hexadecimal digits were expected behind \\u")
                }
                position += 1
            }
        default: throw problem("there is no such escape in JSON")
        }
    }

    private mutating func number() throws(Problem) {
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
            throw problem("a number has no zeros before its digits")
        }
    }

    private mutating func digits() throws(Problem) {
        let start = position
        while let byte = current, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
        guard position > start else { throw problem("a digit was expected") }
    }

    private mutating func literal() throws(Problem) {
        for word in ["true", "false", "null"] where bytes[position...].starts(with: word.utf8) {
            position += word.utf8.count
            return
        }
        throw problem("a JSON value was expected")
    }
}
