// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import ServiceEngine
import TestSupport
import Testing
import WidgetSchema

@testable import Cache

@Suite final class CyclePageTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }
    private let cache = CacheFixture(CacheFixture.plan((0..<3).map { "https://\($0).example.org/" }))

    /// Returns a store in which each widget has its start and a cycle with a content.
    ///
    /// The content of the widget with a number is stored if `keeps` returns true for the number.
    private func store(keeps: (Int) -> Bool = { _ in true }) throws -> CacheStore {
        let store = try CacheStore(path: folder.url.appending(path: "cache.sqlite").path)
        var step = cache.core.handle(.start, now: cache.now)
        for number in 0..<3 {
            var push = cache.push(["post \(number)"], counter: 1, to: CacheFixture.widget(number))
            if !keeps(number) { push.writes.removeAll { if case .storeContent = $0 { true } else { false } } }
            step += push
        }
        try store.write(step.writes)
        return store
    }

    private var widgets: [WidgetID] { (0..<3).map { CacheFixture.widget($0) } }

    @Test func aSnapshotHasTheLastRecordOfEachWidgetWithItsContent() throws {
        let store = try store()
        let page = try CyclePage.snapshot(of: widgets, in: store)
        #expect(page.answer.records.map(\.widget) == widgets)
        #expect(page.answer.records.map { $0.range?.sequence } == widgets.map { cache.core.state.widgets[$0]?.head })
        #expect(page.frames.count == 3)
        #expect(!page.answer.more)
        #expect(page.lacking.isEmpty)
    }

    @Test func aPageEndsBeforeTheRecordThatDoesNotFit() throws {
        let store = try store()
        let from = Dictionary(uniqueKeysWithValues: widgets.map { ($0, SequenceNumber(1)) })
        let whole = try CyclePage.replay(from: from, of: store)
        #expect(whole.answer.records.count == 6)
        let first = try CyclePage.replay(from: from, of: store, limit: 1)
        #expect(first.answer.records.count == 1, "the first one goes in whatever its size")
        #expect(first.answer.more)
        #expect(first.frames.isEmpty, "the content behind the end of the page is not in it")
    }

    @Test func aContentThatIsMissingCostsItsOwnRecordOnly() throws {
        let store = try store { $0 != 1 }
        let page = try CyclePage.replay(
            from: Dictionary(uniqueKeysWithValues: widgets.map { ($0, SequenceNumber(1)) }),
            of: store
        )
        #expect(page.answer.records.count == 6)
        #expect(page.lacking.map(\.widget) == [widgets[1]])
        let record = try #require(page.answer.records.last { $0.widget == widgets[1] })
        #expect(record.data.content == nil && record.data.contentSequence == nil && record.data.contentDate == nil)
        #expect(page.answer.records.filter { $0.data.content != nil }.count == 2)
        #expect(page.answer.contents?.count == 2 && page.frames.count == 2)
    }

    @Test func aCycleWhoseContentIsMissingIsReportedByThePageThatHasTheCycle() throws {
        let store = try store { $0 != 1 }
        let first = try CyclePage.snapshot(of: widgets, in: store, limit: 1)
        #expect(first.answer.records.map(\.widget) == [widgets[0]])
        #expect(first.lacking.isEmpty)
        let second = try CyclePage.snapshot(of: widgets.dropFirst(), in: store, limit: 1)
        #expect(second.lacking.map(\.widget) == [widgets[1]])
    }
}
