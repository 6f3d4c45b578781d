// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

public import WidgetSchema

extension RowChanges {
    /// Creates the changes that turn the old rows into the new ones; nil if there are no changes.
    ///
    /// `digest` is the digest of the layout with the old rows. The number of moved rows is minimal: rows that keep
    /// their relative order are not moved.
    public init?(from digest: ContentDigest, old: [DrawnRow], new: [DrawnRow]) {
        let oldPlaces = Dictionary(old.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
        let newIDs = Set(new.map(\.id))
        var kept: [(old: Int, new: Int)] = []
        var inserted: [Int] = []
        var updated: [Int] = []
        for (index, row) in new.enumerated() {
            guard let place = oldPlaces[row.id] else {
                inserted.append(index)
                continue
            }
            kept.append((place, index))
            if old[place].digest != row.digest { updated.append(index) }
        }
        let staying = Self.longestRise(of: kept.map(\.old))
        let moved = kept.indices.filter { !staying.contains($0) }.map { Move(from: kept[$0].old, to: kept[$0].new) }
        self.init(
            from: digest,
            inserted: inserted,
            deleted: old.indices.filter { !newIDs.contains(old[$0].id) },
            moved: moved,
            updated: updated
        )
        if inserted.isEmpty, deleted.isEmpty, moved.isEmpty, updated.isEmpty { return nil }
    }

    /// Returns the indices of a longest increasing subsequence.
    private static func longestRise(of numbers: [Int]) -> Set<Int> {
        // `ends[n]` is the position of the lowest number that ends an increasing subsequence of length n + 1. `before`
        // contains the position of each number's predecessor in its subsequence.
        var ends: [Int] = []
        var before: [Int?] = []
        for (position, number) in numbers.enumerated() {
            let length = ends.firstIndex { numbers[$0] > number } ?? ends.count
            before.append(length > 0 ? ends[length - 1] : nil)
            if length == ends.count { ends.append(position) } else { ends[length] = position }
        }
        var result: Set<Int> = []
        var next = ends.last
        while let position = next {
            result.insert(position)
            next = before[position]
        }
        return result
    }
}
