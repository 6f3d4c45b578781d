// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// JSON that is being written, with the state of the objects and arrays that are not complete.
struct SortedJSONText {
    enum Kind {
        /// The value is a scalar, or nothing of the value was written yet.
        case unknown
        case array
        case object
    }

    /// A value whose encoding is not complete yet.
    struct Frame {
        var kind = Kind.unknown
        /// The offset of the value's first byte in `SortedJSONText.bytes`, the JSON that was written so far.
        let start: Int
        /// The index of the object's first member in `SortedJSONText.members`; not used if the value is not an object.
        let firstMember: Int
        var count = 0
        /// The nested containers of an array; when the array ends, each is inserted into `SortedJSONText.bytes` at
        /// `position`.
        var nested: [(position: Int, encoder: SortedJSONEncoder)] = []
    }

    /// A member `"key":value` of an unfinished object.
    struct Member {
        let key: String
        let start: Int
        var end: Int
        var nested: SortedJSONEncoder?
    }

    /// The maximum number of members that are sorted by insertion.
    ///
    /// Larger objects, usually dictionaries of data, are sorted by the standard library.
    private static let fewMembers = 24

    private(set) var bytes: [UInt8] = []
    private var frames: [Frame] = []
    private var members: [Member] = []
    /// The buffer in which the members of an object are written in sorted order.
    private var scratch: [UInt8] = []

    init() {
        bytes.reserveCapacity(2048)
        frames.reserveCapacity(8)
        members.reserveCapacity(32)
    }

    // MARK: Values

    mutating func writeNull() { JSONText.appendNull(to: &bytes) }

    mutating func write(_ value: Bool) { JSONText.append(value, to: &bytes) }

    mutating func write(integer value: some FixedWidthInteger) { JSONText.append(integer: value, to: &bytes) }

    mutating func write(number value: some BinaryFloatingPoint & CustomStringConvertible) {
        JSONText.append(number: value, to: &bytes)
    }

    mutating func write(_ text: String) { JSONText.append(text, to: &bytes) }

    // MARK: Containers

    mutating func open() {
        frames.append(Frame(start: bytes.count, firstMember: members.count))
    }

    /// Sets the kind of the innermost incomplete value, unless its kind is already set.
    mutating func begin(_ kind: Kind) {
        let last = frames.count - 1
        guard frames[last].kind == .unknown else { return }
        frames[last].kind = kind
        if kind == .array { bytes.append(UInt8(ascii: "[")) }
    }

    var elementCount: Int { frames.last?.count ?? 0 }

    mutating func beginElement() {
        let last = frames.count - 1
        if frames[last].count > 0 { bytes.append(UInt8(ascii: ",")) }
        frames[last].count += 1
    }

    mutating func addNestedElement(_ encoder: SortedJSONEncoder) {
        beginElement()
        frames[frames.count - 1].nested.append((bytes.count, encoder))
    }

    /// Begins a member of the innermost incomplete object; returns the offset at which the member begins in `bytes`.
    mutating func beginMember(_ key: String) -> Int {
        let start = bytes.count
        write(key)
        bytes.append(UInt8(ascii: ":"))
        return start
    }

    mutating func endMember(_ key: String, _ start: Int, nested: SortedJSONEncoder? = nil) {
        members.append(Member(key: key, start: start, end: bytes.count, nested: nested))
    }

    mutating func close() {
        let frame = frames.removeLast()
        switch frame.kind {
        case .unknown:
            // A value that encodes nothing is an empty object, as with Foundation's coder.
            if bytes.count == frame.start { bytes.append(contentsOf: "{}".utf8) }
        case .array:
            for (position, encoder) in frame.nested.reversed() {
                bytes.insert(contentsOf: encoder.finish(), at: position)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object: closeObject(frame)
        }
    }

    private mutating func closeObject(_ frame: Frame) {
        sortMembers(from: frame.firstMember)
        scratch.removeAll(keepingCapacity: true)
        scratch.append(UInt8(ascii: "{"))
        for index in frame.firstMember..<members.count {
            // If a key is repeated, the last value counts.
            if index + 1 < members.count, members[index + 1].key == members[index].key { continue }
            if scratch.count > 1 { scratch.append(UInt8(ascii: ",")) }
            let range = members[index].start..<members[index].end
            bytes.withUnsafeBufferPointer { scratch.append(contentsOf: UnsafeBufferPointer(rebasing: $0[range])) }
            if let nested = members[index].nested { scratch.append(contentsOf: nested.finish()) }
        }
        scratch.append(UInt8(ascii: "}"))
        members.removeSubrange(frame.firstMember...)
        bytes.removeSubrange(frame.start...)
        bytes.append(contentsOf: scratch)
    }

    private mutating func sortMembers(from first: Int) {
        guard members.count - first <= Self.fewMembers else {
            // Both sorts must be stable, because the last of several equal keys counts.
            return members[first...].sort { $0.key < $1.key }
        }
        for index in members.indices.dropFirst(first + 1) {
            var place = index
            while place > first, members[place].key < members[place - 1].key {
                members.swapAt(place, place - 1)
                place -= 1
            }
        }
    }
}
