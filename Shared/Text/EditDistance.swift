// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The edit distance between two words, for suggestions such as "did you mean …?".
package enum EditDistance {
    /// The maximum length of a word in characters; for a longer word, there is no suggestion.
    static let maximumLength = 64

    /// Returns the candidate that is closest to a word; nil if no candidate is close, or if two are equally close.
    ///
    /// Case and the characters `-` and `_` are ignored. A candidate is close if it differs by at most one change for
    /// every three characters of the word. One change is always allowed, and more than three are never allowed.
    package static func closest(to word: String, among candidates: some Sequence<String>) -> String? {
        let plain = plain(word)
        guard !plain.isEmpty, plain.count <= maximumLength else { return nil }
        let allowed = max(1, min(3, plain.count / 3))
        var best: (candidate: String, distance: Int)?
        var isUnique = true
        for candidate in candidates {
            let distance = between(plain, Self.plain(candidate))
            guard distance <= allowed, distance < max(plain.count, 2) else { continue }
            if let known = best, known.distance <= distance {
                if known.distance == distance { isUnique = false }
                continue
            }
            best = (candidate, distance)
            isUnique = true
        }
        return isUnique ? best?.candidate : nil
    }

    /// Returns the end of a message about an unknown word: the closest candidate.
    ///
    /// If none is close, returns `alternative`; without an alternative, the list of all candidates.
    package static func hint(
        for word: String,
        among candidates: [String],
        else alternative: @autoclosure () -> String? = nil
    ) -> String {
        closest(to: word, among: candidates).map { "; did you mean '\($0)'?" }
            ?? alternative() ?? "; there are \(candidates.joined(separator: ", "))"
    }

    /// Returns the minimum number of changes that turn one word into another.
    ///
    /// A change is an insertion, a deletion, a replacement, or a swap of neighbouring characters (optimal string
    /// alignment).
    static func between(_ left: [Character], _ right: [Character]) -> Int {
        if left.isEmpty || right.isEmpty { return max(left.count, right.count) }
        var beforeLast: [Int] = []
        var last = Array(0...right.count)
        for row in 1...left.count {
            var current = [row]
            for column in 1...right.count {
                let isSame = left[row - 1] == right[column - 1]
                var cost = min(last[column] + 1, current[column - 1] + 1, last[column - 1] + (isSame ? 0 : 1))
                if row > 1, column > 1, left[row - 1] == right[column - 2], left[row - 2] == right[column - 1] {
                    cost = min(cost, beforeLast[column - 2] + 1)
                }
                current.append(cost)
            }
            beforeLast = last
            last = current
        }
        return last[right.count]
    }

    private static func plain(_ word: String) -> [Character] {
        Array(word.lowercased().filter { $0 != "-" && $0 != "_" })
    }
}
