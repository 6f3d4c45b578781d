// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import ServiceEngine
import TestSupport
import Testing
import WidgetSchema

@testable import Cache
@testable import Storage

@Suite final class CacheStoreTests {
    private let folder: TemporaryFolder
    private var path: String { folder.url.appending(path: "cache.sqlite").path }

    init() throws { folder = try TemporaryFolder() }

    @Test func theEngineSeesTheOwnershipOfTheDatabase() throws {
        func ownership(_ store: some ServiceStore) -> Ownership? { store.ownership }
        #expect(ownership(try CacheStore(path: path)) != nil)
    }

    @Test func whoeverOpensTheStoreLastOwnsIt() throws {
        let old = try CacheStore(path: path)
        let write = CacheWrite.saveHost("example.org", HostRecord())
        try old.write([write])
        let new = try CacheStore(path: path)
        #expect(throws: StoreTakenOver.self) { try old.write([write]) }
        #expect(throws: StoreTakenOver.self, "also heads and answers") { try old.write([]) }
        try new.write([write])
        try new.write([])
        old.close()
        new.close()
    }

    @Test func aStoreOfAnEarlierVersionKeepsItsCyclesAndItsToken() throws {
        let id = CacheFixture.widget(0)
        let former = try Database.open(path: path, migrations: Array(CacheMigrations.all.prefix(5)))
        try former.transaction { transaction in
            try transaction.execute("UPDATE owner SET token = 7, commits = 11 WHERE id = 1")
            for sequence in [9, 10, 1_795_000_000_123] as [Int64] {
                try transaction.execute(
                    "INSERT INTO cycles (widget, sequence, first, event, content, at) VALUES ($1, $2, $2, $3, NULL, 5)",
                    [.text(id.rawValue), .integer(sequence), .blob(Data("\(sequence)".utf8))]
                )
            }
            try transaction.execute(
                "INSERT INTO commands (client, widget, counter, sequence, at) VALUES ('a', $1, '3', 10, 5)",
                [.text(id.rawValue)]
            )
        }
        try former.close()
        let store = try CacheStore(path: path)
        let state = try store.load()
        #expect(!state.wasRestored)
        #expect(state.commands.values.map(\.sequence) == [10])
        #expect(try store.cycles(of: id, from: 10).map(\.event) == [Data("10".utf8), Data("1795000000123".utf8)])
        #expect(try store.lastCycle(of: id)?.event == Data("1795000000123".utf8))
        let newer = try CacheStore(path: path)
        let error = #expect(throws: StoreTakenOver.self) { try store.write([]) }
        #expect(error == StoreTakenOver(path: path, service: "cache", token: 8, owner: 9))
        store.close()
        newer.close()
    }

    @Test func widgetsWithTheSameDisplaysShareOneStoredSet() throws {
        let cache = CacheFixture(CacheFixture.plan((0..<4).map { "https://\($0).example.org/" }))
        let store = try CacheStore(path: path)
        try store.write(cache.core.handle(.start, now: cache.now).writes)
        store.close()

        let again = try CacheStore(path: path)
        let state = try again.load()
        #expect(state.widgets.count == 4)
        let displays = cache.core.state.widgets[CacheFixture.widget(0)]?.displays
        #expect(state.widgets.values.allSatisfy { $0.displays == displays })
        #expect(try again.database.query("SELECT id FROM display_sets") { row in try row.text(0) }.count == 1)
        again.close()
    }

    @Test func displaysThatAnEarlierVersionStoredWithTheWidgetAreRead() throws {
        let cache = CacheFixture(CacheFixture.plan(["https://example.org/"]))
        _ = cache.core.handle(.start, now: cache.now)
        let record = try #require(cache.core.state.widgets[CacheFixture.widget(0)])
        try #require(!record.displays.isEmpty)
        // What the version stored: the record with its displays among its other fields.
        let fields = try WireJSON.encode(record).dropLast()
        let displays = try WireJSON.encode(record.displays)
        let json = fields + Data(",\"displays\":".utf8) + displays + Data("}".utf8)
        let former = try Database.open(path: path, migrations: Array(CacheMigrations.all.prefix(7)))
        try former.transaction { transaction in
            try transaction.execute(
                "INSERT INTO widgets (widget, state) VALUES ($1, $2)",
                [.text(CacheFixture.widget(0).rawValue), .blob(json)]
            )
        }
        try former.close()

        let store = try CacheStore(path: path)
        #expect(try store.load().widgets[CacheFixture.widget(0)] == record)
        try store.write([.saveWidget(CacheFixture.widget(0), record)])
        #expect(try store.load().widgets[CacheFixture.widget(0)] == record)
        store.close()
    }

    @Test func aFetchThatChangesNothingDoesNotWriteTheContentsOfItsSource() throws {
        let cache = CacheFixture(CacheFixture.plan(["https://example.org/"]))
        let store = try CacheStore(path: path)
        let digest = try #require(ContentDigest(rawValue: String(repeating: "a", count: 64)))
        let other = try #require(ContentDigest(rawValue: String(repeating: "b", count: 64)))
        try store.write(cache.core.handle(.start, now: cache.now).writes)
        let source = try #require(cache.core.state.sources.keys.first)
        var record = try #require(cache.core.state.sources[source])
        let held = SourceRecord.StoredContent(digest: digest, date: cache.now)
        record.contents = ["one": held, "two": held]
        try store.write([.saveSource(source, record)])
        for event in ["INSERT", "UPDATE", "DELETE"] { try store.refuse(event, on: "source_contents") }
        try store.write([.saveSource(source, record)])
        record.contents["two"] = SourceRecord.StoredContent(digest: other, date: cache.now)
        #expect(throws: StorageError.self, "a change is written") { try store.write([.saveSource(source, record)]) }
        record.contents["two"] = nil
        #expect(throws: StorageError.self, "a removal is written") { try store.write([.saveSource(source, record)]) }
        store.close()
    }

