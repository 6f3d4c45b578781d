// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The properties of a document's bytes, determined in one pass.
struct ByteSurvey {
    /// A Boolean value that indicates whether the bytes are UTF-8; if not, the other properties are meaningless.
    private(set) var isUTF8 = true
    /// A Boolean value that indicates whether the bytes contain an escape character, as in ISO 2022.
    ///
    /// ISO 2022 switches alphabets with this character. All bytes of such a text are ASCII, so it is also valid UTF-8.
    private(set) var hasEscape = false
    /// A Boolean value that indicates whether the bytes contain a control character that `cleaned` removes or replaces.
    private(set) var needsCleaning = false

    private static let highs: UInt64 = 0x8080_8080_8080_8080
    private static let spaces: UInt64 = 0x2020_2020_2020_2020
    private static let tabs: UInt64 = 0x0909_0909_0909_0909
    private static let lineFeeds: UInt64 = 0x0a0a_0a0a_0a0a_0a0a

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        let raw = UnsafeRawBufferPointer(bytes)
        var index = 0
        while index < bytes.count {
            if index + 8 <= bytes.count {
                let word = raw.loadUnaligned(fromByteOffset: index, as: UInt64.self).littleEndian
                let high = word & Self.highs
                let count = high == 0 ? 8 : high.trailingZeroBitCount / 8
                // The bytes from the first one that is not ASCII on are replaced by spaces.
                let rest = high == 0 ? 0 : UInt64.max << UInt64(8 * count)
                let ascii = word & ~rest | Self.spaces & rest
                // The first test tells exactly whether any byte is below 32, but not which one.
                if (ascii &- Self.spaces) & ~ascii & Self.highs != 0, Self.hasControl(ascii) {
                    for offset in index..<(index + count) { takeASCII(bytes[offset]) }
                }
                index += count
                if high == 0 { continue }
            }
            let byte = bytes[index]
            if byte < 0x80 {
                takeASCII(byte)
                index += 1
                continue
            }
            let length = Self.sequenceLength(bytes, at: index)
            guard length > 0 else {
                isUTF8 = false
                return
            }
            if byte == 0xc2, bytes[index + 1] < 0xa0 { needsCleaning = true }
            index += length
        }
    }

    /// Returns whether eight bytes below 0x80 contain another control character than a tab or a line feed.
    private static func hasControl(_ word: UInt64) -> Bool {
        // No sum carries over to the next byte. Its highest bit says whether a byte is at least 32, another character than a tab,
        // or another one than a line feed.
        let isVisible = word &+ 0x6060_6060_6060_6060
        let isNoTab = (word ^ tabs) &+ ~highs
        let isNoLineFeed = (word ^ lineFeeds) &+ ~highs
        return ~isVisible & isNoTab & isNoLineFeed & highs != 0
    }

    private mutating func takeASCII(_ byte: UInt8) {
        guard byte < 32, byte != 9, byte != 10 else { return }
        needsCleaning = true
        if byte == 0x1b { hasEscape = true }
    }

    /// Returns the length of the UTF-8 sequence that begins at `index`; 0 if it is invalid (Unicode, table 3-7).
    private static func sequenceLength(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> Int {
        let first = bytes[index]
        let left = bytes.count - index
        func isContinuation(_ offset: Int) -> Bool { bytes[index + offset] & 0xc0 == 0x80 }
        switch first {
        case 0xc2...0xdf:
            return left >= 2 && isContinuation(1) ? 2 : 0
        case 0xe0...0xef:
            guard left >= 3, isContinuation(1), isContinuation(2) else { return 0 }
            // Reject overlong sequences and surrogates.
            if first == 0xe0, bytes[index + 1] < 0xa0 { return 0 }
            if first == 0xed, bytes[index + 1] > 0x9f { return 0 }
            return 3
        case 0xf0...0xf4:
            guard left >= 4, isContinuation(1), isContinuation(2), isContinuation(3) else { return 0 }
            if first == 0xf0, bytes[index + 1] < 0x90 { return 0 }
            if first == 0xf4, bytes[index + 1] > 0x8f { return 0 }
            return 4
        default:
            return 0
        }
    }

    /// Returns whether bytes are UTF-8 with only a few errors.
    ///
    /// Text in another encoding hardly ever contains valid UTF-8 sequences of two or more bytes. The result is true if
    /// there are at least two such sequences, and at least twice as many sequences as errors. ASCII characters are not
    /// counted.
    static func isMostlyUTF8(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        let leastCharacters = 2
        var characters = 0
        var errors = 0
        var index = 0
        while index < bytes.count {
            guard bytes[index] >= 0x80 else {
                index += 1
                continue
            }
            let length = sequenceLength(bytes, at: index)
            if length > 0 { characters += 1 } else { errors += 1 }
            index += max(length, 1)
        }
        return characters >= leastCharacters && characters >= 2 * errors
    }

    /// Returns UTF-8 text without the control characters that XML forbids, and with line ends as XML requires (XML 1.0,
    /// section 2.11).
    ///
    /// C1 control characters are replaced by the characters of Windows-1252 with the same numbers, because authors
    /// never mean C1 controls.
    static func cleaned(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        // A control character of two bytes becomes a character of at most three bytes.
        result.reserveCapacity(bytes.count + 16)
        var start = 0
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            let isSecondControl = byte == 0xc2 && index + 1 < bytes.count && bytes[index + 1] < 0xa0
            guard (byte < 32 && byte != 9 && byte != 10) || isSecondControl else {
                index += 1
                continue
            }
            result.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start..<index]))
            if isSecondControl {
                result.append(contentsOf: Unicode.UTF8.encode(HTMLCharacter.windows1252(bytes[index + 1])) ?? .init())
                index += 1
            } else if byte == 13, index + 1 >= bytes.count || bytes[index + 1] != 10 {
                result.append(10)
            }
            index += 1
            start = index
        }
        result.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start...]))
        return result
    }
}
