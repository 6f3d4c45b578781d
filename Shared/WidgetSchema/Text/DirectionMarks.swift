// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The marks of direction in a text, and their effect (Unicode Standard Annex 9).
///
/// In a text of one direction, most marks change nothing. In a text of both, all are kept: only the whole algorithm could
/// tell.
struct DirectionMarks {
    private enum Direction {
        case leftToRight
        case rightToLeft
        case number
        case neutral
    }

    private let scalars: [Unicode.Scalar]
    private let hasLeftToRight: Bool
    private let hasRightToLeft: Bool

    init(_ scalars: [Unicode.Scalar]) {
        self.scalars = scalars
        let directions = scalars.lazy.filter { !InvisibleCharacterFilter.isIgnorable($0) }.map(Self.direction)
        hasLeftToRight = directions.contains(.leftToRight)
        hasRightToLeft = directions.contains(.rightToLeft)
    }

    /// Returns whether a scalar is a mark, an embedding, an override or an isolate.
    static func contains(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.isBidiControl }

    /// Returns whether the mark at `index` can change the order or the direction of the text.
    func isEffective(at index: Int) -> Bool {
        if hasLeftToRight, hasRightToLeft { return true }
        // A text without a letter is written from left to right.
        let isLeftToRight = !hasRightToLeft
        switch scalars[index].value {
        case 0x200E: return hasRightToLeft && isEffectiveMark(at: index)
        case 0x200F, 0x061C: return isLeftToRight ? isEffectiveMark(at: index) : precedesNumber(index)
        // Embeddings, overrides and isolates from left to right.
        case 0x202A, 0x202D, 0x2066: return hasRightToLeft && isEffectiveScope(from: index)
        // Those from right to left, and that of the first character.
        case 0x202B, 0x202E, 0x2067: return isLeftToRight && isEffectiveScope(from: index)
        case 0x2068: return false
        // An end is as effective as its beginning.
        default: return start(ofScopeEndingAt: index).map(isEffective) ?? false
        }
    }

    /// Returns whether a mark of the other direction decides the direction of the text, or that of a number.
    private func isEffectiveMark(at index: Int) -> Bool {
        let isFirst = !scalars[..<index].contains { isLetter($0) }
        return isFirst || precedesNumber(index)
    }

    /// Returns whether a number follows `index` before any letter.
    private func precedesNumber(_ index: Int) -> Bool {
        let next = scalars[(index + 1)...].first { scalar in
            !InvisibleCharacterFilter.isIgnorable(scalar) && Self.direction(scalar) != .neutral
        }
        return next.map { Self.direction($0) == .number } ?? false
    }

    /// Returns whether the text from `index` to the end of its scope is more than a word or a phrase between letters.
    private func isEffectiveScope(from index: Int) -> Bool {
        var depth = 0
        var scope: [Unicode.Scalar] = []
        for scalar in scalars[(index + 1)...] {
            if Self.opens(scalar) { depth += 1 }
            if Self.closes(scalar) { depth -= 1 }
            if depth < 0 { break }
            if !InvisibleCharacterFilter.isIgnorable(scalar) { scope.append(scalar) }
        }
        guard let first = scope.first, let last = scope.last else { return false }
        let isOverride = [0x202D, 0x202E].contains(scalars[index].value)
        if isOverride, scope.count > 1 { return true }
        return !isLetter(first) || !isLetter(last) || scope.contains { Self.direction($0) == .number }
    }

    private func start(ofScopeEndingAt end: Int) -> Int? {
        var depth = 0
        for index in scalars[..<end].indices.reversed() {
            if Self.closes(scalars[index]) { depth += 1 }
            guard Self.opens(scalars[index]) else { continue }
            if depth == 0 { return index }
            depth -= 1
        }
        return nil
    }

    private static func opens(_ scalar: Unicode.Scalar) -> Bool {
        [0x202A, 0x202B, 0x202D, 0x202E, 0x2066, 0x2067, 0x2068].contains(scalar.value)
    }

    private static func closes(_ scalar: Unicode.Scalar) -> Bool { scalar.value == 0x202C || scalar.value == 0x2069 }

    private func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        let direction = Self.direction(scalar)
        return direction == .leftToRight || direction == .rightToLeft
    }

    /// Returns the direction of a scalar; for right to left, from the blocks that Unicode reserves for it.
    private static func direction(_ scalar: Unicode.Scalar) -> Direction {
        if scalar.properties.numericType == .decimal { return .number }
        guard scalar.properties.isAlphabetic else { return .neutral }
        switch scalar.value {
        case 0x0590...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFF, 0x10800...0x10FFF, 0x1E800...0x1EFFF:
            return .rightToLeft
        default:
            return .leftToRight
        }
    }
}
