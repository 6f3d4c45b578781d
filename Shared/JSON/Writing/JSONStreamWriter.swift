// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// A writer that passes its output to the closure `sink` in pieces, so that the whole text is never in memory.
package struct JSONStreamWriter {
    /// The approximate size of a piece of output, in bytes.
    private static let pieceBytes = 64 * 1024

    private let isPretty: Bool
    private let sink: (String) -> Void
    private var piece: [UInt8] = []
    private var depth = 0
    /// A Boolean value that indicates whether the innermost open object or array already has a member or an element.
    private var hasMember = false

    package init(isPretty: Bool, sink: @escaping (String) -> Void) {
        self.isPretty = isPretty
        self.sink = sink
    }

    package mutating func beginObject(_ name: String? = nil) { begin("{", name) }

    package mutating func endObject() { end("}") }

    package mutating func beginArray(_ name: String? = nil) { begin("[", name) }

    package mutating func endArray() { end("]") }

    /// Writes a member of an object; writes nothing if `value` is nil.
    package mutating func member(_ name: String, _ value: String?) {
        guard let value else { return }
        separate(name)
        string(value)
        hasMember = true
        if piece.count >= Self.pieceBytes { handOn() }
    }

    /// Writes a line break, and passes the remaining output to `sink`.
    package mutating func finish() {
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
        JSONText.append(text, to: &piece, escapes: .allControls)
    }

    private mutating func handOn() {
        sink(String(decoding: piece, as: UTF8.self))
        piece.removeAll(keepingCapacity: true)
    }
}
