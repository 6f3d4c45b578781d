// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// A writer for one JSON value that passes its output on in pieces.
struct JSONWriter {
    /// The approximate size of a piece in bytes.
    private static let pieceBytes = 64 * 1024

    private let isPretty: Bool
    private let sink: (String) -> Void
    private var piece: [UInt8] = []
    private var depth = 0
    /// A Boolean value that indicates whether the innermost object or array already has an element.
    private var hasMember = false

    init(isPretty: Bool, sink: @escaping (String) -> Void) {
        self.isPretty = isPretty
        self.sink = sink
    }

    mutating func beginObject(_ name: String? = nil) { begin("{", name) }

    mutating func endObject() { end("}") }

    mutating func beginArray(_ name: String? = nil) { begin("[", name) }

    mutating func endArray() { end("]") }

    /// Writes a member of an object; does nothing if the value is nil.
    mutating func member(_ name: String, _ value: String?) {
        guard let value else { return }
        separate(name)
        string(value)
        hasMember = true
        if piece.count >= Self.pieceBytes { handOn() }
    }

    /// Ends the line, and passes on the remaining output.
    mutating func finish() {
        piece.append(10)
        handOn()
    }

    private mutating func begin(_ sign: String, _ name: String?) {
        separate(name)
        piece.append(contentsOf: sign.utf8)
        depth += 1
        hasMember = false
    }

    private mutating func end(_ sign: String) {
        depth -= 1
        if hasMember { newLine() }
        piece.append(contentsOf: sign.utf8)
        hasMember = true
    }

    private mutating func separate(_ name: String?) {
        if hasMember { piece.append(UInt8(ascii: ",")) }
        if depth > 0 { newLine() }
        guard let name else { return }
        string(name)
        piece.append(contentsOf: (isPretty ? ": " : ":").utf8)
    }

    private mutating func newLine() {
        guard isPretty else { return }
        piece.append(10)
        piece.append(contentsOf: repeatElement(32, count: 2 * depth))
    }

    private mutating func string(_ text: String) {
        var text = text
        piece.append(UInt8(ascii: "\""))
        text.withUTF8 { bytes in
            var start = 0
            for index in bytes.indices where Self.needsEscape(bytes[index]) {
                piece.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start..<index]))
                escape(bytes[index])
                start = index + 1
            }
            piece.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start...]))
        }
        piece.append(UInt8(ascii: "\""))
    }

    private static func needsEscape(_ byte: UInt8) -> Bool {
        byte < 32 || byte == 0x7f || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private mutating func escape(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""): piece.append(contentsOf: "\\\"".utf8)
        case UInt8(ascii: "\\"): piece.append(contentsOf: "\\\\".utf8)
        case 10: piece.append(contentsOf: "\\n".utf8)
        case 13: piece.append(contentsOf: "\\r".utf8)
        case 9: piece.append(contentsOf: "\\t".utf8)
        default:
            let digits = String(byte, radix: 16)
            piece.append(contentsOf: ("\\u00" + (digits.utf8.count == 1 ? "0" : "") + digits).utf8)
        }
    }

    private mutating func handOn() {
        sink(String(decoding: piece, as: UTF8.self))
        piece.removeAll(keepingCapacity: true)
    }
}
