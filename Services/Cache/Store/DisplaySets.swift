// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Digests
import Foundation
import Storage
import WidgetSchema

/// The sets of displays that widgets have, each stored once.
///
/// Most widgets have the same displays. Stored with every widget, they would be half of what a cycle writes and of what
/// a start decodes.
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

    /// Returns the id of a set, which is stored if it is new.
    ///
    /// After a transaction that failed, the sets must be read again.
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

    /// Deletes the sets that no widget has.
    static func deleteUnused(in transaction: borrowing Transaction) throws {
        try transaction.execute(
            "DELETE FROM display_sets WHERE id NOT IN (SELECT displays FROM widgets WHERE displays IS NOT NULL)"
        )
    }
}

/// The displays in the record of a widget, as versions of the store before 8 have them.
struct InlineDisplays: Decodable {
    var displays: [Display]
}
