// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import CLibXML2

/// The characters that HTML's references stand for.
enum HTMLCharacter {
    /// The character of a name without ampersand and semicolon, `nbsp` for example (HTML 4's names, and `apos`).
    static func named(_ name: String) -> Unicode.Scalar? {
        guard name != "apos" else { return "'" }
        return htmlEntityLookup(name).flatMap { Unicode.Scalar(UInt32($0.pointee.value)) }
    }

    /// The character of a number as it stands behind `&#`: decimal, or hexadecimal after an x.
    ///
    /// Numbers 128 to 159 mean Windows-1252, as in every browser; a number that is no character is nothing.
    static func numbered(_ digits: some StringProtocol) -> Unicode.Scalar? {
        let isHexadecimal = digits.hasPrefix("x") || digits.hasPrefix("X")
        let digits = isHexadecimal ? digits.dropFirst() : digits[...]
        guard digits.utf8.allSatisfy({ $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "-") }),
            let value = UInt32(digits, radix: isHexadecimal ? 16 : 10)
        else { return nil }
        switch value {
        case 9, 10, 13: return Unicode.Scalar(value)
        case 0..<32, 0xfffe, 0xffff: return nil
        case 128..<160: return windows1252(UInt8(value))
        default: return Unicode.Scalar(value)
        }
    }

    /// The character that a byte from 128 to 159 is in Windows-1252; any other is itself.
    static func windows1252(_ byte: UInt8) -> Unicode.Scalar {
        guard (128..<160).contains(byte) else { return Unicode.Scalar(byte) }
        return Unicode.Scalar(upperWindows1252[Int(byte) - 128]) ?? Unicode.Scalar(byte)
    }

    private static let upperWindows1252: [UInt16] = [
        0x20ac, 0x81, 0x201a, 0x192, 0x201e, 0x2026, 0x2020, 0x2021, 0x2c6, 0x2030, 0x160, 0x2039, 0x152, 0x8d, 0x17d,
        0x8f, 0x90, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014, 0x2dc, 0x2122, 0x161, 0x203a, 0x153, 0x9d,
        0x17e, 0x178,
    ]
}
