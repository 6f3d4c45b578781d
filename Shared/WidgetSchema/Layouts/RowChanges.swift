// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// Which rows came, went, moved and look different, so that a client can animate them; they apply only to the layout
/// they start from.
///
/// To apply them: take the deleted and the moved rows out of the old rows, put the inserted and the moved ones in at
/// their new indices, in ascending order, and take the updated ones from the new layout.
public struct RowChanges: Codable, Hashable, Sendable {
    /// A row that is in both layouts, and stands elsewhere among those that stayed.
    public struct Move: Codable, Hashable, Sendable {
        /// Its index in the old layout.
        public var from: Int
        /// Its index in the new layout.
        public var to: Int

        public init(from: Int, to: Int) {
            self.from = from
            self.to = to
        }
    }

    /// The digest of the layout that the deleted indices count in.
    public var from: ContentDigest
    /// Indices in the new layout, ascending.
    public var inserted: [Int]
    /// Indices in the old layout, ascending.
    public var deleted: [Int]
    /// Ascending by their new indices.
    public var moved: [Move]
    /// Indices in the new layout, ascending, of rows that were there and look different; moved ones may be among them.
    public var updated: [Int]

    public init(
        from: ContentDigest,
        inserted: [Int] = [],
        deleted: [Int] = [],
        moved: [Move] = [],
        updated: [Int] = []
    ) {
        self.from = from
        self.inserted = inserted
        self.deleted = deleted
        self.moved = moved
        self.updated = updated
    }
}

extension RowChanges {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            from: try container.decode(ContentDigest.self, forKey: .from),
            inserted: try container.decode([Int].self, forKey: .inserted),
            deleted: try container.decode([Int].self, forKey: .deleted),
            // Updates that are stored since earlier versions have neither.
            moved: try container.decodeIfPresent([Move].self, forKey: .moved) ?? [],
            updated: try container.decodeIfPresent([Int].self, forKey: .updated) ?? []
        )
    }
}
