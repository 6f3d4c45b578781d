// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Configuration
import Foundation
import ServiceEngine
import Storage
import TestSupport
import Testing
import WidgetSchema

@testable import Cache

/// A store that was written when the options of a parsing were texts, opened with the configuration of that time.
///
/// `Fixtures/parsings.sql` contains the rows of a cache of commit 6cde7581 that ran with `Fixtures/parsings.yml`, which has
/// every option of every kind, and that had fetched each source once.
@Suite final class StoreUpgradeTests {
    private static let fixtures = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures")
    /// The time at which the store was written.
    private static let written = Instant(year: 2026, month: 11, day: 29, millisecondsOfDay: 82_080_000)
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static func rows(_ sql: String, in store: CacheStore) throws -> [String] {
        try store.database.query(sql) { row in try row.text(0) }
    }

    @Test func noContentIsDroppedAndNoOriginIsRequested() throws {
        let path = folder.url.appending(path: "cache.sqlite").path
        let former = try Database.open(path: path, migrations: Array(CacheMigrations.all.prefix(10)))
        try former.transaction { transaction in
            let sql = try String(contentsOf: Self.fixtures.appending(path: "parsings.sql"), encoding: .utf8)
            for line in sql.split(separator: "\n") where line.hasPrefix("INSERT") {
                try transaction.execute(String(line))
            }
        }
        try former.close()

        let configuration = try TidingsConfiguration.load(path: Self.fixtures.appending(path: "parsings.yml").path)
        var plan = CachePlan(configuration)
        (plan.limits.hostConcurrency, plan.limits.hostSpacing) = (64, .zero)
        let store = try CacheStore(path: path)
        let cache = CacheFixture(plan)
        cache.stored = try store.load()
        cache.now = Self.written
        let tables = [
            "SELECT digest FROM contents ORDER BY digest",
            "SELECT source || ' ' || parsing || ' ' || digest FROM source_contents ORDER BY source, parsing",
        ]
        let before = try tables.map { try Self.rows($0, in: store) }
        #expect(before[1].count == 18)

        try store.write(cache.restart().writes)
        for _ in plan.widgets { try store.write(cache.pass(0).writes) }
        #expect(cache.lease("f-1", slots: 64, parserVersion: 6) == nil, "no source is fetched before its interval")
        // The time for which the request waits ends.
        #expect(CacheFixture.leaseAnswers(cache.pass(5_000)).map(\.leases.count) == [0])
        #expect(try tables.map { try Self.rows($0, in: store) } == before)
        for widget in plan.widgets.values {
            let stored = cache.core.state.widgets[widget.id]
            #expect(stored?.content?.parsing == widget.parsing.key, "\(widget.id)")
        }
        #expect(cache.cycles.isEmpty)

        // The validators of the stored documents are sent, because no content is missing.
        cache.pass(3_600_000)
        let leases = try #require(cache.lease("f-2", slots: 64, parserVersion: 6)).leases
        #expect(leases.count == plan.sources.keys.count)
        #expect(leases.allSatisfy { $0.validators.entityTag != nil && $0.bodyDigest != nil })
        store.close()
    }
}
