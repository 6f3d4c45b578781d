// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The different names in a document: each is looked at once, however often it stands there.
struct XMLNameTable {
    /// Further names are looked at each time.
    static let maximumNames = 384
    /// A power of two, and more than the names, so that there is always a free slot.
    private static let slots = 1024

    /// A name as it stands in a document.
    struct Entry {
        /// Where it stands first.
        let range: Range<Int>
        /// The part behind the colon, or all of it.
        let local: XMLName
        /// Where the part behind the colon begins, counted from the name's beginning.
        let localOffset: Int
        /// The part before the colon; the same number for the same prefix, 0 where there is none.
        let prefix: Int32
        /// The same number for names that differ in the case of letters only.
        let folded: Int32
    }

    /// The number of no prefix.
    static let noPrefix: Int32 = 0

    private let bytes: UnsafeBufferPointer<UInt8>
    private(set) var entries: [Entry] = []
    private var table = [UInt16](repeating: .max, count: slots)
    /// The prefixes by their numbers, as found.
    private(set) var prefixes = [""]
    private var prefixNumbers: [String: Int32] = ["": 0]
    private var foldedNumbers: [String: Int32] = [:]
    /// By folded numbers, the parts behind the colon of those names that have one.
    private var qualified: [XMLName] = []

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
        entries.reserveCapacity(32)
    }

    /// The entry of the name in `range`, which is not empty.
    mutating func entry(_ range: Range<Int>) -> Entry {
        var slot = hash(range)
        while true {
            let number = table[slot]
            guard number != .max else { break }
            let entry = entries[Int(number)]
            if isEqual(entry.range, range) { return entry }
            slot = (slot + 1) & (Self.slots - 1)
        }
        let entry = makeEntry(range)
        if entries.count < Self.maximumNames {
            table[slot] = UInt16(entries.count)
            entries.append(entry)
        }
        return entry
    }

    private mutating func makeEntry(_ range: Range<Int>) -> Entry {
        let colon = bytes[range].firstIndex(of: UInt8(ascii: ":"))
        // A colon at either end divides nothing.
        let divider = colon.flatMap { $0 > range.lowerBound && $0 + 1 < range.upperBound ? $0 : nil }
        let localStart = divider.map { $0 + 1 } ?? range.lowerBound
        let local = String(decoding: bytes[localStart..<range.upperBound], as: UTF8.self)
        let prefix = divider.map { String(decoding: bytes[range.lowerBound..<$0], as: UTF8.self) } ?? ""
        let name = XMLName(local)
        return Entry(
            range: range,
            local: name,
            localOffset: localStart - range.lowerBound,
            prefix: prefixNumber(prefix),
            folded: foldedNumber(
                prefix.isEmpty ? local : prefix + ":" + local,
                local: name,
                isQualified: !prefix.isEmpty
            )
        )
    }

    /// Whether a name is the part behind the colon of the one with this folded number.
    func isLocal(_ entry: Entry, of folded: Int32) -> Bool {
        entry.local != .unknown && Int(folded) < qualified.count && qualified[Int(folded)] == entry.local
    }

    /// The number of a prefix; further ones than names are kept share the last.
    mutating func prefixNumber(_ prefix: String) -> Int32 {
        if let known = prefixNumbers[prefix] { return known }
        if prefixes.count < Self.maximumNames {
            prefixNumbers[prefix] = Int32(prefixes.count)
            prefixes.append(prefix)
        }
        return Int32(prefixes.count - 1)
    }

    /// The number of a name; those beyond the names that are kept share one.
    private mutating func foldedNumber(_ name: String, local: XMLName, isQualified: Bool) -> Int32 {
        let lowercased = name.lowercased()
        if let known = foldedNumbers[lowercased] { return known }
        let number = Int32(foldedNumbers.count)
        guard foldedNumbers.count < Self.maximumNames else { return number }
        foldedNumbers[lowercased] = number
        qualified.append(isQualified ? local : .unknown)
        return number
    }

    private func hash(_ range: Range<Int>) -> Int {
        var hash = UInt32(truncatingIfNeeded: range.count)
        for index in range { hash = (hash ^ UInt32(bytes[index])) &* 0x0100_0193 }
        return Int((hash ^ hash >> 15) & UInt32(Self.slots - 1))
    }

    private func isEqual(_ left: Range<Int>, _ right: Range<Int>) -> Bool {
        guard left.count == right.count else { return false }
        for offset in 0..<left.count where bytes[left.lowerBound + offset] != bytes[right.lowerBound + offset] {
            return false
        }
        return true
    }
}
