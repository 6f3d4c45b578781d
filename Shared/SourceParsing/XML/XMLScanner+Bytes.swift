// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import Glibc

/// Functions that search for bytes and names.
///
/// Functions that run for every tag are inlined. Without this, each call from another file would copy the whole
/// scanner.
extension XMLScanner {
    @inline(__always)
    func endOfName(from start: Int) -> Int {
        var index = start
        while index < bytes.count, Self.isNameByte(bytes[index]) { index += 1 }
        return index
    }

    @inline(__always)
    func index(of byte: UInt8, from start: Int, to end: Int? = nil) -> Int? {
        let end = end ?? bytes.count
        guard start < end, let base = bytes.baseAddress else { return nil }
        guard let found = memchr(base + start, Int32(byte), end - start) else {
            work.add(end - start)
            return nil
        }
        let index = UnsafeRawPointer(found) - UnsafeRawPointer(base)
        work.add(index - start)
        return index
    }

    func index(of text: StaticString, from start: Int, to end: Int? = nil) -> Int? {
        guard let base = bytes.baseAddress else { return nil }
        let end = end ?? bytes.count
        var next = start
        while let first = index(of: text.utf8Start.pointee, from: next, to: end),
            first + text.utf8CodeUnitCount <= end
        {
            if memcmp(base + first, text.utf8Start, text.utf8CodeUnitCount) == 0 { return first }
            next = first + 1
        }
        return nil
    }

    @inline(__always)
    func starts(with text: StaticString) -> Bool {
        let count = text.utf8CodeUnitCount
        guard position + count <= bytes.count, let base = bytes.baseAddress else { return false }
        return memcmp(base + position, text.utf8Start, count) == 0
    }

    static func isNameStart(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"),
            UInt8(ascii: ":"), 0x80...0xff:
            true
        default: false
        }
    }

    /// Returns whether a byte may be part of a name; all bytes may, except white space, controls and the delimiters of
    /// tags.
    static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0...32, UInt8(ascii: "/"), UInt8(ascii: ">"), UInt8(ascii: "<"), UInt8(ascii: "="), UInt8(ascii: "\""),
            UInt8(ascii: "'"):
            false
        default: true
        }
    }
}
