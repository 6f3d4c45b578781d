// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import ServiceEngine
import TestSupport
import Testing
import WidgetSchema

@testable import Notifier
@testable import Storage

@Suite struct NotifierStoreTests {
    private let folder: TemporaryFolder
    private var path: String { folder.url.appending(path: "notifier.sqlite").path }

    init() throws { folder = try TemporaryFolder() }

    private func commit(_ sequence: UInt64, of widget: WidgetID, shown: String = "a") throws -> NotifierWrite {
        let state = WidgetState(digests: [try display("compact"): try digest(of: shown)], showedContent: true)
        let update = StoredUpdate(
            widget: widget,
            range: try range(sequence, sequence),
            result: .noData,
            offset: sequence,
            event: Data("{\(sequence)}".utf8)
        )
        return NotifierWrite(update: update, state: state)
    }

    @Test func whatIsCommittedIsThereAfterAReopening() throws {
        var last = try commit(SequenceNumber(.max).number, of: blog)
        last.state.lastNewData = 7
        last.state.announced = [try display("compact"): try digest(of: "a")]
        let store = try NotifierStore(path: path)
        var new = try commit(8, of: widget("new"))
        new.state.announced = [:]
        try store.commit([try commit(8, of: blog, shown: "b"), last, new])
        store.close()
        let reopened = try NotifierStore(path: path)
        #expect(
            try reopened.load().positions == [
                blog: WidgetPosition(sequence: SequenceNumber(.max), state: last.state),
                try widget("new"): WidgetPosition(sequence: 8, state: new.state),
            ]
        )
        #expect(try reopened.lastUpdate(of: blog)?.event == last.update.event)
        #expect(try reopened.updates(of: blog, from: 9).map(\.range) == [last.update.range])
        #expect(try reopened.updates(of: blog, from: 8).count == 2)
        #expect(try reopened.lastUpdate(of: widget("other")) == nil)
        reopened.close()
    }

    @Test(arguments: [false, true])
    func olderUpdatesAreTrimmedForEachWidgetAlone(onServer: Bool) throws {
        let (blog, news) = (try widget("blog"), try widget("news"))
        let store =
            onServer
            ? try NotifierStore(.server(try PostgreSQLServer.running().makeDatabase()), history: 3)
            : try NotifierStore(path: path, history: 3)
        try store.commit([try commit(1, of: news)])
        for sequence in 1...5 as ClosedRange<UInt64> { try store.commit([try commit(sequence, of: blog)]) }
        try store.commit(try (6...10).map { try commit($0, of: blog) })
        #expect(try store.updates(of: blog, from: 1).map(\.range.sequence.number) == [8, 9, 10])
        #expect(try store.updates(of: news, from: 1).count == 1)
        store.close()
    }

    @Test func whoeverOpensTheStoreLastOwnsIt() throws {
        let old = try NotifierStore(path: path)
        try old.commit([try commit(1, of: blog)])
        let new = try NotifierStore(path: path)
        for writes in [[try commit(2, of: blog)], []] {
            let failure = #expect(throws: StoreFailure.self) { try old.commit(writes) }
            guard case .takenOver(let reason) = failure else {
                Issue.record("a store that was taken over says \(failure as Any)")
                continue
            }
            let expected = StoreTakenOver(path: path, service: "notifier", token: 1, owner: 2)
            #expect(reason as? StoreTakenOver == expected)
        }
        try new.commit([try commit(2, of: blog)])
        #expect(try new.lastUpdate(of: blog)?.range.sequence == 2)
        old.close()
        new.close()
    }

    @Test func aStoreOfAnEarlierVersionKeepsItsUpdatesAndItsToken() throws {
        let former = try Database.open(path: path, migrations: [NotifierMigrations.all[0]])
        try former.transaction { transaction in
            try transaction.execute("UPDATE owner SET token = 7 WHERE id = 1")
            for sequence in [9, 10, 1_795_000_000_123] as [UInt64] {
                try transaction.execute(
                    "INSERT INTO widget_update (widget, sequence, first, result, event) VALUES ($1, $2, $3, $4, $5)",
                    [
                        .text(blog.rawValue), .text(SequenceNumber(sequence).description),
                        .text(SequenceNumber(sequence).description), "noData", .blob(Data("{}".utf8)),
                    ]
                )
            }
            try transaction.execute(
                "INSERT INTO widget (id, sequence, last_new_data, had_content, digests) VALUES ($1, $2, $3, 1, '{}')",
                [
                    .text(blog.rawValue), .text(SequenceNumber(1_795_000_000_123).description),
                    .text(SequenceNumber(10).description),
                ]
            )
        }
        try former.close()
        let store = try NotifierStore(path: path)
        let state = WidgetState(showedContent: true, lastNewData: 10)
        #expect(try store.load().positions == [blog: WidgetPosition(sequence: 1_795_000_000_123, state: state)])
        let sequences = try store.updates(of: blog, from: 10).map(\.range.sequence.number)
        #expect(sequences == [10, 1_795_000_000_123])
        let newer = try NotifierStore(path: path)
        let failure = #expect(throws: StoreFailure.self) { try store.commit([]) }
        let expected = StoreTakenOver(path: path, service: "notifier", token: 8, owner: 9)
        #expect(failure?.reason as? StoreTakenOver == expected)
        store.close()
        newer.close()
    }

    @Test func anUnreadableEpochIsReportedWithThePathOfTheDatabase() throws {
        let first = try NotifierStore(path: path)
        _ = try first.load()
        first.close()
        let owner = try FencedDatabase(
            StoreLocation.folder(StoreFolder(folder.path)),
            StoreSchema(service: "notifier", migrations: NotifierMigrations.all)
        )
        try owner.transaction { try $0.execute("UPDATE stream SET epoch = 'unknown' WHERE id = 1") }
        owner.close()
        let store = try NotifierStore(path: path)
        defer { store.close() }
        let failure = #expect(throws: (any Error).self) { try store.load() }
        #expect("\(failure as Any)".contains("\(path): the record of the stream is unreadable: 'unknown'"))
    }
}
