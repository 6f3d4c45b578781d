// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The marks of direction in a text, and their effect (Unicode Standard Annex 9).
///
/// A mark has no effect if the letters beside it have its direction, or if they and the whole text have the same one. If
/// that cannot be told from the letters beside it, such as between two scopes, a mark counts as effective. All effects
/// of a text are found in one pass, because a text may consist of marks alone.
struct DirectionMarks {
    private enum Side {
        case left
        case right
    }

    private enum Kind: Hashable {
        /// A letter that is written from left to right.
        case left
        /// A letter of Hebrew and its like; numbers that follow a letter of Arabic have another form.
        case right
        case arabic
        case number
        case neutral
        /// A mark, or the beginning or the end of a scope.
        case control
        /// Any other default-ignorable character, and a combining mark.
        case transparent

        var side: Side? {
            switch self {
            case .left: .left
            case .right, .arabic: .right
            case .number, .neutral, .control, .transparent: nil
            }
        }
    }

    /// The nearest letter, number or control on one side of a position; nil at the edge of the text.
    private struct Neighbour {
        var kind: Kind?
        /// The direction that a number takes from the letters before it, or that of a letter.
        var side: Side?
        /// A Boolean value that indicates whether no space and no punctuation is in between.
        var isAdjacent = true

        /// Returns whether the neighbour is a letter of a direction, without anything in between.
        func isLetter(of side: Side?) -> Bool { isAdjacent && kind?.side != nil && kind?.side == side }

        /// Makes a scalar the nearest one, unless it is neutral or transparent; `numbers` is the direction of numbers.
        mutating func pass(_ kind: Kind, numbers: Side?) {
            switch kind {
            case .transparent: break
            case .neutral: isAdjacent = false
            case .number: self = Neighbour(kind: kind, side: numbers)
            case .left, .right, .arabic, .control: self = Neighbour(kind: kind, side: kind.side)
            }
        }
    }

    /// An embedding, an override or an isolate.
    private struct Scope {
        let start: Int
        /// The index of its end, or of the end of the text.
        var end: Int
    }

    private let scalars: [Unicode.Scalar]
    private let kinds: [Kind]
    private var before: [Neighbour] = []
    private var after: [Neighbour] = []
    /// The scope that begins or ends at an index.
    private var scopes: [Int: Scope] = [:]
    /// The numbers of letters of each direction, of numbers and of controls before each index.
    private var leftsBefore = [0]
    private var rightsBefore = [0]
    private var numbersBefore = [0]
    private var controlsBefore = [0]
    /// The direction of the whole text: that of its first letter or mark outside of isolates.
    private var paragraph: Side?
    private var firstLetter: Side? { kinds.lazy.compactMap(\.side).first }

    init(_ scalars: [Unicode.Scalar]) {
        self.scalars = scalars
        var kinds = scalars.map(Self.kind)
        // The second of two equal marks does nothing.
        for index in scalars.indices.dropFirst() where Self.isRepeated(index, in: scalars) {
            kinds[index] = .transparent
        }
        self.kinds = kinds
        findScopes()
        findNeighbours()
    }

    /// Returns whether a scalar is a mark, an embedding, an override or an isolate.
    static func contains(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.isBidiControl }

    /// Returns whether the mark at `index` can change the order or the direction of the text.
    func isEffective(at index: Int) -> Bool {
        guard kinds[index] == .control else { return false }
        return switch scalars[index].value {
        case 0x200E: isEffectiveMark(.left, at: index)
        case 0x200F: isEffectiveMark(.right, at: index)
        case 0x061C: isEffectiveMark(.arabic, at: index)
        // An end is as effective as its beginning.
        default: scopes[index].map(isEffective) ?? false
        }
    }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool { [0x200E, 0x200F, 0x061C].contains(scalar.value) }

    private static func isRepeated(_ index: Int, in scalars: [Unicode.Scalar]) -> Bool {
        scalars[index] == scalars[index - 1] && isMark(scalars[index])
    }

    // MARK: Marks

    /// Returns whether a mark can change the direction of the text, of the neutral characters beside it, or of a number.
    private func isEffectiveMark(_ mark: Kind, at index: Int) -> Bool {
        let (left, right, side) = (before[index], after[index], mark.side)
        if right.isLetter(of: side) { return false }
        if left.isLetter(of: side) { return left.kind != mark && (right.kind == .number || right.kind == .control) }
        if left.kind == .control || right.kind == .control { return true }
        var base = paragraph ?? .left
        if leftsBefore[index] + rightsBefore[index] + controlsBefore[index] == 0 {
            // This mark decides the direction of the text. Without it, the first letter does.
            guard right.kind != .number || controlsBefore.last == 1 else { return true }
            base = firstLetter ?? .left
            if side != base { return true }
        }
        let first = left.kind == nil ? base : left.side
        if right.kind == .number { return side != .left || first != .left }
        let second = right.kind == nil ? base : right.side
        if first == second { return first != side && first != base }
        return first == side ? !left.isAdjacent && first != base : !right.isAdjacent && second != base
    }

    // MARK: Scopes

