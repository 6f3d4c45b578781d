// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Cryptography
import Foundation
import ServiceEngine
import Storage
import Testing
import WidgetSchema

@testable import Notifier

/// Copies of the notifier's store in which one value is not what the notifier writes.
@Suite struct UpdateStoreCheckTests {
    /// The stores contain the texts of the migrations that made them; `OwnerRow` has one of them.
    @Test func theTextsOfTheMigrationsNeverChange() {
        let texts = UpdateMigrations.all.filter { $0.number != 2 }.map {
            "\($0.number)\n\($0.sql)\n\($0.postgreSQL.joined(separator: "|"))\n"
        }
        #expect(
            SHA256.hexDigest(of: texts.joined()) == "9a2c554f78cc35b739347d59bdeee08fec9c42e5f26a787021add06fe4a5055f"
        )
    }

    /// Makes a store with two updates of one widget and one of another.
    private func fill(_ path: String) throws {
        let store = try DatabaseUpdateStore(path: path)
        let end = try store.load().end
        var core = NotifierCore(end: end, nonce: "n")
        let cycles = [("blog", "a", 1), ("blog", "b", 2), ("news", "c", 1)] as [(String, String, UInt64)]
        for (name, shown, sequence) in cycles {
            let event = try LaidOut.showing(["compact": shown]).event(try range(sequence, sequence), of: widget(name))
            let id = try widget(name)
            try store.commit(core.handle(.laidOut(event, of: id), now: at(0)).writes)
        }
        store.close()
    }

    @Test func eachTableOfTheNotifierIsChecked() throws {
        try withDatabasePath { path in
            try fill(path)
            let database = try Database.open(existing: path)
            let tables = try database.query(
                """
                SELECT name FROM sqlite_schema WHERE type = 'table'
                AND name NOT IN ('owner', 'owner_lease', 'fence', 'schema_step')
                """
            ) { try $0.text(0) }
            #expect(try database.query("SELECT COUNT(*) FROM widget_update") { try $0.integer(0) } == [3])
            try database.close()
            #expect(Set(DatabaseUpdateStore.tableChecks.map(\.table)) == Set(tables))
            try DatabaseUpdateStore.check.run(on: path)
        }
    }

    @Test(arguments: [
        "widget SET id = 'no id'", "widget SET sequence = 'x'", "widget SET last_new_data = 'x'",
        "widget SET had_content = 'x'", "widget SET digests = '{'", "widget SET digests = '{\"compact\":\"a\"}'",
        "widget SET changed = '{\"compact\":1}'", "widget SET committed = 'x'", "widget SET announced = '[]'",
        "widget_update SET widget = 'no id'", "widget_update SET widget = 'other'",
        "widget_update SET sequence = sequence + 1", "widget_update SET first = 0",
        "widget_update SET result = 'newer'", "widget_update SET result = 'failed'",
        "widget_update SET event = x'7b7d'", "widget_update SET event = substr(event, 2)",
        "widget_update SET stream_offset = 'x'",
        "stream SET epoch = 'x'", "stream SET last_offset = 'x'",
    ])
    func aRowThatTheNotifierCannotReadIsNamed(change: String) throws {
        try withDatabasePath { path in
            try fill(path)
            let database = try Database.open(existing: path)
            let table = try #require(change.split(separator: " ").first)
            try database.transaction { transaction in
                let changed = try transaction.execute(
                    "UPDATE \(change) WHERE rowid = (SELECT MAX(rowid) FROM \(table))"
                )
                #expect(changed == 1)
            }
            try database.close()
            let error = #expect(throws: StoreCheck.Failure.self) { try DatabaseUpdateStore.check.run(on: path) }
            let isNamed = error?.description.contains("of the table '\(table)': ") == true
            #expect(isNamed, "\(error?.description ?? "it is accepted")")
            #expect(error?.description.contains("restore a backup") == false, "a copy is no store that runs")
        }
    }

    @Test func aCopyOfEachEarlierVersionIsCorrect() throws {
        for version in 1...UpdateMigrations.all.count {
            try withDatabasePath { path in
                try Database.open(path: path, migrations: Array(UpdateMigrations.all.prefix(version))).close()
                try DatabaseUpdateStore.check.run(on: path)
            }
        }
    }
}
