// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The line and column of a place in a text, both counted from 1; columns are counted in Unicode scalars.
package struct JSONPlace: Hashable, Comparable, Sendable, CustomStringConvertible {
    package var line: Int
    package var column: Int

    package var description: String { "\(line):\(column)" }

    package static func < (left: JSONPlace, right: JSONPlace) -> Bool {
        (left.line, left.column) < (right.line, right.column)
    }

    /// Returns the line and column of the byte at an offset in a UTF-8 text.
    package static func of(_ offset: Int, in bytes: some RandomAccessCollection<UInt8>) -> JSONPlace {
        all(of: [offset], in: bytes)[offset] ?? JSONPlace(line: 1, column: 1)
    }

    /// Returns the line and column for each of several byte offsets in a UTF-8 text.
    ///
    /// The keys of the result are the offsets. The text is read only once.
    package static func all(
        of offsets: some Sequence<Int>,
        in bytes: some RandomAccessCollection<UInt8>
    ) -> [Int: JSONPlace] {
        var places: [Int: JSONPlace] = [:]
        var place = JSONPlace(line: 1, column: 1)
        var position = 0
        var rest = bytes.makeIterator()
        for offset in offsets.sorted() {
            while position < offset, let byte = rest.next() {
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
