// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import ServiceEngine
import Storage
import TestSupport
import Testing
import WidgetSchema

@testable import Cache

/// The state of a widget, which is stored with the widget's newest cycle or in the widget's own row.
@Suite final class StoredWidgetTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("widgets-\(UUID().uuidString)")
    private let widget = CacheFixture.widget(0)
    private let cache = CacheFixture(CacheFixture.plan(["https://example.org/"]))
    private var path: String { folder.appendingPathComponent("cache.sqlite").path }

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private func store(onServer: Bool = false) throws -> CacheStore {
        onServer
            ? try CacheStore(.server(try PostgreSQLServer.running().makeDatabase())) : try CacheStore(path: path)
    }

    private func start(_ plan: CachePlan? = nil) -> [CacheWrite] { Step(cache.restart(plan)).writes }

    /// Returns the writes of a command, which makes a cycle at once.
    private func expand(_ counter: UInt64) -> [CacheWrite] {
        Step(cache.command(.setExpanded(counter % 2 == 1), counter: counter)).writes
    }

    /// Returns the widget's state with a change that has no cycle.
    private func stateWithoutCycle() throws -> WidgetRecord {
        var record = try #require(cache.core.state.widgets[widget])
        record.advances = true
        return record
    }

    @Test(arguments: [false, true])
    func theNewestStateIsReadWhetherItWasStoredWithACycleOrWithoutOne(onServer: Bool) throws {
        let store = try store(onServer: onServer)
        func expectStored(_ record: WidgetRecord?, _ comment: Comment) throws {
            #expect(try store.load().widgets[widget] == record, comment)
        }
        try store.write(start())
        try expectStored(cache.core.state.widgets[widget], "after the first cycle")
        try store.write(expand(1))
        let expanded = try #require(cache.core.state.widgets[widget])
        try expectStored(expanded, "after another cycle")
        let without = try stateWithoutCycle()
        try store.write([.saveWidget(widget, without)])
        try expectStored(without, "after a change without a cycle")
        try store.write(expand(2))
        #expect(cache.core.state.widgets[widget] != expanded)
        try expectStored(cache.core.state.widgets[widget], "after a cycle that follows such a change")
        store.close()
    }

    @Test(arguments: [false, true])
    func theLastChangeOfABatchIsStored(isCycle: Bool) throws {
        let store = try store()
        try store.write(start())
        let without = CacheWrite.saveWidget(widget, try stateWithoutCycle())
        let cycles = expand(1) + expand(2)
        try store.write(isCycle ? [without] + cycles : cycles + [.saveWidget(widget, try stateWithoutCycle())])
        #expect(
            try store.load().widgets[widget] == (isCycle ? cache.core.state.widgets[widget] : try stateWithoutCycle())
        )
        #expect(try store.cycles(of: widget, from: .zero).count == 3)
        store.close()
    }

    @Test func aCycleDoesNotWriteTheRowOfItsWidget() throws {
        let store = try store()
        try store.write(start())
        for event in ["INSERT", "UPDATE"] {
            try store.database.transaction { transaction in
                try transaction.execute(
                    """
                    CREATE TRIGGER no_\(event) BEFORE \(event) ON widgets
                    BEGIN SELECT RAISE(ABORT, 'the row of the widget was written'); END
                    """
                )
            }
        }
        try store.write(expand(1))
        #expect(throws: StorageError.self, "a change without a cycle is written to the row") {
            try store.write([.saveWidget(widget, try stateWithoutCycle())])
        }
        store.close()
    }

    @Test func theStateOfAWidgetThatWasRemovedIsKept() throws {
        let store = try store()
        try store.write(start())
        try store.write(expand(1))
        try store.write(start(CacheFixture.plan([])))
        #expect(try store.cycles(of: widget, from: .zero).count == 1)
        let state = try store.load()
        #expect(state.widgets[widget]?.isRemoved == true)
        #expect(state == cache.core.state)
        store.close()
    }

    @Test func aRowOfAnEarlierVersionIsReadUntilTheNextCycle() throws {
        let writes = start()
        let record = try #require(cache.core.state.widgets[widget])
        let former = try Database.open(path: path, migrations: Array(CacheMigrations.all.prefix(9)))
        try former.transaction { transaction in
            try transaction.execute(
                "INSERT INTO display_sets (id, displays) VALUES ('digest', $1)",
                [.blob(try WireJSON.encode(record.displays))]
            )
            try transaction.execute(
                "INSERT INTO widgets (widget, state, displays) VALUES ($1, $2, 'digest')",
                [.text(widget.rawValue), .blob(try WireJSON.encode(record))]
            )
            for case .keep(let cycle, _) in writes {
                try transaction.execute(
                    "INSERT INTO cycles (widget, sequence, first, event, at) VALUES ($1, $2, $3, $4, 5)",
                    [
                        .text(widget.rawValue), .unsigned(cycle.range.sequence.number),
                        .unsigned(cycle.range.first.number), .blob(cycle.bytes),
                    ]
                )
            }
        }
        try former.close()
        let store = try store()
        #expect(try store.load().widgets[widget] == record)
        try store.write(expand(1))
        #expect(try store.load().widgets[widget] == cache.core.state.widgets[widget])
        #expect(try store.cycles(of: widget, from: .zero).count == 2)
        store.close()
    }

    @Test func setsOfDisplaysThatNoWidgetHasAnyMoreAreDeleted() throws {
        let store = try store()
        func sets() throws -> [String] {
            try store.database.query("SELECT id FROM display_sets ORDER BY id") { row in try row.text(0) }
        }
        func plan(_ display: String) -> CachePlan {
            var plan = CacheFixture.plan(["https://example.org/"])
            plan.widgets[widget]?.displays = [CacheFixture.display(display)]
            return plan
        }
        try store.write(start(plan("phone")))
        try store.write(start(plan("panel")))
        #expect(try sets() == ["1", "2"])
        #expect(try store.load().widgets == cache.core.state.widgets)
        #expect(try sets() == ["2"])
        // The older cycle has the id 1 of a set that was deleted; the next set gets another one.
        try store.write(start(plan("watch")))
        #expect(try sets() == ["2", "3"])
        #expect(try store.load().widgets == cache.core.state.widgets)
        #expect(try sets() == ["3"])
        store.close()
    }
}
