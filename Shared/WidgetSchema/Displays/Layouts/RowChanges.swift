// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The differences between the rows of two layouts; a client uses them to animate the changes.
///
/// The changes apply only to the old layout, whose digest is ``from``. To apply them to its rows:
/// - Remove the deleted and the moved rows.
/// - Insert the inserted and the moved rows at their indices in the new layout, in ascending order.
/// - Replace the updated rows by those of the new layout.
public struct RowChanges: Codable, Hashable, Sendable {
    /// A row whose place changed relative to the other rows that both layouts contain.
    public struct Move: Codable, Hashable, Sendable {
        /// The index of the row in the old layout.
        public var from: Int
        /// The index of the row in the new layout.
        public var to: Int

        public init(from: Int, to: Int) {
            self.from = from
            self.to = to
        }
    }

    /// The digest of the old layout.
    public var from: ContentDigest
    /// The indices of the inserted rows in the new layout, in ascending order.
    public var inserted: [Int]
    /// The indices of the deleted rows in the old layout, in ascending order.
    public var deleted: [Int]
    /// The moved rows, ascending by their new indices.
    @DefaultIfAbsent public var moved: [Move]
    /// The indices of the updated rows in the new layout, in ascending order.
    ///
    /// An updated row is in both layouts, but looks different. It can also be in ``moved``.
    @DefaultIfAbsent public var updated: [Int]

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
