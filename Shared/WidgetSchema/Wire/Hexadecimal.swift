// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// Returns the number that `digits` represents; nil if a character is not a lower-case hexadecimal digit.
///
/// `digits` must contain at most 16 characters.
func hexadecimalNumber(_ digits: some Sequence<UInt8>) -> UInt64? {
    var number: UInt64 = 0
    for digit in digits {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): number = number << 4 | UInt64(digit - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): number = number << 4 | UInt64(digit - UInt8(ascii: "a") + 10)
        default: return nil
        }
    }
    return number
}

/// Returns the numbers as hexadecimal text, one after another, with 16 digits for each number.
func hexadecimalText(_ numbers: [UInt64]) -> String {
    String(unsafeUninitializedCapacity: numbers.count * 16) { buffer in
        let digits: StaticString = "0123456789abcdef"
        for (index, number) in numbers.enumerated() {
            for place in 0..<16 {
                buffer[index * 16 + place] = digits.utf8Start[Int(number >> UInt64(60 - place * 4) & 15)]
            }
        }
        return numbers.count * 16
    }
}
