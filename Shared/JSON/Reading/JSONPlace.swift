// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// A place in a text; line and column count from 1, the column in Unicode scalars.
package struct JSONPlace: Hashable, Comparable, Sendable, CustomStringConvertible {
    package var line: Int
    package var column: Int

    package var description: String { "\(line):\(column)" }

    package static func < (left: JSONPlace, right: JSONPlace) -> Bool {
        (left.line, left.column) < (right.line, right.column)
    }

    /// Returns the place of the byte at an offset in a UTF-8 text.
    package static func of(_ offset: Int, in bytes: [UInt8]) -> JSONPlace {
        all(of: [offset], in: bytes)[offset] ?? JSONPlace(line: 1, column: 1)
    }

    /// Returns the places of the bytes at several offsets in a UTF-8 text, found in one pass.
    package static func all(of offsets: some Sequence<Int>, in bytes: [UInt8]) -> [Int: JSONPlace] {
        var places: [Int: JSONPlace] = [:]
        var place = JSONPlace(line: 1, column: 1)
        var position = 0
        for offset in offsets.sorted() {
            while position < min(offset, bytes.count) {
                let byte = bytes[position]
                if byte == 10 {
                    place = JSONPlace(line: place.line + 1, column: 1)
                } else if byte & 0xC0 != 0x80 {
                    place.column += 1
                }
                position += 1
            }
            places[offset] = place
        }
        return places
    }
}
