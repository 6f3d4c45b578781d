// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// Functions that find the end of a token, in JSON that may be truncated or invalid.
enum JSONLexer {
    /// Returns the offset after the string whose opening quotation mark is at `start`.
    ///
    /// If the string is truncated, returns `bytes.count`.
    static func endOfString(_ bytes: [UInt8], from start: Int) -> Int {
        var position = start + 1
        while position < bytes.count {
            let byte = bytes[position]
            if byte == UInt8(ascii: "\"") { return position + 1 }
            position += byte == UInt8(ascii: "\\") ? 2 : 1
        }
        return bytes.count
    }

    /// Returns the offset after the number, the literal or the invalid characters that begin at `start`.
    static func endOfScalar(_ bytes: [UInt8], from start: Int) -> Int {
        var position = start + 1
        while position < bytes.count {
            switch bytes[position] {
            case 9, 10, 13, 32, UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "{"), UInt8(ascii: "}"),
                UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "\""):
                return position
            default: position += 1
            }
        }
        return position
    }

    /// Returns the offset of the first byte at or after `start` that is not white space; `bytes.count` if there is
    /// none.
    static func endOfSpace(_ bytes: [UInt8], from start: Int) -> Int {
        var position = start
        while position < bytes.count, isSpace(bytes[position]) { position += 1 }
        return position
    }

    static func isSpace(_ byte: UInt8) -> Bool { byte == 32 || byte == 10 || byte == 13 || byte == 9 }
}
