// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// A filter that removes default-ignorable characters without an effect from a text.
///
/// A character is kept if it can change what is drawn: joiners in emoji and in scripts that need them, variation
/// selectors after a base that has variants, direction marks beside text of the other direction.
struct InvisibleCharacterFilter {
    private let scalars: [Unicode.Scalar]
    /// The first visible scalar after each index; empty if the text has no invisible one.
    private let following: [Unicode.Scalar?]
    /// The visible scalar before the current one; nil at the beginning.
    private var previous: Unicode.Scalar?

    init(_ text: String.UnicodeScalarView) {
        scalars = Array(text)
        following = scalars.contains(where: Self.isIgnorable) ? Self.following(scalars) : []
    }

    /// Returns the text without the characters that have no effect.
    mutating func filtered() -> String.UnicodeScalarView {
        var result = String.UnicodeScalarView()
        guard !following.isEmpty else {
            result.append(contentsOf: scalars)
            return result
        }
        let marks = scalars.contains(where: DirectionMarks.contains) ? DirectionMarks(scalars) : nil
        for (index, scalar) in scalars.enumerated() {
            if Self.isIgnorable(scalar) {
                let isMark = DirectionMarks.contains(scalar)
                guard isMark ? marks?.isEffective(at: index) == true : isEffective(at: index) else { continue }
            }
            result.append(scalar)
            previous = scalar
        }
        return result
    }

    private static func following(_ scalars: [Unicode.Scalar]) -> [Unicode.Scalar?] {
        var found: [Unicode.Scalar?] = []
        found.reserveCapacity(scalars.count)
        var next: Unicode.Scalar?
        for scalar in scalars.reversed() {
            found.append(next)
            if !isIgnorable(scalar) { next = scalar }
        }
        return found.reversed()
    }

    /// Returns whether a scalar is one that this filter judges.
    static func isIgnorable(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value > 0x300 && scalar.properties.isDefaultIgnorableCodePoint
    }

    private func isEffective(at index: Int) -> Bool {
        let isFiller = Script.isFiller(scalars[index]) && following[index] != nil
        guard let previous else { return isFiller }
        switch scalars[index].value {
        case 0x034F:
            // Between two marks, the grapheme joiner prevents their reordering.
            return previous.isMark && following[index]?.isMark == true
        case 0x200B: return Script.separatesWordsInvisibly(previous)
        case 0x200C: return isEffectiveNonJoiner(previous, following[index])
        case 0x200D: return isEffectiveJoiner(previous, following[index])
        case 0x180B...0x180F: return Script.isMongolian(previous)
        case 0xFE0E: return previous.properties.isEmojiPresentation
        case 0xFE0F: return previous.properties.isEmoji && !previous.properties.isEmojiPresentation
        case 0xFE00: return Script.hasVariants(previous)
        case 0xE0100...0xE011F: return previous.properties.isIdeographic
        case 0xE0020...0xE007F: return isOfFlag(previous)
        default: return isFiller
        }
    }

    /// Returns whether a tag follows the black flag, or another tag of such a sequence.
    private func isOfFlag(_ previous: Unicode.Scalar) -> Bool {
        previous.value == 0x1F3F4 || (0xE0020...0xE007E).contains(previous.value)
    }

    private func isEffectiveNonJoiner(_ previous: Unicode.Scalar, _ next: Unicode.Scalar?) -> Bool {
        guard let next else { return false }
        if Script.isCursive(previous) || Script.isCursive(next) {
            return Script.joinsForward(previous) && Script.isCursive(next)
        }
        // In Indic scripts, a non-joiner shows a virama, and separates a letter from a mark.
        return previous.isVirama || next.isMark
    }

    private func isEffectiveJoiner(_ previous: Unicode.Scalar, _ next: Unicode.Scalar?) -> Bool {
        if Script.isCursive(previous) || next.map(Script.isCursive) == true {
            let joinsBefore = Script.joinsForward(previous)
            let joinsAfter = next.map(Script.isCursive) ?? false
            // A joiner matters where the letters would not join by themselves.
            return joinsBefore != joinsAfter
        }
        if previous.isVirama || next?.isVirama == true { return true }
        return previous.isPartOfEmoji && next?.properties.isEmoji == true && next?.isASCII == false
    }
}

extension Unicode.Scalar {
    fileprivate var isMark: Bool { properties.canonicalCombiningClass != .notReordered || isSpacingMark }
    private var isSpacingMark: Bool {
        properties.generalCategory == .spacingMark || properties.generalCategory == .nonspacingMark
    }
    fileprivate var isVirama: Bool { properties.canonicalCombiningClass == .virama }
    /// A Boolean value that indicates whether a joiner after this scalar can continue an emoji.
    fileprivate var isPartOfEmoji: Bool {
        value == 0xFE0F || (0x1F3FB...0x1F3FF).contains(value) || properties.isEmoji && !isASCII
    }
}

/// The properties of scripts that decide whether an invisible character has an effect.
private enum Script {
    /// Returns whether a scalar is a letter of a script whose letters join, such as Arabic.
    static func isCursive(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0620...0x065F, 0x066E...0x06EF, 0x06FA...0x074F, 0x0750...0x077F, 0x0840...0x085F, 0x0860...0x08FF,
            0x07CA...0x07F5, 0x1820...0x18AA, 0xA840...0xA873, 0x10D00...0x10D23, 0x10F30...0x10F54, 0x1E900...0x1E94B:
            true
        default: false
        }
    }

    /// Returns whether a letter joins the one that follows it; marks count as the letters below them.
    static func joinsForward(_ scalar: Unicode.Scalar) -> Bool {
        guard isCursive(scalar) else { return false }
        switch scalar.value {
        // The letters of Arabic that join only the one before them, or none (ArabicShaping.txt).
        case 0x0621...0x0625, 0x0627, 0x0629, 0x062F...0x0632, 0x0648, 0x0671...0x0677, 0x0688...0x0699, 0x06C0,
            0x06C3...0x06CB, 0x06CD, 0x06CF, 0x06D2...0x06D5, 0x06DD, 0x06EE, 0x06EF:
            return false
        default: return true
        }
    }

    /// Returns whether words of a scalar's script are written without spaces, and separated by zero-width spaces.
    static func separatesWordsInvisibly(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        // Thai, Lao, Tibetan, Myanmar, Khmer, Tai Le to Khmer symbols, Tai Tham, Balinese, Javanese, Myanmar extended.
        case 0x0E00...0x0FFF, 0x1000...0x109F, 0x1780...0x17FF, 0x1950...0x19FF, 0x1A20...0x1AAF, 0x1B00...0x1B7F,
            0xA980...0xA9FF, 0xAA00...0xAA7F:
            true
        default: false
        }
    }

    static func isMongolian(_ scalar: Unicode.Scalar) -> Bool { (0x1800...0x18AF).contains(scalar.value) }

    /// Returns whether a scalar has standardized variants that fonts draw (StandardizedVariants.txt): punctuation of
    /// ideographs, ideographs, mathematical symbols, Myanmar and Phags-pa letters.
    static func hasVariants(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x1000...0x109F, 0x2200...0x22FF, 0x2A00...0x2AFF, 0x3000...0x303F, 0xA840...0xA877, 0xFF00...0xFF60:
            true
        default: scalar.properties.isIdeographic
        }
    }

    /// Returns whether a scalar is a filler of Hangul, which fonts draw as a space.
    static func isFiller(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x115F, 0x1160, 0x3164, 0xFFA0: true
        default: false
        }
    }
}
