// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The direction of a line of text, from its first character with a direction (UAX #9, rules P2 and P3).
enum TextDirection: Hashable, Sendable {
    case leftToRight
    case rightToLeft

    /// Creates the direction of a text; left to right if no character has a direction.
    init(of text: String) {
        for scalar in text.unicodeScalars {
            if scalar.isASCII {
                guard Self.isLetter(scalar) else { continue }
                break
            }
            if scalar == Self.leftToRight.mark { break }
            if scalar == Self.rightToLeft.mark || Self.isOfRightToLeftScript(scalar) {
                self = .rightToLeft
                return
            }
            if scalar.properties.isAlphabetic { break }
        }
        self = .leftToRight
    }

    private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
    }

    /// The invisible Unicode mark for this direction: LEFT-TO-RIGHT MARK or RIGHT-TO-LEFT MARK.
    var mark: Unicode.Scalar {
        switch self {
        case .leftToRight: "\u{200E}"
        case .rightToLeft: "\u{200F}"
        }
    }

    /// Returns whether a scalar is a letter in a block that Unicode reserves for scripts written from right to left
    /// (DerivedBidiClass.txt).
    private static func isOfRightToLeftScript(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0590...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFF, 0x10800...0x10FFF, 0x1E800...0x1EFFF:
            scalar.properties.isAlphabetic && scalar.properties.generalCategory != .nonspacingMark
        default: false
        }
    }
}
