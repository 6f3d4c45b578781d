// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The conversion between the bytes and the text of validators, such as entity tags.
///
/// A validator must be sent back byte for byte (RFC 9110, section 8.8). An entity tag may contain any byte from 0x80
/// on, in an unspecified encoding. If the bytes are not UTF-8, each byte from 0x80 on is stored as a character of
/// Unicode's private use area, U+EF80 to U+EFFF. The character is converted back to the byte when the tag is sent.
enum OpaqueBytes {
    private static let offset: UInt32 = 0xef00
    private static let range: ClosedRange<UInt32> = 0xef80...0xefff
    private static let names: Set<String> = ["etag", "last-modified", "if-none-match", "if-modified-since"]

    /// Returns whether the header field with this name contains a validator.
    static func isOpaque(_ name: String) -> Bool { names.contains(name.lowercased()) }

    static func text(_ bytes: some Collection<UInt8>) -> String {
        if let text = String(validating: bytes, as: UTF8.self),
            !text.unicodeScalars.contains(where: { range.contains($0.value) })
        {
            return text
        }
        var text = ""
        for byte in bytes {
            let value = byte < 0x80 ? UInt32(byte) : offset + UInt32(byte)
            text.unicodeScalars.append(Unicode.Scalar(value) ?? "?")
        }
        return text
    }

    /// Returns the bytes from which `text(_:)` created a text.
    static func bytes(_ text: String) -> [UInt8] {
        var bytes: [UInt8] = []
        for scalar in text.unicodeScalars {
            if range.contains(scalar.value) {
                bytes.append(UInt8(truncatingIfNeeded: scalar.value - offset))
            } else {
                bytes += Array(String(Character(scalar)).utf8)
            }
        }
        return bytes
    }
}
