// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import ServiceEngine
import Storage
import TestSupport
import Testing
import WidgetSchema

@testable import Notifier

/// The stream of all widgets: one number for each update.
@Suite struct StreamOffsetTests {
    private let folder: TemporaryFolder
    private var path: String { folder.url.appending(path: "notifier.sqlite").path }

    init() throws { folder = try TemporaryFolder() }

    private func published(_ outcome: BatchOutcome<NotifierInput, NotifierEffect>) throws -> [Event<Update>] {
        guard case .perform(let effects) = outcome else { return [] }
        return try effects.compactMap { effect in
            guard case .publish(let topic, let json) = effect, topic.text.hasPrefix(Topic.Prefix.update) else {
                return nil
            }
            return try WireJSON.decode(Event<Update>.self, from: json)
        }
    }

    private func page(_ store: NotifierStore, since: StreamOffset, limit: Int = 1 << 20) throws -> Records<Update> {
        let json = try UpdatePage.updates(since: since, of: store, limit: limit).json
        return try WireJSON.decode(Answer<Records<Update>>.self, from: json).get()
    }

    @Test func eachUpdateOfAnyWidgetHasTheNumberAfterTheOneBefore() throws {
        var core = try NotifierCore(nonce: "n")
        var offsets: [StreamOffset?] = []
        for (name, sequence) in [("blog", 1), ("news", 1), ("blog", 2)] as [(String, UInt64)] {
            let laidOut = try LaidOut.showing(["compact": "\(sequence)"])
            offsets.append(try core.update(laidOut, sequence, of: try widget(name)).offset)
        }
        #expect(offsets == [try offset(1), try offset(2), try offset(3)])
    }

    @Test func aFailedCommitUsesUpNoNumber() throws {
        let database = try NotifierStore(path: path)
        let store = FlakyStore(database)
        var engine = NotifierEngine(store: store, pool: NoWorkers())
        #expect(try published(engine.run([try cycle(1, "a", of: blog)], at: 0)).map(\.offset?.number) == [1])
        store.failure = .before
        _ = try engine.run([try cycle(2, "b", of: blog)], at: 1)
        store.failure = nil
        let again = try published(engine.run([try cycle(2, "b", of: blog)], at: 60_000))
        #expect(again.map(\.offset?.number) == [2])
        #expect(try database.end().number == 2)
        database.close()
    }

    @Test func aTakeoverKeepsTheEpochAndARestoreReplacesIt() throws {
        let first = try NotifierStore(path: path)
        var engine = NotifierEngine(store: FlakyStore(first), pool: NoWorkers())
        let inputs = [try cycle(1, "a", of: blog), try cycle(2, "b", of: blog)]
        #expect(try published(engine.run(inputs, at: 0)).count == 2)
        let end = try first.end()
        let second = try NotifierStore(path: path)
        #expect(try second.end() == end)
        first.close()
        second.close()

        // Another file in the place of the one that was there.
        try FileManager.default.copyItem(atPath: path, toPath: path + ".copy")
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.moveItem(atPath: path + ".copy", toPath: path)
        let restored = try NotifierStore(path: path)
        let newEnd = try restored.load().end
        #expect(newEnd.epoch != end.epoch && newEnd.number == 1)
        let records = try page(restored, since: StreamOffset(epoch: newEnd.epoch, number: 0)).records
        #expect(records.map(\.offset) == [newEnd])
        #expect(records.map(\.range?.sequence) == [2])
        // The history stays.
        #expect(try restored.updates(of: blog, from: 1).count == 2)
        restored.close()
    }

    @Test func aReplayBehindAPositionIsCompleteAndAscendsPageByPage() throws {
        let store = try NotifierStore(path: path)
        var engine = NotifierEngine(store: FlakyStore(store), pool: NoWorkers())
        for sequence in 1...20 as ClosedRange<UInt64> {
            let inputs = try ["blog", "news", "quote"].map {
                try cycle(sequence, "\(sequence)", of: try widget($0))
            }
            #expect(try published(engine.run(inputs, at: Int64(sequence))).count == 3)
        }
        var position = StreamOffset(epoch: try store.end().epoch, number: 7)
        var numbers: [UInt64?] = []
        var pages = 0
        while true {
            let page = try page(store, since: position, limit: 4000)
            pages += 1
            numbers += page.records.map(\.offset?.number)
            #expect(page.end == (try store.end()))
            guard page.more, let last = page.records.last?.offset else { break }
            position = last
        }
        #expect(pages > 3)
        #expect(numbers == (8...60).map { UInt64($0) })
        store.close()
    }

