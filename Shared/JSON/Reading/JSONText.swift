// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The coding of strings and numbers in JSON.
package enum JSONText {
    /// Decodes the bytes between the quotation marks of a string; an unpaired surrogate becomes U+FFFD.
    static func decode(_ text: ArraySlice<UInt8>) -> String {
        guard let escape = text.firstIndex(of: UInt8(ascii: "\\")) else { return String(decoding: text, as: UTF8.self) }
        var result = Array(text[..<escape])
        result.reserveCapacity(text.count)
        var index = escape
        while index < text.endIndex {
            let byte = text[index]
            guard byte == UInt8(ascii: "\\"), index + 1 < text.endIndex else {
                result.append(byte)
                index += 1
                continue
            }
            index += 2
            switch text[index - 1] {
            case UInt8(ascii: "n"): result.append(10)
            case UInt8(ascii: "t"): result.append(9)
            case UInt8(ascii: "r"): result.append(13)
            case UInt8(ascii: "b"): result.append(8)
            case UInt8(ascii: "f"): result.append(12)
            case UInt8(ascii: "u"): result.append(contentsOf: String(Character(scalar(in: text, at: &index))).utf8)
            case let other: result.append(other)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Returns the value of a hexadecimal digit; nil for any other byte.
    package static func digit(_ byte: UInt8) -> UInt32? {
        switch byte {
        case 48...57: UInt32(byte - 48)
        case 65...70: UInt32(byte - 55)
        case 97...102: UInt32(byte - 87)
        default: nil
        }
    }

    /// Returns the scalar of the `\u` escape whose digits begin at `index`, and moves `index` past the escape.
    ///
    /// Two escapes that form a surrogate pair are read together. An unpaired surrogate or an invalid escape becomes
    /// U+FFFD.
    private static func scalar(in text: ArraySlice<UInt8>, at index: inout Int) -> Unicode.Scalar {
        guard let high = unit(in: text, at: index) else { return "\u{FFFD}" }
        index += 4
        if let scalar = Unicode.Scalar(high) { return scalar }
        guard (0xd800..<0xdc00).contains(high), index + 1 < text.endIndex, text[index] == UInt8(ascii: "\\"),
            text[index + 1] == UInt8(ascii: "u"), let low = unit(in: text, at: index + 2),
            (0xdc00..<0xe000).contains(low)
        else { return "\u{FFFD}" }
        index += 6
        return Unicode.Scalar(0x10000 + (high - 0xd800) << 10 + (low - 0xdc00)) ?? "\u{FFFD}"
    }

    private static func unit(in text: ArraySlice<UInt8>, at index: Int) -> UInt32? {
        guard index + 4 <= text.endIndex else { return nil }
        var value: UInt32 = 0
        for byte in text[index..<(index + 4)] {
            guard let digit = digit(byte) else { return nil }
            value = value << 4 | digit
        }
        return value
    }
}
