// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Digests
import Foundation
import Storage
import WidgetSchema

/// The distinct sets of displays, each stored once.
///
/// Most widgets have the same displays. If each widget's record contained them, they would be half of the data that is
/// written for each cycle and decoded at each start.
struct DisplaySets {
    private var displays: [String: [Display]] = [:]
    private var ids: [[Display]: String] = [:]

    init() {}

    init(of database: FencedDatabase) throws {
        try database.query("SELECT id, displays FROM display_sets") { row in
            let id = try row.text(0)
            let set = try WireJSON.decode([Display].self, from: try row.blob(1))
            displays[id] = set
            ids[set] = id
        }
    }

    subscript(id: String) -> [Display]? { displays[id] }

    /// Returns the id of a set, and stores the set if it is new.
    ///
    /// If the transaction fails, this `DisplaySets` may contain sets that the database does not have. The caller must
    /// then create a new `DisplaySets` from the database.
    mutating func id(of set: [Display], in transaction: borrowing Transaction) throws -> String {
        if let id = ids[set] { return id }
        let json = try WireJSON.encode(set)
        let id = SHA256.hexDigest(of: json)
        try transaction.enqueue(
            "INSERT INTO display_sets (id, displays) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING",
            [.text(id), .blob(json)]
        )
        displays[id] = set
        ids[set] = id
        return id
    }

    /// Deletes the sets that no widget uses.
    static func deleteUnused(in transaction: borrowing Transaction) throws {
        try transaction.execute(
            "DELETE FROM display_sets WHERE id NOT IN (SELECT displays FROM widgets WHERE displays IS NOT NULL)"
        )
    }
}

/// The displays in a stored widget record that was written before schema version 8.
///
/// Newer records contain only the id of a set in ``DisplaySets``.
struct InlineDisplays: Decodable {
    var displays: [Display]
}