    /// Checks that each kept cycle can be replayed with its content, and that each source has its content.
    ///
    /// The batches of pushes, fetches, failures and changes of the configuration are random.
    @Test(arguments: 0..<3, [false, true])
    func everyKeptCycleHasItsContent(seed: UInt64, onServer: Bool) throws {
        var random = SeededGenerator(seed: seed)
        let location =
            onServer
            ? StoreLocation.server(try PostgreSQLServer.running().makeDatabase()) : .folder(StoreFolder(folder.path))
        let store = try CacheStore(location)
        func plan(_ count: Int) -> CachePlan {
            // Widgets 0 to 2 share a source, the others have one each.
            CacheFixture.plan((0..<count).map { "https://\(max(2, $0)).example.org/" }) { $0.history.cycles = 3 }
        }
        let cache = CacheFixture(plan(6))
        /// Returns the JSON of a content.
        func content(_ number: Int) throws -> String {
            let items = [FeedItem(id: "\(number)", title: "t\(number)")]
            return String(decoding: try WireJSON.encode(Content.feed(FeedContent(items: items))), as: UTF8.self)
        }
        let empty = try store.load()
        cache.core = CacheCore(plan: plan(6), state: empty, nonce: "n0")
        var batch = cache.core.handle(.start, now: cache.now)
        func commit() throws {
            batch += cache.core.handle(.tick, now: cache.now)
            try store.write(batch.writes)
            batch = CacheStep()
        }
        try commit()
        var counter: UInt64 = 0
        for step in 0..<90 {
            cache.now = cache.now.advanced(byMilliseconds: Int64.random(in: 0...90_000, using: &random))
            for _ in 0..<Int.random(in: 1...5, using: &random) {
                counter += 1
                let widget = CacheFixture.widget(Int.random(in: 0..<6, using: &random))
                let text = try content(Int.random(in: 0..<5, using: &random))
                switch Int.random(in: 0..<10, using: &random) {
                case 0..<4:
                    let request = PushRequest(
                        client: "s",
                        counter: counter,
                        widget: widget,
                        content: .feed(FeedContent(items: [FeedItem(id: text, title: text)]))
                    )
                    let push = CacheInput.push(counter, request, CacheFixture.digest(text), Data(text.utf8))
                    batch += cache.core.handle(push, now: cache.now)
                case 4..<8:
                    guard let (source, lease) = cache.core.state.leases.sorted(by: { $0.key < $1.key }).first else {
                        break
                    }
                    let digest = CacheFixture.digest(text)
                    var fetched = Fetched(lease: lease.id, result: .content, answeredAt: cache.now)
                    fetched.contents = [ContentReference(parsing: "feed", digest: digest)]
                    fetched.bodyDigest = digest
                    let input = CacheInput.fetched(source, fetched, contents: [digest: Data(text.utf8)])
                    batch += cache.core.handle(input, now: cache.now)
                case 8:
                    let request = CommandRequest(client: "a", counter: counter, widget: widget, command: .refresh)
                    batch += cache.core.handle(.command(counter, deadlineMilliseconds: 1000, request), now: cache.now)
                default:
                    let request = LeaseRequest(slots: 3)
                    batch += cache.core.handle(
                        .lease(counter, requestID: "r-\(counter)", deadlineMilliseconds: 4000, request),
                        now: cache.now
                    )
                }
            }
            try commit()
            if step % 30 == 29 {
                // A core that starts from the store goes on where the other ended.
                let loaded = try store.load()
                #expect(loaded == cache.core.state)
                let plan = plan(Int.random(in: 3...6, using: &random))
                cache.core = CacheCore(plan: plan, state: loaded, nonce: "n\(step)")
                batch = cache.core.handle(.start, now: cache.now)
                try commit()
                let copy = folder.url.appending(path: "copy-\(step)").path
                try location.backUp("cache", to: copy)
                try CacheStore.check.run(on: copy)
            }
            for (widget, record) in cache.core.state.widgets {
                let kept = try store.cycles(of: widget, from: .zero)
                #expect(!kept.isEmpty && kept.count <= 3)
                for cycle in kept {
                    let event = try WireJSON.decode(Event<Refreshed>.self, from: cycle.event)
                    guard let digest = event.data.content?.digest else { continue }
                    #expect(try store.content(digest) != nil, "\(widget) lacks \(digest.short)")
                }
                #expect(try store.cycle(of: widget, at: record.head) != nil)
            }
            let held = cache.core.state.sources.values.flatMap(\.contents.values).map(\.digest)
            for digest in held { #expect(try store.content(digest) != nil) }
            let named = try cache.core.state.widgets.keys.flatMap { try store.cycles(of: $0, from: .zero) }
                .compactMap(\.content)
            let all = try (0..<5).map { CacheFixture.digest(try content($0)) }
            for digest in all where !(held + named).contains(digest) {
                #expect(try store.content(digest) == nil, "nothing refers to \(digest.short)")
            }
        }
        store.close()
    }
}
