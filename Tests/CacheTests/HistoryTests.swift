// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import ServiceEngine
import TestSupport
import Testing
import WidgetSchema

@testable import Cache

/// Tests of the history that the store keeps and trims.
@Suite final class HistoryTests {
    private let folder: TemporaryFolder
    private let store: CacheStore
    private let widget = CacheFixture.widget(0)
    private var pushes: UInt64 = 0

    init() throws {
        folder = try TemporaryFolder()
        store = try CacheStore(path: folder.url.appending(path: "cache.sqlite").path)
    }

    /// Returns the content digests of a widget's kept cycles, oldest first.
    private func kept(_ widget: WidgetID) throws -> [ContentDigest?] {
        try store.cycles(of: widget, from: .zero).map(\.content)
    }

    @discardableResult
    private func commit(_ step: CacheStep) throws -> Trimmed { try store.write(step.writes) }

    private func start(
        urls: [String] = ["https://example.org/0"],
        _ limits: (inout HistoryLimits) -> Void = { _ in }
    ) throws -> CacheFixture {
        let cache = CacheFixture(CacheFixture.plan(urls) { limits(&$0.history) })
        try commit(cache.feed(.start))
        return cache
    }

    private func push(_ text: String, to cache: CacheFixture, _ widget: WidgetID? = nil) throws -> Trimmed {
        pushes += 1
        return try commit(cache.push([text], counter: pushes, to: widget ?? self.widget))
    }

    @Test func theNewestCyclesAreKeptAlsoAcrossAJumpOfNumbers() throws {
        let cache = try start { $0.cycles = 3 }
        for text in ["a", "b", "c"] { _ = try push(text, to: cache) }
        #expect(try kept(widget) == ["a", "b", "c"].map(CacheFixture.digest))
        // A restored store numbers anew, far beyond.
        cache.now = cache.now.advanced(byMilliseconds: 3_600_000)
        cache.stored.wasRestored = true
        try commit(cache.restart())
        #expect(try kept(widget) == ["b", "c", "c"].map(CacheFixture.digest))
        #expect(try store.content(CacheFixture.digest("a")) == nil)
    }

    @Test func whatIsTooOldGoesWithinAnHourAndTheNewestStays() throws {
        let day: Int64 = 24 * 3_600_000
        let cache = try start { $0.age = .milliseconds(day) }
        for text in ["a", "b"] { _ = try push(text, to: cache) }
        #expect(try kept(widget).count == 3)
        try commit(cache.pass(day - 1000))
        #expect(try kept(widget).count == 3)
        let trimmed = try commit(cache.pass(3_600_000))
        #expect(try kept(widget) == [CacheFixture.digest("b")])
        #expect(trimmed == Trimmed(cycles: 2, contents: 1))
        #expect(try store.content(CacheFixture.digest("a")) == nil)
        #expect(try store.content(CacheFixture.digest("b")) != nil)
    }

    @Test func eachWidgetHasItsTurnOnceAnHour() throws {
        let cache = try start(urls: (0..<300).map { "https://example.org/\($0)" })
        var turns: [WidgetID: Int] = [:]
        for _ in 0..<120 {
            for case .trimHistory(let widgets, _) in cache.pass(30_000).writes {
                for widget in widgets { turns[widget, default: 0] += 1 }
            }
        }
        #expect(turns.count == 300)
        #expect(Set(turns.values) == [1])
    }

    @Test func contentsOfASourceStayWithinTheirBytes() throws {
        let limit = 4000
        let cache = try start { $0.contentBytes = limit }
        var trimmed = Trimmed()
        var texts: [String] = []
        for number in 0..<40 {
            let text = String(repeating: "\(number % 10)", count: 300) + "\(number)"
            texts.append(text)
            let step = try push(text, to: cache)
            trimmed.cycles += step.cycles
            trimmed.contents += step.contents
            let held = try Set(kept(widget).compactMap(\.self)).reduce(0) { sum, digest in
                sum + (try store.content(digest)?.count ?? 0)
            }
            #expect(held <= limit)
            #expect(try kept(widget).last == CacheFixture.digest(text))
        }
        #expect(try kept(widget).count > 8, "as many as fit stay")
        #expect(trimmed.cycles > 20 && trimmed.contents > 20)
        let gone = try texts.filter { try store.content(CacheFixture.digest($0)) == nil }
        #expect(gone == Array(texts.prefix(gone.count)), "the oldest go first")
    }

    @Test func theNewestCycleIsKeptHoweverLargeItsContentIs() throws {
        let cache = try start { $0.contentBytes = 1000 }
        for letter in ["a", "b", "c"] { _ = try push(String(repeating: letter, count: 5000), to: cache) }
        #expect(try kept(widget) == [CacheFixture.digest(String(repeating: "c", count: 5000))])
    }

    @Test func aRemovedWidgetAndItsSourceLeaveNothingButThat() throws {
        let cache = try start(urls: ["https://example.org/0", "https://example.org/1"])
        let leases = try #require(cache.lease("r-1")).leases
        for lease in leases { try commit(cache.answer(lease, "of \(lease.url)")) }
        _ = try push("pushed", to: cache)
        cache.plan = CacheFixture.plan(["https://example.org/0"])
        try commit(cache.feed(.configure(CachePlan(widgets: [], limits: CacheFixture.limits))))
        for widget in [0, 1].map(CacheFixture.widget) { #expect(try kept(widget) == [nil]) }
        for text in ["of https://example.org/0", "of https://example.org/1", "pushed"] {
            #expect(try store.content(CacheFixture.digest(text)) == nil, "\(text) is forgotten")
        }
    }
}
