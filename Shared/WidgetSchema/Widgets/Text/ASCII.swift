// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

extension UInt8 {
    /// A Boolean value that indicates whether the byte is an ASCII digit.
    @inlinable public var isDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }

    @inlinable public var isLowercaseLetter: Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= self }

    /// A Boolean value that indicates whether the byte is an ASCII letter.
    @inlinable public var isLetter: Bool { (self | 0x20).isLowercaseLetter }
}

extension BinaryInteger {
    /// Returns the digits of a number that is not negative, with zeros before them if there are fewer than `count`.
    package func padded(to count: Int, radix: Int = 10) -> String {
        let digits = String(self, radix: radix)
        return String(repeating: "0", count: max(0, count - digits.utf8.count)) + digits
    }
}
