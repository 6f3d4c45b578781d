// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import ServiceEngine
import Storage
import TestSupport
import Testing
import WidgetSchema

@testable import Notifier

/// Copies of the notifier's store in which one value is not what the notifier writes.
@Suite struct NotifierStoreCheckTests {
    private let folder: TemporaryFolder
    private var path: String { folder.url.appending(path: "notifier.sqlite").path }

    init() throws { folder = try TemporaryFolder() }

    // The stores contain the texts of the migrations that made them; `OwnerRow` has one of them.
    @Test func theTextsOfTheMigrationsNeverChange() {
        let digest = CheckedStore.digest(NotifierMigrations.all, without: 2)
        #expect(digest == "9a2c554f78cc35b739347d59bdeee08fec9c42e5f26a787021add06fe4a5055f")
    }

    /// Makes a store with two updates of one widget and one of another.
    private func fill(_ path: String) throws {
        let store = try NotifierStore(path: path)
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
        try fill(path)
        let rows = try CheckedStore(path, by: NotifierStore.check).rows()
        #expect(rows["widget_update"] == 3)
        #expect(Set(NotifierStore.tableChecks.map(\.table)) == Set(rows.keys))
        try NotifierStore.check.run(on: path)
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
        try fill(path)
        let table = change.prefix { $0 != " " }
        let refusal = try CheckedStore(path, by: NotifierStore.check).refusal(after: change)
        #expect(refusal?.contains("of the table '\(table)': ") == true, "\(refusal ?? "it is accepted")")
        #expect(refusal?.contains("restore a backup") == false, "a copy is no store that runs")
    }

    @Test func aCopyOfEachEarlierVersionIsCorrect() throws {
        try CheckedStore.expectCorrect(NotifierMigrations.all, by: NotifierStore.check)
    }
}