    /// Returns whether a scope can change the order or the direction of the text.
    private func isEffective(_ scope: Scope) -> Bool {
        let start = scalars[scope.start].value
        let (hasLeft, hasRight) = (leftsBefore.last != 0, rightsBefore.last != 0)
        if start == 0x2068, !hasLeft || !hasRight { return false }
        let declared = Self.side(ofScope: start)
        // A text without letters is written from left to right.
        if declared == .left, !hasRight { return false }
        if declared == .right, !hasLeft, hasRight { return false }
        // Scopes without controls do not overlap, so all their scalars are visited once.
        guard count(controlsBefore, in: scope) == 0 else { return true }
        let visible = (scope.start + 1..<scope.end).filter { kinds[$0] != .transparent }
        guard let first = visible.first, let last = visible.last else { return false }
        let letters = visible.compactMap { kinds[$0].side }
        let (left, right) = (before[scope.start], scope.end < scalars.count ? after[scope.end] : Neighbour())
        guard ![left.kind, right.kind].contains(where: { $0 == .number || $0 == .control }) else { return true }
        let (base, side) = (paragraph ?? .left, declared ?? letters.first ?? .left)
        // An isolate at the beginning does not decide the direction of the text, but its letters would.
        if left.kind == nil, letters.first ?? right.side ?? .left != base { return true }
        let (before, after) = (left.side ?? base, right.side ?? base)
        let (isBesideBase, hasNumbers) = (before == base && after == base, count(numbersBefore, in: scope) > 0)
        let isOfItsSide = letters.allSatisfy { $0 == side }
        if Self.isOverride(start), first != last, hasNumbers || !isOfItsSide { return true }
        if side != base {
            let isPhrase = kinds[first].side != nil && kinds[last].side != nil && Set(letters).count == 1
            return hasNumbers || !isPhrase || !isBesideBase && (!isOfItsSide || Self.isIsolate(start))
        }
        guard isBesideBase || Self.isIsolate(start) else { return true }
        if before != base, before == after || before == letters.first { return true }
        if after != base, after == letters.last { return true }
        return hasNumbers && (base == .right || before != base)
            || visible.contains { scalars[$0].properties.isBidiMirrored }
    }

    private static func isOverride(_ start: UInt32) -> Bool { start == 0x202D || start == 0x202E }

    private static func isIsolate(_ start: UInt32) -> Bool { (0x2066...0x2068).contains(start) }

    /// Returns the direction of the text in a scope; nil if its first letter decides.
    private static func side(ofScope start: UInt32) -> Side? {
        switch start {
        case 0x202A, 0x202D, 0x2066: .left
        case 0x202B, 0x202E, 0x2067: .right
        default: nil
        }
    }

    private func count(_ sums: [Int], in scope: Scope) -> Int { sums[scope.end] - sums[scope.start + 1] }

    // MARK: Preparation

    private mutating func findScopes() {
        var open: [Int] = []
        for (index, scalar) in scalars.enumerated() where kinds[index] == .control {
            switch scalar.value {
            case 0x202A, 0x202B, 0x202D, 0x202E, 0x2066, 0x2067, 0x2068: open.append(index)
            case 0x202C, 0x2069:
                guard let start = open.popLast() else { continue }
                let scope = Scope(start: start, end: index)
                scopes[start] = scope
                scopes[index] = scope
            default: break
            }
        }
        for start in open { scopes[start] = Scope(start: start, end: scalars.count) }
    }

    private mutating func findNeighbours() {
        paragraph = Self.paragraph(scalars, kinds)
        var nearest = Neighbour()
        var letters: Side?
        for kind in kinds {
            before.append(nearest)
            leftsBefore.append((leftsBefore.last ?? 0) + (kind == .left ? 1 : 0))
            rightsBefore.append((rightsBefore.last ?? 0) + (kind.side == .right ? 1 : 0))
            numbersBefore.append((numbersBefore.last ?? 0) + (kind == .number ? 1 : 0))
            controlsBefore.append((controlsBefore.last ?? 0) + (kind == .control ? 1 : 0))
            letters = kind.side ?? letters
            nearest.pass(kind, numbers: letters ?? paragraph ?? .left)
        }
        nearest = Neighbour()
        for kind in kinds.reversed() {
            after.append(nearest)
            nearest.pass(kind, numbers: nil)
        }
        after.reverse()
    }

    /// Returns the direction of the first letter or mark outside of isolates.
    private static func paragraph(_ scalars: [Unicode.Scalar], _ kinds: [Kind]) -> Side? {
        var depth = 0
        for (scalar, kind) in zip(scalars, kinds) {
            switch scalar.value {
            case 0x2066...0x2068: depth += 1
            case 0x2069: depth = max(depth - 1, 0)
            case 0x200E where depth == 0: return .left
            case 0x200F where depth == 0, 0x061C where depth == 0: return .right
            default: if depth == 0, let side = kind.side { return side }
            }
        }
        return nil
    }

    /// Returns the kind of a scalar; right to left are the letters of the blocks that Unicode reserves for it.
    private static func kind(_ scalar: Unicode.Scalar) -> Kind {
        if contains(scalar) { return .control }
        if InvisibleCharacterFilter.isIgnorable(scalar) { return .transparent }
        if scalar.properties.numericType == .decimal { return .number }
        let category = scalar.properties.generalCategory
        if category == .nonspacingMark || category == .enclosingMark { return .transparent }
        guard scalar.properties.isAlphabetic else { return .neutral }
        switch scalar.value {
        case 0x0600...0x07BF, 0x0860...0x08FF, 0xFB50...0xFDFF, 0xFE70...0xFEFF, 0x10D00...0x10D3F, 0x10F30...0x10F6F,
            0x1EC70...0x1ECBF, 0x1ED00...0x1ED4F, 0x1EE00...0x1EEFF:
            return .arabic
        case 0x0590...0x08FF, 0xFB1D...0xFDFF, 0x10800...0x10FFF, 0x1E800...0x1EFFF: return .right
        default: return .left
        }
    }
}
