// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation

/// Text that can be shown unchanged: no line breaks, no control characters, single spaces, a limited length.
///
/// Soft hyphens within words are kept, because lines may end at them.
public struct DisplayText: Hashable, Sendable {
    /// The maximum number of Unicode scalars in a text.
    ///
    /// The limit bounds the time for measuring. Even the widest display shows fewer scalars.
    public static let maximumScalars = 1000

    public let string: String

    public init(_ raw: String) {
        if Self.isOrdinary(raw) {
            string = raw
            return
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(min(raw.utf8.count, 4 * Self.maximumScalars))
        var count = 0
        var spaceIsDue = false
        var softHyphenIsDue = false
        for scalar in raw.unicodeScalars {
            if Self.isSpace(scalar) {
                spaceIsDue = count > 0
            } else if scalar == Self.softHyphen {
                softHyphenIsDue = count > 0
            } else if !Self.isInvisible(scalar) {
                if spaceIsDue {
                    bytes.append(0x20)
                    count += 1
                    spaceIsDue = false
                } else if softHyphenIsDue {
                    bytes.append(contentsOf: String(Self.softHyphen).utf8)
                    count += 1
                }
                softHyphenIsDue = false
                guard count < Self.maximumScalars else {
                    bytes.append(contentsOf: "…".utf8)
                    break
                }
                Self.append(scalar, to: &bytes)
                count += 1
            }
        }
        string = String(decoding: bytes, as: UTF8.self)
    }

    /// The character at which a word may be hyphenated; it is visible only at the end of a line.
    static let softHyphen: Unicode.Scalar = "\u{AD}"
    /// The visible hyphen, which Pango shows for a soft hyphen at the end of a line.
    static let hyphen: Unicode.Scalar = "\u{2010}"

    /// The whole text as a string without soft hyphens.
    var withoutSoftHyphens: String {
        // Other characters can contain the byte, too; replacing nothing in them is only slower.
        string.withBytes { $0.contains(0xAD) } ? string.replacing("\u{AD}", with: "") : string
    }

    public var isEmpty: Bool { string.isEmpty }

    /// Returns whether a text has nothing that can be shown.
    static func isEmpty(_ raw: String) -> Bool {
        // Most texts begin with a visible ASCII character.
        if let first = raw.utf8.first, (0x21...0x7E).contains(first) { return false }
        return DisplayText(raw).isEmpty
    }

    /// Returns whether a text can be shown unchanged: it is short, and consists of ordinary characters and single
    /// spaces.
    ///
    /// Most texts are ordinary. The check is fast, because it does not look up the properties of each scalar.
    private static func isOrdinary(_ raw: String) -> Bool {
        raw.withBytes { bytes in
            var count = 0
            var wasSpace = true
            var index = 0
            while index < bytes.count {
                if let word = EightBytes(bytes, at: index), word.areVisibleASCII {
                    guard word.hasSingleSpaces(after: wasSpace) else { return false }
                    wasSpace = word.endsInSpace
                    (index, count) = (index + 8, count + 8)
                    continue
                }
                let first = bytes[index]
                if first < 0x80 {
                    let isSpace = first == 0x20
                    guard isSpace ? !wasSpace : (0x21...0x7E).contains(first) else { return false }
                    wasSpace = isSpace
                    index += 1
                } else {
                    // Strings are well-formed UTF-8 (RFC 3629), so the first byte determines the length of the
                    // sequence.
                    let length = first < 0xE0 ? 2 : 3
                    guard first < 0xF0, index + length <= bytes.count else { return false }
                    var value = UInt32(first & (length == 2 ? 0x1F : 0x0F))
                    for byte in bytes[(index + 1)..<(index + length)] { value = value << 6 | UInt32(byte & 0x3F) }
                    guard isOrdinary(value) else { return false }
                    wasSpace = false
                    index += length
                }
                count += 1
            }
            return !wasSpace && count <= maximumScalars
        }
    }

    private static func append(_ scalar: Unicode.Scalar, to bytes: inout [UInt8]) {
        if scalar.isASCII {
            bytes.append(UInt8(truncatingIfNeeded: scalar.value))
        } else {
            bytes.append(contentsOf: String(scalar).utf8)
        }
    }

    /// Returns whether a scalar is known to be visible; unlike a look-up of its properties, the check is fast.
    ///
    /// Most characters of these scripts are known: Latin, Greek, Cyrillic, Armenian, Hebrew, Arabic, kana, ideographs
    /// and hangul. Dashes, quotation marks and the narrow space in dates are known too.
    private static func isOrdinary(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0x21...0x7E, 0xA1...0xAC, 0xAE...0x5FF, 0x620...0x6DC, 0x6DE...0x70E, 0x2010...0x2027, 0x202F...0x205E,
            0x3001...0xD7FF:
            true
        default: false
        }
    }

    /// Returns whether a scalar is white space that breaks lines or separates words; no-break spaces do not count.
    private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        !isOrdinary(scalar.value) && scalar.properties.isWhitespace && scalar != "\u{A0}" && scalar != "\u{202F}"
            && scalar != "\u{2007}"
    }

    /// Returns whether fonts show a scalar as nothing or as a box: a control character, a noncharacter, a byte order
    /// mark or an object replacement character.
    private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        !isOrdinary(scalar.value)
            && (scalar.properties.generalCategory == .control || scalar.properties.isNoncharacterCodePoint
                || scalar == "\u{FEFF}" || scalar == "\u{FFFC}")
    }
}

extension DisplayText {
    // Compares bytes: strings that Unicode treats as equal may look different, and comparing them takes longer.

    public static func == (left: DisplayText, right: DisplayText) -> Bool {
        left.string.withBytes { left in
            right.string.withBytes { right in
                left.count == right.count && left.isPrefix(of: right)
            }
        }
    }

    public func hash(into hasher: inout Hasher) {
        string.withBytes { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}
