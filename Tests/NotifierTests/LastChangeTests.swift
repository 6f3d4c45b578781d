// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import ServiceEngine
import Storage
import TestSupport
import Testing
import WidgetSchema

@testable import Notifier

/// Tests of the time at which each display last changed.
@Suite final class LastChangeTests {
    private var core: NotifierCore
    private let folder: TemporaryFolder
    private var path: String { folder.url.appending(path: "notifier.sqlite").path }

    init() throws { (core, folder) = (try NotifierCore(nonce: "n"), try TemporaryFolder()) }

    private func changes(_ event: Event<Update>) -> [String: Instant?] {
        Dictionary(uniqueKeysWithValues: event.data.displays.map { ($0.key.rawValue, $0.value.changed) })
    }

    @Test func eachDisplayKeepsTheTimeOfItsOwnLastChange() throws {
        func next(_ shown: [String: String], _ sequence: UInt64, at now: Int64) throws -> [String: Instant?] {
            let updates = try core.updates(.showing(shown), sequence, of: blog, now: at(now))
            return changes(try #require(updates.first))
        }
        #expect(try next(["compact": "a", "expanded": "a"], 1, at: 0) == ["compact": at(0), "expanded": at(0)])
        let other = ["compact": "a", "expanded": "b"]
        #expect(try next(other, 2, at: 5_000) == ["compact": at(0), "expanded": at(5_000)])
        #expect(try next(other, 3, at: 9_000) == ["compact": at(0), "expanded": at(5_000)])
        let added = try next(["compact": "a", "expanded": "b", "wall": "c"], 4, at: 20_000)
        #expect(added == ["compact": at(0), "expanded": at(5_000), "wall": at(20_000)])
    }

    @Test func aPlaceholderThatChangesIsAChangeAlthoughTheVerdictListsNone() throws {
        _ = try core.updates(.showing(["compact": "Loading"], isMissing: true), 1, of: blog, now: at(0))
        let update = try #require(
            try core.updates(.showing(["compact": "Refreshing"], isMissing: true), 2, of: blog, now: at(8_000)).first
        )
        #expect(update.data.changed.isEmpty)
        #expect(changes(update) == ["compact": at(8_000)])
    }

    @Test(arguments: [1, 999, 0, -3_600_000] as [Int64])
    func ofTwoChangesTheLaterOneHasTheLaterSecond(after milliseconds: Int64) throws {
        _ = try core.updates(.showing(["compact": "a"]), 1, of: blog, now: at(0))
        let second = try #require(
            try core.updates(.showing(["compact": "b"]), 2, of: blog, now: at(milliseconds)).first
        )
        #expect(changes(second) == ["compact": at(1_000)])
        let third = try #require(try core.updates(.showing(["compact": "c"]), 3, of: blog, now: at(milliseconds)).first)
        #expect(changes(third) == ["compact": at(2_000)])
    }

    @Test func aWidgetThatIsAddedAgainHasChanged() throws {
        _ = try core.updates(.showing(["compact": "a"]), 1, of: blog, now: at(0))
        #expect(try core.updates(.removed(), 2, of: blog, now: at(3_000)).first?.data.displays == [:])
        let again = try #require(try core.updates(.showing(["compact": "a"]), 3, of: blog, now: at(6_000)).first)
        #expect(changes(again) == ["compact": at(6_000)])
    }

    @Test func aShortenedUpdateKeepsTheTimes() throws {
        let name = try display("compact")
        var state = DisplayState(digest: try digest(of: "a"), height: 110, summary: "s")
        (state.changed, state.nextChange) = (at(1), at(2))
        let update = Update.sample(.newData, .visibleChange) {
            ($0.changed, $0.displays, $0.summary) = ([name], [name: state], String(repeating: "s", count: 2_000))
        }
        let event = Event(.update(.newData, blog), widget: blog, range: try range(1, 1), time: at(0), data: update)
        let (bytes, shortenedFrom) = try UpdateFrame.encode(event, limit: 1_000)
        let shortened = try WireJSON.decode(Event<Update>.self, from: bytes).data.displays[name]
        #expect(shortenedFrom != nil && shortened?.summary == nil)
        #expect(shortened?.changed == at(1) && shortened?.nextChange == at(2))
    }

    @Test(arguments: [false, true])
    func theTimesSurviveARestart(onServer: Bool) throws {
        let location: StoreLocation =
            onServer
            ? .server(try PostgreSQLServer.running().makeDatabase())
            : .folder(StoreFolder(folder.path))
        let store = try NotifierStore(location)
        var core = NotifierCore(end: try store.load().end, nonce: "n")
        let cycle = try LaidOut.showing(["compact": "a"]).event(try range(1, 1), of: blog)
        try store.commit(core.handle(.laidOut(cycle, of: blog), now: at(0)).writes)
        store.close()

        let again = try NotifierStore(location)
        defer { again.close() }
        let state = try again.load()
        var restarted = NotifierCore(state.positions, end: state.end, nonce: "m")
        let update = try #require(
            try restarted.updates(.showing(["compact": "a"]), 2, of: blog, now: at(60_000)).first
        )
        #expect(changes(update) == ["compact": at(0)])
    }

    @Test func inAStoreOfAnEarlierVersionTheTimeIsUnknownUntilTheNextChange() throws {
        let former = try Database.open(path: path, migrations: Array(NotifierMigrations.all.prefix(5)))
        try former.transaction { transaction in
            try transaction.execute(
                "INSERT INTO widget (id, sequence, last_new_data, had_content, digests) VALUES ($1, $2, $3, 1, $4)",
                [
                    .text(blog.rawValue), .unsigned(7), .unsigned(7),
                    .text("{\"compact\":\"\(try digest(of: "a"))\"}"),
                ]
            )
        }
        try former.close()
        let store = try NotifierStore(path: path)
        defer { store.close() }
        let state = try store.load()
        var core = NotifierCore(state.positions, end: state.end, nonce: "n")
        let same = try #require(try core.updates(.showing(["compact": "a"]), 8, of: blog).first)
        #expect(changes(same) == ["compact": nil])
        let changed = try #require(try core.updates(.showing(["compact": "b"]), 9, of: blog, now: at(4_000)).first)
        #expect(changes(changed) == ["compact": at(4_000)])
    }

    @Test(arguments: [false, true])
    func aPressDuringThePauseOfTheHostIsBlockedUntilItsEnd(isMissing: Bool) throws {
        _ = try core.updates(.showing(["compact": "a"], isMissing: isMissing), 1, of: blog)
        var pressed = try LaidOut.showing(["compact": "a"], outcome: .fresh, isMissing: isMissing)
        pressed.blockedUntil = at(3_600_000)
        let update = try #require(try core.updates(pressed, 2, of: blog).first)
        #expect(update.data.result == .noData && update.data.reason == .blocked)
        #expect(update.data.blockedUntil == at(3_600_000))
        // A visible change, such as the next value, is new data all the same.
        var moved = try LaidOut.showing(["compact": "b"], outcome: .fresh)
        moved.blockedUntil = at(3_600_000)
        #expect(try core.updates(moved, 3, of: blog).first?.data.result == .newData)
    }
}
