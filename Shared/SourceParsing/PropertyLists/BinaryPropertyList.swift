// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import JSON
internal import WidgetSchema

/// A converter from a binary property list (`bplist00`) to JSON: dates become RFC 3339, data and UIDs become null.
///
/// Many objects can refer to the same object, so the JSON can be far larger than the property list. The size of the
/// JSON is therefore limited.
struct BinaryPropertyList {
    static let maximumDepth = 100
    /// The maximum size of the resulting JSON, in bytes, for property lists of up to 1 MiB.
    ///
    /// For a larger list, the maximum is four times the size of the list.
    static let maximumResultBytes = 4 * 1024 * 1024

    static let magic = Array("bplist00".utf8)
    private static let trailerBytes = 32
    /// The beginning of 2001 in UTC, in milliseconds since 1970; property lists count dates from this instant.
    private static let epoch: Int64 = 978_307_200_000

    private let bytes: [UInt8]
    private let work: ParsingWork
    private let limit: Int
    private var offsetSize = 0
    private var referenceSize = 0
    private var count = 0
    private var table = 0
    private var result: [UInt8] = []

    static func isBinaryPropertyList(_ bytes: [UInt8]) -> Bool { bytes.starts(with: magic) }

    static func json(_ bytes: [UInt8], work: ParsingWork) throws(ParsingError) -> [UInt8] {
        var list = BinaryPropertyList(bytes, work: work)
        guard bytes.count > magic.count + trailerBytes else { throw list.broken() }
        let trailer = bytes.count - trailerBytes
        list.offsetSize = Int(bytes[trailer + 6])
        list.referenceSize = Int(bytes[trailer + 7])
        list.count = try list.integer(at: trailer + 8, size: 8)
        let top = try list.integer(at: trailer + 16, size: 8)
        list.table = try list.integer(at: trailer + 24, size: 8)
        guard (1...8).contains(list.offsetSize), (1...8).contains(list.referenceSize), list.table < trailer,
            list.count <= (trailer - list.table) / list.offsetSize
        else { throw list.broken() }
        try list.object(top, depth: 0)
        return list.result
    }

    private init(_ bytes: [UInt8], work: ParsingWork) {
        self.bytes = bytes
        self.work = work
        limit = max(Self.maximumResultBytes, bytes.count * 4)
    }

    private mutating func object(_ index: Int, depth: Int) throws(ParsingError) {
        guard depth < Self.maximumDepth else {
            throw ParsingError(.tooComplex, "the property list is more than \(Self.maximumDepth) levels deep")
        }
        guard result.count <= limit else {
            throw ParsingError(.tooComplex, "the property list is larger than \(limit) bytes when converted to JSON")
        }
        work.add(1)
        if work.isExhausted { try work.check() }
        let place = try offset(of: index)
        let marker = bytes[place]
        let low = Int(marker & 15)
        switch marker >> 4 {
        case 0 where marker == 8: append("false")
        case 0 where marker == 9: append("true")
        case 1 where low <= 4: append(try wholeNumber(at: place + 1, size: 1 << low))
        case 2 where low == 2:
            append(Float(bitPattern: UInt32(truncatingIfNeeded: try bits(at: place + 1, size: 4))))
        case 2 where low == 3: append(Double(bitPattern: try bits(at: place + 1, size: 8)))
        case 3 where low == 3: try appendDate(Double(bitPattern: try bits(at: place + 1, size: 8)))
        case 5, 6: JSONText.append(utf8: try text(at: place), to: &result)
        case 10, 12: try array(at: place, depth: depth)
        case 13: try dictionary(at: place, depth: depth)
        default: append("null")
        }
    }

    private mutating func append(_ text: String) { result += Array(text.utf8) }

    private mutating func append(_ number: some BinaryFloatingPoint & CustomStringConvertible) {
        append(number.isFinite ? number.description : "null")
    }

    private mutating func appendDate(_ seconds: Double) throws(ParsingError) {
        let limit = 250_000_000_000.0
        guard seconds.isFinite, abs(seconds) < limit else { throw broken() }
        let date = Instant(milliseconds: Self.epoch).advanced(byMilliseconds: Int64((seconds * 1000).rounded()))
        append("\"\(date)\"")
    }

