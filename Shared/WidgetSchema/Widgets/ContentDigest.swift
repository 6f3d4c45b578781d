// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// A SHA-256 digest, such as that of a content's bytes or of the visible parts of a display.
///
/// The digest is stored as four integers to save memory, because each source and each widget keeps at least one digest
/// in memory.
public struct ContentDigest: ValidatedString {
    public static let rule = "a digest is 64 hex digits"

    private let first: UInt64
    private let second: UInt64
    private let third: UInt64
    private let fourth: UInt64

    public init?(rawValue: String) {
        var text = rawValue
        let parts = text.withUTF8 { digits -> (UInt64, UInt64, UInt64, UInt64)? in
            guard digits.count == 64 else { return nil }
            func part(_ index: Int) -> UInt64? { hexadecimalNumber(digits[(index * 16)..<(index * 16 + 16)]) }
            guard let first = part(0), let second = part(1), let third = part(2), let fourth = part(3) else {
                return nil
            }
            return (first, second, third, fourth)
        }
        guard let parts else { return nil }
        (first, second, third, fourth) = parts
    }

    /// Creates a digest from its bytes; returns nil if the number of bytes is not 32.
    public init?(bytes: [UInt8]) {
        guard bytes.count == 32 else { return nil }
        func part(_ index: Int) -> UInt64 { bytes[(index * 8)..<(index * 8 + 8)].reduce(0) { $0 << 8 | UInt64($1) } }
        (first, second, third, fourth) = (part(0), part(1), part(2), part(3))
    }

    public var rawValue: String { hexadecimalText([first, second, third, fourth]) }

    /// The first 8 digits, enough for a person to tell digests apart.
    public var short: String { String(rawValue.prefix(8)) }

    public static func == (left: ContentDigest, right: ContentDigest) -> Bool {
        left.first == right.first && left.second == right.second && left.third == right.third
            && left.fourth == right.fourth
    }

    public func hash(into hasher: inout Hasher) {
        // A part of a SHA-256 is as evenly distributed as all of it.
        hasher.combine(first)
    }

    /// Compares two digests as numbers, which gives the same order as a comparison of their hexadecimal texts.
    public static func < (left: ContentDigest, right: ContentDigest) -> Bool {
        (left.first, left.second, left.third, left.fourth) < (right.first, right.second, right.third, right.fourth)
    }
}