    @Test func updatesThatAreNoLongerKeptComeAsOneRecordFromTheFirstCycleOn() throws {
        let store = try NotifierStore(path: path, history: 3)
        var engine = NotifierEngine(store: FlakyStore(store), pool: NoWorkers())
        let blog = try widget("blog")
        #expect(try published(engine.run([try cycle(1, "n", of: try widget("news"))], at: 0)).count == 1)
        for sequence in 1...10 as ClosedRange<UInt64> {
            _ = try engine.run([try cycle(sequence, "\(sequence)", of: blog)], at: Int64(sequence))
        }
        let epoch = try store.end().epoch
        let all = try page(store, since: StreamOffset(epoch: epoch, number: 0)).records
        #expect(all.map(\.offset?.number) == [1, 9, 10, 11])
        #expect(all.map(\.range) == [try range(1, 1), try range(1, 8), try range(9, 9), try range(10, 10)])
        // A reader that has the one before is told of single cycles.
        let rest = try page(store, since: StreamOffset(epoch: epoch, number: 9)).records
        #expect(rest.map(\.range) == [try range(9, 9), try range(10, 10)])
        store.close()
    }

    @Test func aPositionThatTheStreamDoesNotHaveIsRefused() throws {
        var core = NotifierCore(end: try offset(5), nonce: "n")
        let other = StreamOffset(epoch: try #require(StreamEpoch(rawValue: "00000000000000bb")), number: 1)
        for since in [other, try offset(6)] {
            guard
                case .refuse(7, let error) = core.handle(.updatesRequested(7, since: since), now: at(0)).effects.first
            else {
                Issue.record("\(since) was not refused")
                continue
            }
            #expect(error.code == .notFound)
        }
        let last = try offset(5)
        #expect(core.handle(.updatesRequested(8, since: last), now: at(0)).effects == [.answerUpdates(8, since: last)])
    }

    @Test func aStoreThatAlsoStoredItsLastOffsetKeepsItsEpochAndItsEnd() throws {
        let epoch = StreamEpoch.random()
        let old = try Database.open(path: path, migrations: Array(NotifierMigrations.all.prefix(4)))
        _ = try old.transaction { transaction in
            for number in [1, 2] as [Int64] {
                try transaction.execute(
                    """
                    INSERT INTO widget_update (widget, sequence, first, result, event, stream_offset)
                    VALUES ('blog', $1, $1, 'noData', $2, $3)
                    """,
                    [.unsigned(UInt64(number)), .blob(Data("{}".utf8)), .integer(number)]
                )
            }
            let insert = "INSERT INTO stream (id, epoch, last_offset) VALUES (1, $1, 2)"
            try transaction.execute(insert, [.text(epoch.rawValue)])
        }
        try old.close()
        let store = try NotifierStore(path: path)
        #expect(try store.load().end == StreamOffset(epoch: epoch, number: 2))
        store.close()
    }

    @Test func aStoreOfAVersionWithoutOffsetsNumbersTheLastUpdateOfEachWidget() throws {
        var update = try NotifierCore(nonce: "n").decided(try LaidOut.showing(["compact": "a"]), 1, of: blog)
        update.offset = nil
        let old = try Database.open(path: path, migrations: [NotifierMigrations.all[0]])
        _ = try old.transaction { transaction in
            try transaction.execute(
                "INSERT INTO widget_update (widget, sequence, first, result, event) VALUES ($1, $2, $2, $3, $4)",
                [
                    .text("blog"), .text(SequenceNumber(1).description), .text("newData"),
                    .blob(try WireJSON.encode(update)),
                ]
            )
        }
        try old.close()
        let store = try NotifierStore(path: path)
        let end = try store.load().end
        #expect(end.number == 1)
        let stored = try #require(try store.lastUpdate(of: blog))
        #expect(stored.offset == 1)
        #expect(try WireJSON.decode(Event<Update>.self, from: stored.event).offset == end)
        store.close()
    }
}

extension NotifierCore {
    /// Returns the update that a copy of the core decides for one cycle.
    fileprivate func decided(_ laidOut: LaidOut, _ sequence: UInt64, of widget: WidgetID) throws -> Event<Update> {
        var core = self
        return try core.update(laidOut, sequence, of: widget)
    }
}