    private mutating func array(at place: Int, depth: Int) throws(ParsingError) {
        let (count, start) = try length(at: place)
        try check(start, count: count, size: referenceSize)
        result.append(UInt8(ascii: "["))
        for index in 0..<count {
            if index > 0 { result.append(UInt8(ascii: ",")) }
            try object(try integer(at: start + index * referenceSize, size: referenceSize), depth: depth + 1)
        }
        result.append(UInt8(ascii: "]"))
    }

    private mutating func dictionary(at place: Int, depth: Int) throws(ParsingError) {
        let (count, start) = try length(at: place)
        try check(start, count: count, size: referenceSize * 2)
        result.append(UInt8(ascii: "{"))
        for index in 0..<count {
            if index > 0 { result.append(UInt8(ascii: ",")) }
            let key = try offset(of: try integer(at: start + index * referenceSize, size: referenceSize))
            JSONText.append(utf8: try text(at: key), to: &result)
            result.append(UInt8(ascii: ":"))
            let value = start + (count + index) * referenceSize
            try object(try integer(at: value, size: referenceSize), depth: depth + 1)
        }
        result.append(UInt8(ascii: "}"))
    }

    /// Returns the string at the offset `place` as UTF-8; the list stores it as ASCII or big-endian UTF-16.
    private func text(at place: Int) throws(ParsingError) -> [UInt8] {
        let (count, start) = try length(at: place)
        switch bytes[place] >> 4 {
        case 5:
            try check(start, count: count, size: 1)
            return Array(String(decoding: bytes[start..<(start + count)], as: UTF8.self).utf8)
        case 6:
            try check(start, count: count, size: 2)
            let units = (0..<count).map { UInt16(bytes[start + $0 * 2]) << 8 | UInt16(bytes[start + $0 * 2 + 1]) }
            return Array(String(decoding: units, as: UTF16.self).utf8)
        default: throw ParsingError(.wrongFormat, "a key of a dictionary is not a string")
        }
    }

    /// Returns the length of the object at the offset `place`.
    ///
    /// `count` is the number of the object's bytes, characters or references, and `start` is the offset of the first
    /// one.
    private func length(at place: Int) throws(ParsingError) -> (count: Int, start: Int) {
        let low = Int(bytes[place] & 15)
        guard low == 15 else { return (low, place + 1) }
        try check(place + 1, count: 1, size: 1)
        let marker = bytes[place + 1]
        guard marker >> 4 == 1, marker & 15 <= 3 else { throw broken() }
        let size = 1 << Int(marker & 15)
        return (try integer(at: place + 2, size: size), place + 2 + size)
    }

    private func offset(of index: Int) throws(ParsingError) -> Int {
        guard index >= 0, index < count else { throw broken() }
        let offset = try integer(at: table + index * offsetSize, size: offsetSize)
        guard offset >= Self.magic.count, offset < table else { throw broken() }
        return offset
    }

    /// Returns the big-endian integer of `size` bytes at the offset `place`, as decimal digits.
    ///
    /// An integer of 8 bytes is signed; any other integer is unsigned. If `size` is greater than 8, only the last 8
    /// bytes are used.
    private func wholeNumber(at place: Int, size: Int) throws(ParsingError) -> String {
        let bits = try bits(at: place + max(size - 8, 0), size: min(size, 8))
        return size == 8 ? String(Int64(bitPattern: bits)) : String(bits)
    }

    private func integer(at place: Int, size: Int) throws(ParsingError) -> Int {
        guard let value = Int(exactly: try bits(at: place, size: size)) else { throw broken() }
        return value
    }

    private func bits(at place: Int, size: Int) throws(ParsingError) -> UInt64 {
        try check(place, count: 1, size: size)
        return bytes[place..<(place + size)].reduce(0) { $0 << 8 | UInt64($1) }
    }

    private func check(_ place: Int, count: Int, size: Int) throws(ParsingError) {
        guard place >= 0, count >= 0, place <= bytes.count, count <= (bytes.count - place) / size else {
            throw broken()
        }
    }

    private func broken() -> ParsingError {
        ParsingError(.wrongFormat, "the binary property list is damaged; it may be truncated")
    }
}
