// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// Which rows came and went, so that a client can animate them; they apply only to the layout they start from.
public struct RowChanges: Codable, Hashable, Sendable {
    /// The digest of the layout that the deleted indices count in.
    public var from: ContentDigest
    /// Indices in the new layout, ascending.
    public var inserted: [Int]
    /// Indices in the old layout, ascending.
    public var deleted: [Int]

    public init(from: ContentDigest, inserted: [Int], deleted: [Int]) {
        self.from = from
        self.inserted = inserted
        self.deleted = deleted
    }
}
