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
    private let folder: TemporaryFolder
    private let widget = CacheFixture.widget(0)
    private let cache = CacheFixture(CacheFixture.plan(["https://example.org/"]))
    private var path: String { folder.url.appending(path: "cache.sqlite").path }

    init() throws { folder = try TemporaryFolder() }

    private func store(onServer: Bool = false) throws -> CacheStore {
        onServer
            ? try CacheStore(.server(try PostgreSQLServer.running().makeDatabase())) : try CacheStore(path: path)
    }

    private func start(_ plan: CachePlan? = nil) -> [CacheWrite] { cache.restart(plan).writes }

    /// Returns the writes of a command, which makes a cycle at once.
    private func expand(_ counter: UInt64) -> [CacheWrite] {
        cache.command(.setExpanded(counter % 2 == 1), counter: counter).writes
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

    @Test func theLastChangeOfABatchIsStored() throws {
        let store = try store()
        try store.write(start() + expand(1))
        #expect(try store.load().widgets[widget] == cache.core.state.widgets[widget], "the first cycle and another one")
        let without = CacheWrite.saveWidget(widget, try stateWithoutCycle())
        try store.write([without] + expand(2) + expand(3))
        #expect(try store.load().widgets[widget] == cache.core.state.widgets[widget], "a cycle is last")
        let cycle = expand(4)
        try store.write(cycle + [.saveWidget(widget, try stateWithoutCycle())])
        #expect(try store.load().widgets[widget]?.advances == true, "a change without a cycle is last")
        #expect(try store.cycles(of: widget, from: .zero).count == 5)
        store.close()
    }

    @Test func aCycleDoesNotWriteTheRowOfItsWidget() throws {
        let store = try store()
        try store.write(start())
        for event in ["INSERT", "UPDATE"] { try store.refuse(event, on: "widgets") }
        let without = CacheWrite.saveWidget(widget, try stateWithoutCycle())
        try store.write([without] + expand(1))
        #expect(throws: StorageError.self, "a change without a cycle is written to the row") {
            try store.write([without])
        }
        store.close()
    }

    @Test func theStateOutlivesTheCyclesThatAreTrimmed() throws {
        let store = try store()
        var limits = CacheFixture.limits.history
        limits.cycles = 1
        try store.write([.limitHistory(limits)] + start().filter { if case .limitHistory = $0 { false } else { true } })
        try store.write(expand(1) + expand(2))
        #expect(try store.cycles(of: widget, from: .zero).count == 1)
        #expect(try store.load().widgets[widget] == cache.core.state.widgets[widget])
        let without = try stateWithoutCycle()
        try store.write([
            .saveWidget(widget, without), .trimHistory([widget], before: cache.now.advanced(byMilliseconds: 1_000)),
        ])
        #expect(try store.load().widgets[widget] == without)
        store.close()
    }

    @Test(arguments: [false, true])
    func theStateOfAWidgetThatWasRemovedIsKept(onServer: Bool) throws {
        let store = try store(onServer: onServer)
        cache.core = CacheCore(plan: cache.plan, state: try store.load(), nonce: "n")
        try store.write(cache.feed(.start).writes)
        try store.write(expand(1))
        try store.write(start(CacheFixture.plan([])))
        #expect(try store.cycles(of: widget, from: .zero).count == 1)
        let widgets = try store.load().widgets
        #expect(widgets[widget]?.isRemoved == true)
        #expect(widgets == cache.core.state.widgets)
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

    private func plan(_ display: String) -> CachePlan {
        var plan = CacheFixture.plan(["https://example.org/"])
        plan.widgets[widget]?.displays = [CacheFixture.display(display)]
        return plan
    }

    /// Returns the ids of the stored sets of displays.
    private func sets(in store: CacheStore) throws -> [String] {
        try store.database.query("SELECT id FROM display_sets ORDER BY id") { row in try row.text(0) }
    }

    @Test(arguments: [false, true])
    func setsOfDisplaysThatNoWidgetHasAnyMoreAreDeletedAtTheNextStart(onServer: Bool) throws {
        let location: StoreLocation =
            onServer ? .server(try PostgreSQLServer.running().makeDatabase()) : .folder(StoreFolder(folder.path))
        func reopen(_ store: CacheStore, _ expected: [String]) throws -> CacheStore {
            store.close()
            let next = try CacheStore(location)
            #expect(try next.load().widgets == cache.core.state.widgets)
            #expect(try sets(in: next) == expected)
            return next
        }
        var store = try CacheStore(location)
        try store.write(start(plan("phone")))
        try store.write(start(plan("panel")))
        try store.write(start(plan("phone")))
        #expect(try sets(in: store) == ["1", "2"])
        store = try reopen(store, ["1"])
        store = try reopen(store, ["1"])
        // The watch gets the id of the panel's set, to which an older cycle still refers.
        try store.write(start(plan("watch")))
        #expect(try sets(in: store) == ["1", "2"])
        store = try reopen(store, ["2"])
        store.close()
    }

    @Test func aStoreThatCannotBeWrittenCanBeReadAgain() throws {
        let store = try store()
        try store.write(start(plan("phone")))
        #expect(try store.load().widgets == cache.core.state.widgets)
        try store.write(start(plan("panel")))
        try store.refuse("DELETE", on: "display_sets")
        #expect(try store.load().widgets == cache.core.state.widgets)
        store.close()
    }

    @Test func aSetOfDisplaysWhoseCommitFailedIsStoredWithTheNextCycle() throws {
        let store = try store()
        try store.write(start(plan("phone")))
        try store.refuse("INSERT", on: "cycles")
        let writes = start(plan("panel"))
        #expect(throws: StorageError.self) { try store.write(writes) }
        _ = try store.load()
        try store.database.transaction { try $0.execute("DROP TRIGGER no_INSERT_cycles") }
        try store.write(writes)
        #expect(try store.load().widgets == cache.core.state.widgets)
        #expect(try sets(in: store) == ["1", "2"])
        store.close()
    }
}
