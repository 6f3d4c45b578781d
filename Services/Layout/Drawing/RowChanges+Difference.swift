// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

extension RowChanges {
    /// The fewest rows to delete and to insert that make the new rows of the old ones; nil where none came or went.
    init?(from digest: ContentDigest, old: [ContentDigest], new: [ContentDigest]) {
        let difference = new.difference(from: old)
        guard !difference.isEmpty else { return nil }
        self.init(
            from: digest,
            inserted: difference.insertions.map(Self.offset).sorted(),
            deleted: difference.removals.map(Self.offset).sorted()
        )
    }

    private static func offset(of change: CollectionDifference<ContentDigest>.Change) -> Int {
        switch change {
        case .insert(let offset, _, _), .remove(let offset, _, _): offset
        }
    }
}
