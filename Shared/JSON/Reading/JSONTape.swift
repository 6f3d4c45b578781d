// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// A valid JSON document with an index of its values.
///
/// The entries are in the document's order. An object is followed by its members, and a member is its name followed by
/// its value. So a reader that skips a value needs only the value's entry.
final class JSONTape {
    enum Kind: UInt8 {
        case object
        case array
        case name
        case string
        case number
        case boolean
        case null
    }

    struct Entry {
        let kind: Kind
        /// A Boolean value that indicates whether a name or string contains an escape sequence.
        let isEscaped: Bool
        /// The offset of the first byte in the document; for a name or string, after the quotation mark.
        let start: Int
        /// The number of bytes of a name, string or number, and the number of members or elements of a container.
        fileprivate(set) var count: Int
        /// The index of the entry after this one and everything in it.
        fileprivate(set) var next: Int

        /// The bytes of a name, string or number in the document.
        fileprivate var range: Range<Int> { start..<start + count }
    }

    private let bytes: [UInt8]
    private let entries: [Entry]
    /// The memory of values that other documents contain, too; nil if each value is decoded.
    let memory: (any JSONMemory)?

    /// Throws if the bytes are not exactly one JSON value.
    ///
    /// Only `text` checks that strings are valid UTF-8.
    init(_ bytes: [UInt8], memory: (any JSONMemory)? = nil) throws(JSONSyntaxError) {
        entries = try JSONSyntaxCheck.check(bytes, visitor: Builder(bytes), budget: nil).entries
        self.bytes = bytes
        self.memory = memory
    }

    subscript(index: Int) -> Entry {
        @inline(__always) get { entries[index] }
    }

    /// Returns the bytes of a value and what follows it up to the next value.
    func json(at index: Int) -> [UInt8] {
        let entry = entries[index]
        // A string begins after its quotation mark.
        let start = entry.kind == .string ? entry.start - 1 : entry.start
        return Array(bytes[start..<(entry.next < entries.count ? entries[entry.next].start : bytes.count)])
    }

    // MARK: Scalars

    /// Returns the text of a name or string; nil if its bytes are not valid UTF-8.
    func text(at index: Int) -> String? {
        let entry = entries[index]
        let text = bytes.withUnsafeBufferPointer { String(validating: $0[entry.range], as: UTF8.self) }
        return text != nil && entry.isEscaped ? JSONText.decode(bytes[entry.range]) : text
    }

    /// Returns a number as written in the document.
    func digits(at index: Int) -> String { String(decoding: bytes[entries[index].range], as: UTF8.self) }

    /// Returns the value of a number without fraction and exponent; nil for any other number, or if it exceeds `Int64`.
    func integer(at index: Int) -> Int64? {
        let number = bytes[entries[index].range]
        let isNegative = number.first == UInt8(ascii: "-")
        var value: Int64 = 0
        for byte in isNegative ? number.dropFirst() : number {
            let digit = byte &- UInt8(ascii: "0")
            guard digit < 10 else { return nil }
            let (product, overflow) = value.multipliedReportingOverflow(by: 10)
            // Negative, because the range of negative numbers is larger.
            let (difference, underflow) = product.subtractingReportingOverflow(Int64(digit))
            guard !overflow, !underflow else { return nil }
            value = difference
        }
        if isNegative { return value }
        return value == .min ? nil : -value
    }

    func flag(at index: Int) -> Bool { bytes[entries[index].start] == UInt8(ascii: "t") }

    // MARK: Members

    /// Returns a Boolean value that indicates whether the name at `index` is `name`.
    @inline(__always)
    func isName(_ index: Int, _ name: UnsafeBufferPointer<UInt8>) -> Bool {
        let entry = entries[index]
        guard !entry.isEscaped else {
            // An escape sequence has at most six bytes for each byte of the text. A longer name need not be decoded.
            guard entry.count <= 6 * name.count else { return false }
            return text(at: index)?.utf8.elementsEqual(name) ?? false
        }
        guard entry.count == name.count else { return false }
        for offset in 0..<entry.count where bytes[entry.start + offset] != name[offset] { return false }
        return true
    }

    /// Returns the path of the value at `index`: the member names and element indices that lead to it, outermost first.
    func path(to index: Int) -> [any CodingKey] {
        var path: [any CodingKey] = []
        var container = 0
        while container < index {
            let isObject = entries[container].kind == .object
            var number = 0
            var value = container + (isObject ? 2 : 1)
            while entries[value].next <= index {
                value = entries[value].next + (isObject ? 1 : 0)
                number += 1
            }
            // If `index` is the name of a member, the path ends at its object.
            guard value <= index else { break }
            path.append(isObject ? JSONPathKey(text(at: value - 1) ?? "") : JSONPathKey(number))
            container = value
        }
        return path
    }
}

/// The name of a member or the index of an element, in the path of a value.
struct JSONPathKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(_ name: String) { (stringValue, intValue) = (name, nil) }

    init(_ index: Int) { (stringValue, intValue) = (String(index), index) }

    init?(stringValue: String) { self.init(stringValue) }

    init?(intValue: Int) { self.init(intValue) }
}

/// The visitor that makes the entries of a `JSONTape`.
private struct Builder: JSONSyntaxVisitor {
    /// The average number of bytes of an entry in messages; a document with more entries makes the array grow.
    private static let bytesPerEntry = 12

    private(set) var entries: [JSONTape.Entry] = []
    /// The indices of the open containers, outermost first.
    private var open: [Int] = []

    init(_ bytes: [UInt8]) {
        entries.reserveCapacity(bytes.count / Self.bytesPerEntry + 1)
        open.reserveCapacity(16)
    }

    mutating func visit(_ kind: JSONTape.Kind, _ range: Range<Int>, isEscaped: Bool) {
        let next = entries.count + 1
        // An element or member is counted by its value.
        if kind != .name, let container = open.last { entries[container].count += 1 }
        if kind == .object || kind == .array { open.append(entries.count) }
        entries.append(
            JSONTape.Entry(kind: kind, isEscaped: isEscaped, start: range.lowerBound, count: range.count, next: next)
        )
    }

    mutating func leave() {
        guard let container = open.popLast() else { return }
        entries[container].next = entries.count
    }
}
