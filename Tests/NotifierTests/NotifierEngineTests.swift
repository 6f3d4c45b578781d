// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import EventStreams
import Foundation
import ServiceEngine
import Storage
import TestSupport
import Testing
import WidgetSchema

@testable import Notifier

@Suite struct NotifierEngineTests {
    private let folder: TemporaryFolder
    private var path: String { folder.url.appending(path: "notifier.sqlite").path }

    init() throws { folder = try TemporaryFolder() }

    private func makeEngine(_ store: FlakyStore) -> NotifierEngine { Engine(store: store, pool: NoWorkers()) }

    private func withEngine(_ body: (FlakyStore, inout NotifierEngine) throws -> Void) throws {
        let database = try NotifierStore(path: path, history: 3)
        let store = FlakyStore(database)
        var engine = makeEngine(store)
        try body(store, &engine)
        database.close()
    }

    /// Runs a batch and returns its effects; nil if it could not be committed.
    private func run(
        _ engine: inout NotifierEngine,
        _ inputs: [NotifierInput],
        at milliseconds: Int64
    ) throws -> [NotifierEffect]? {
        guard case .perform(let effects) = try engine.run(inputs, at: milliseconds) else { return nil }
        return effects
    }

    private func perform(
        _ engine: inout NotifierEngine,
        _ inputs: [NotifierInput],
        at milliseconds: Int64
    ) throws -> [NotifierEffect] {
        try #require(try run(&engine, inputs, at: milliseconds))
    }

    /// Returns the updates that are published or published again, in order.
    private func updates(_ effects: [NotifierEffect], _ store: FlakyStore) throws -> [Data] {
        try effects.compactMap { effect in
            switch effect {
            case .publish(let topic, let event) where topic.text.hasPrefix(Topic.Prefix.update): event
            case .republish(let widget): try store.lastUpdate(of: widget)?.event
            default: nil
            }
        }
    }

    private func asks(_ effects: [NotifierEffect]) -> [CatchUpRequest] {
        effects.compactMap { if case .ask(let ask, of: _) = $0 { ask } else { nil } }
    }

