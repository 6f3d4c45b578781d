// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The table of the distinct names in a document; each name is parsed only once.
struct XMLNameTable {
    /// The maximum number of names in the table; further names are parsed at each occurrence.
    static let maximumNames = 384
    /// The number of slots in the hash table: a power of two above `maximumNames`, so that a slot is always free.
    private static let slots = 1024

    /// A name that occurs in a document.
    struct Entry {
        /// The range of the name's first occurrence in the bytes of the document.
        let range: Range<Int>
        /// The part after the colon, or the whole name if there is no colon.
        let local: XMLName
        /// The offset of the part after the colon from the beginning of the name.
        let localOffset: Int
        /// The number of the prefix, which is its index in ``XMLNameTable/prefixes``; 0 if there is none.
        let prefix: Int32
        /// A number that is equal for names that differ only in case.
        let folded: Int32
    }

    /// The prefix number of names without a prefix.
    static let noPrefix: Int32 = 0

    private let bytes: UnsafeBufferPointer<UInt8>
    private(set) var entries: [Entry] = []
    private var table = [UInt16](repeating: .max, count: slots)
    /// The distinct prefixes in the document; the number of a prefix is its index.
    private(set) var prefixes = [""]
    private var prefixNumbers: [String: Int32] = ["": 0]
    private var foldedNumbers: [String: Int32] = [:]
    /// The part after the colon of each name with a prefix; `unknown` for each name without a prefix.
    ///
    /// The index is the folded number of the name.
    private var qualified: [XMLName] = []

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
        entries.reserveCapacity(32)
    }

    /// Returns the entry of the name in `range`, which must not be empty.
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
        // A colon at the beginning or the end is not a separator.
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

    /// Returns whether the name with the folded number `folded` has a prefix and the same local part as `entry`.
    ///
    /// The local part is the part after the colon. The result is false if the local part is `unknown`.
    func isLocal(_ entry: Entry, of folded: Int32) -> Bool {
        entry.local != .unknown && Int(folded) < qualified.count && qualified[Int(folded)] == entry.local
    }

    /// Returns the number of a prefix, and adds a new prefix to `prefixes`.
    ///
    /// If `prefixes` already contains `maximumNames` elements, a new prefix is not added, and the result is the number
    /// of the last element.
    mutating func prefixNumber(_ prefix: String) -> Int32 {
        if let known = prefixNumbers[prefix] { return known }
        if prefixes.count < Self.maximumNames {
            prefixNumbers[prefix] = Int32(prefixes.count)
            prefixes.append(prefix)
        }
        return Int32(prefixes.count - 1)
    }

    /// Returns the folded number of a name: names that differ only in case have the same number.
    ///
    /// `name` includes the prefix, `local` is the part after the colon, and `isQualified` is true if there is a prefix.
    /// Only `maximumNames` names get their own number. All further names share one additional number.
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
