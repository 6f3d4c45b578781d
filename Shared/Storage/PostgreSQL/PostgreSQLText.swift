// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The encoding of texts for PostgreSQL, which cannot store the character U+0000.
///
/// U+0000 is stored as `U+0001 0`, and U+0001 as `U+0001 1`. All other characters are stored unchanged.
enum PostgreSQLText {
    private static let escape: UInt8 = 1
    private static let zero = UInt8(ascii: "0")
    private static let one = UInt8(ascii: "1")

    static func encoded(_ text: String) -> [UInt8] {
        let bytes = Array(text.utf8)
        guard bytes.contains(where: { $0 <= escape }) else { return bytes }
        return bytes.flatMap { $0 > escape ? [$0] : [escape, $0 == 0 ? zero : one] }
    }

    /// Returns the text for stored bytes; nil if they are not UTF-8.
    static func decoded(_ bytes: UnsafeRawBufferPointer) -> String? {
        guard bytes.contains(escape) else { return String(validating: bytes, as: UTF8.self) }
        var decoded: [UInt8] = []
        var isEscaped = false
        for byte in bytes {
            if isEscaped {
                decoded.append(byte == zero ? 0 : 1)
                isEscaped = false
            } else if byte == escape {
                isEscaped = true
            } else {
                decoded.append(byte)
            }
        }
        return String(validating: decoded, as: UTF8.self)
    }
}