    private func records(_ effects: [NotifierEffect], _ store: FlakyStore) throws -> Records<Update> {
        let pages = try effects.compactMap { effect in
            switch effect {
            case .answerReplay(_, let from): try UpdatePage.replay(from: from, of: store)
            case .answerSnapshot(_, let widgets, let end): try UpdatePage.snapshot(of: widgets, end: end, in: store)
            default: nil
            }
        }
        #expect(pages.count == 1)
        return try WireJSON.decode(Answer<Records<Update>>.self, from: try #require(pages.first).json).get()
    }

    @Test func aBatchIsOneTransactionAndItsUpdatesComeInOrder() throws {
        try withEngine { store, engine in
            let inputs = try (1...5).map { try cycle($0, "shown \($0)", of: blog) }
            let outputs = try perform(&engine, inputs, at: 0)
            #expect(store.commits == 1)
            let ranges = try updates(outputs, store).map {
                try WireJSON.decode(Event<Update>.self, from: $0).range?.sequence
            }
            #expect(ranges == [1, 2, 3, 4, 5])
        }
    }

    @Test func aRestartPublishesTheLastUpdatesAgainByteForByte() throws {
        try withEngine { store, engine in
            let (blog, news) = (try widget("blog"), try widget("news"))
            let inputs = [try cycle(1, "a", of: blog), try cycle(2, "b", of: blog), try cycle(1, "c", of: news)]
            let published = try updates(try perform(&engine, inputs, at: 0), store)
            var restarted = makeEngine(store)
            let again = try perform(&restarted, [], at: 60_000)
            #expect(try updates(again, store) == [published[1], published[2]])
            #expect(asks(again).map(\.from) == [[blog: 3, news: 2]], "and it asks for what it missed")

            let same = try perform(&restarted, [try cycle(2, "b", of: blog), try cycle(3, "b", of: blog)], at: 60_001)
            let update = try WireJSON.decode(Event<Update>.self, from: try #require(try updates(same, store).first))
            #expect(try updates(same, store).count == 1)
            #expect(update.range?.sequence == 3 && update.data.result == .noData && update.data.previousNewData == 2)
        }
    }

    @Test(arguments: [FlakyStore.Failure.before, .after])
    func aFailedCommitDiscardsTheWholeBatch(failure: FlakyStore.Failure) throws {
        try withEngine { store, engine in
            _ = try perform(&engine, [try cycle(1, "a", of: blog)], at: 0)
            store.failure = failure
            let batch = [try cycle(2, "b", of: blog), NotifierInput.replayRequested(1, from: [blog: 1])]
            #expect(try run(&engine, batch, at: 1000) == nil)

            store.failure = nil
            let outputs = try perform(&engine, [], at: 2000)
            let last = try #require(try updates(outputs, store).first)
            let range = try WireJSON.decode(Event<Update>.self, from: last).range?.sequence
            #expect(range == (failure == .before ? 1 : 2), "what the store holds is true")
            #expect(asks(outputs).map(\.from) == [[blog: failure == .before ? 2 : 3]])

            let replayed = try updates(try perform(&engine, [try cycle(2, "b", of: blog)], at: 2001), store)
            #expect(replayed.count == (failure == .before ? 1 : 0), "the change is announced once")
        }
    }

    @Test func aSnapshotEndsBeforeTheFirstUpdateOfAWidgetThatItLacks() throws {
        try withEngine { store, engine in
            let (blog, news) = (try widget("blog"), try widget("news"))
            let request = NotifierInput.snapshotRequested(1, widgets: nil, after: nil)
            let later = [try cycle(2, "b", of: blog), try cycle(1, "c", of: news)]
            let outputs = try perform(&engine, [try cycle(1, "a", of: blog), request] + later, at: 0)
            let snapshot = try records(outputs, store)
            let published = try updates(outputs, store).map { try WireJSON.decode(Event<Update>.self, from: $0) }
            #expect(published.map(\.subject) == ["blog", "blog", "news"])
            #expect(snapshot.records == [published[1]] && snapshot.end == published[0].offset)
        }
    }

    @Test func aReplayStartsAtTheNumberAskedForAndGivesThePublishedBytes() throws {
        try withEngine { store, engine in
            let inputs = try (1...5).map { try cycle($0, "shown \($0)", of: blog) }
            let published = try updates(try perform(&engine, inputs, at: 0), store).map {
                try WireJSON.decode(Event<Update>.self, from: $0)
            }
            let whole = try records(try perform(&engine, [.replayRequested(1, from: [blog: 4])], at: 1), store)
            #expect(whole == Records(records: Array(published[3...]), more: false, end: published[4].offset))

            let trimmed = try records(try perform(&engine, [.replayRequested(2, from: [blog: 2])], at: 2), store)
            #expect(try trimmed.records.map(\.range) == [range(2, 3), range(4, 4), range(5, 5)])
            #expect(trimmed.records.first?.data == published[2].data)
            #expect(trimmed.records.first?.id == "update/newData/blog/\(try range(2, 3))")

            let none = try records(try perform(&engine, [.replayRequested(3, from: [blog: 6])], at: 3), store)
            #expect(none == Records(records: [], more: false, end: published[4].offset))
        }
    }

    @Test func aReplayAndASnapshotComeInPages() throws {
        try withEngine { store, engine in
            let names = try (0..<5).map { try widget("w\($0)") }
            for sequence in 1...3 as ClosedRange<UInt64> {
                _ = try perform(&engine, try names.map { try cycle(sequence, "\(sequence)", of: $0) }, at: 0)
            }
            let size = try #require(try store.lastUpdate(of: names[0])).event.count
            var positions = StreamPositions()
            for name in names { _ = positions.handle(try range(9, 9), of: name, at: at(0), isReplayed: false) }
            var pages = 0
            while let ask = positions.nextRequest(at: at(Int64(pages))), pages < 20 {
                let json = try UpdatePage.replay(from: ask.from, of: store, limit: 4 * size).json
                let page = try WireJSON.decode(Answer<Records<Update>>.self, from: json).get()
                let ranges = try page.records.map { (try #require($0.widget), try #require($0.range)) }
                positions.answered(ask.id, records: ranges, more: page.more)
                for (widget, range) in ranges {
                    #expect(positions.handle(range, of: widget, at: at(0), isReplayed: true).isHandled)
                }
                pages += 1
                #expect(json == (try WireJSON.encode(Answer.result(page))), "the bytes are those of the coder")
            }
            #expect(pages > 3)
            #expect(names.allSatisfy { positions[$0] == 3 })

            let snapshot = try UpdatePage.snapshot(of: names, end: store.end(), in: store, limit: 2 * size + 10).json
            let first = try WireJSON.decode(Answer<Records<Update>>.self, from: snapshot).get()
            #expect(first.more && first.records.map(\.widget) == Array(names[..<2]))
            let rest = try records(
                try perform(&engine, [.snapshotRequested(1, widgets: nil, after: names[1])], at: 9),
                store
            )
            #expect(!rest.more && rest.records.map(\.widget) == Array(names[2...]))
        }
    }
}
