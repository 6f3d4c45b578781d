// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

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
    /// The id of the next new set.
    private var nextID = 1

    init() {}

    init(of database: FencedDatabase) throws {
        try database.query("SELECT \(CacheRows.displaySetColumns.joined(separator: ", ")) FROM display_sets") { row in
            let (id, set) = try CacheRows.displaySet(row)
            displays[id] = set
            ids[set] = id
            // In stores of earlier versions, an id is a digest.
            if let number = Int(id), number < .max { nextID = max(nextID, number + 1) }
        }
    }

    subscript(id: String) -> [Display]? { displays[id] }

    /// Returns the id of a set, and stores the set if it is new.
    ///
    /// The id is a short number, because each cycle contains it.
    ///
    /// If the transaction fails, this `DisplaySets` may contain sets that the database does not have. The caller must
    /// then create a new `DisplaySets` from the database.
    mutating func id(of set: [Display], in transaction: borrowing Transaction) throws -> String {
        if let id = ids[set] { return id }
        let id = String(nextID)
        try transaction.enqueue(
            "INSERT INTO display_sets (id, displays) VALUES ($1, $2)",
            [.text(id), .blob(try WireJSON.encode(set))]
        )
        displays[id] = set
        ids[set] = id
        nextID += 1
        return id
    }

    /// Deletes all sets except those with these ids.
    ///
    /// Older cycles may still refer to a deleted set, and after a restart, a new set may reuse its id. This is safe,
    /// because only the displays of a widget's newest state are read.
    mutating func deleteOthers(than used: Set<String>, from database: FencedDatabase) throws {
        let unused = displays.keys.filter { !used.contains($0) }.sorted()
        guard !unused.isEmpty else { return }
        try database.transaction { transaction in
            try transaction.execute("DELETE FROM display_sets WHERE id = $1", sets: unused.map { [.text($0)] })
        }
        for id in unused {
            if let set = displays.removeValue(forKey: id) { ids[set] = nil }
        }
    }
}

/// The displays in a stored widget record that was written before schema version 8.
///
/// Newer records contain only the id of a set in ``DisplaySets``.
struct InlineDisplays: Decodable {
    var displays: [Display]
}
