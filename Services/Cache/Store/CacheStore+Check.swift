// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Cryptography
import Foundation
import Storage
import WidgetSchema

extension CacheStore {
    static let schema = StoreSchema(service: ServiceName.cache.rawValue, migrations: CacheMigrations.all)

    /// The check of a copy of the store.
    static let check = StoreCheck(schema, tables: tableChecks)

    static let tableChecks = [
        TableCheck("widgets", ["widget", "state", "displays", "sequence"]) { row in
            _ = try CacheRows.valid(WidgetID(rawValue: try row.text(0)), "widgets.widget")
            let _: WidgetRecord = try CacheRows.json(try row.blob(1), "widgets.state")
            _ = try row.optionalText(2)
            _ = try row.optionalUnsigned(3)
        },
        TableCheck("contents", ["digest", "bytes"]) { row in
            let digest = try CacheRows.valid(ContentDigest(rawValue: try row.text(0)), "contents.digest")
            let bytes = try row.blob(1)
            guard SHA256.hexDigest(of: bytes) == digest.rawValue else {
                throw CorruptStore(column: "contents.bytes", problem: "the bytes do not have the digest \(digest)")
            }
            let _: Content = try CacheRows.json(bytes, "contents.bytes")
        },
        TableCheck("cycles", cycleColumns, checkCycle),
        TableCheck("sources", CacheRows.sourceColumns) { row in _ = try CacheRows.source(row) },
        TableCheck("source_contents", ["source", "parsing", "digest", isStored("source_contents.digest")]) { row in
            _ = try CacheRows.valid(SourceID(rawValue: try row.text(0)), "source_contents.source")
            _ = try row.text(1)
            _ = try CacheRows.valid(ContentDigest(rawValue: try row.text(2)), "source_contents.digest")
            try expectStored(try row.flag(3), "source_contents.digest")
        },
        TableCheck("leases", CacheRows.leaseColumns) { row in _ = try CacheRows.lease(row) },
        TableCheck("hosts", CacheRows.hostColumns) { row in _ = try CacheRows.host(row) },
        TableCheck("commands", CacheRows.commandColumns) { row in _ = try CacheRows.command(row) },
        TableCheck("display_sets", CacheRows.displaySetColumns) { row in _ = try CacheRows.displaySet(row) },
        TableCheck(
            "widgets",
            CacheRows.newestColumns
                + ["EXISTS (SELECT 1 FROM display_sets WHERE display_sets.id = \(CacheRows.newestDisplays))"],
            joining: CacheRows.newestJoin
        ) { row in
            if try row.optionalText(2) == nil {
                let _: InlineDisplays = try CacheRows.json(try row.blob(1), "widgets.state")
            } else if try !row.flag(3) {
                throw CorruptStore(column: "widgets.displays or cycles.displays", problem: "there is no such set")
            }
        },
    ]

    private static let cycleColumns = [
        "widget", "sequence", "first", "event", "content", "at", "state", "displays",
        "content IS NULL OR \(isStored("cycles.content"))",
    ]

    /// Returns the SQL expression that is true if the table `contents` has the content whose digest is in a column.
    private static func isStored(_ column: String) -> String {
        "EXISTS (SELECT 1 FROM contents WHERE contents.digest = \(column))"
    }

    private static func expectStored(_ isStored: Bool, _ column: String) throws(CorruptStore) {
        guard isStored else {
            throw CorruptStore(column: column, problem: "the table 'contents' has no content with this digest")
        }
    }

    /// Checks a row of the table `cycles`; the event must be that of the other columns.
    private static func checkCycle(_ row: borrowing Row) throws {
        let widget = try CacheRows.valid(WidgetID(rawValue: try row.text(0)), "cycles.widget")
        let range = try CacheRows.valid(
            SequenceRange(first: SequenceNumber(try row.unsigned(2)), sequence: SequenceNumber(try row.unsigned(1))),
            "cycles.first"
        )
        let event: Event<Refreshed> = try CacheRows.json(try row.blob(3), "cycles.event")
        guard event.widget == widget, event.range == range else {
            throw CorruptStore(column: "cycles.event", problem: "it is not the event of '\(widget)' with \(range)")
        }
        let content = try row.optionalText(4).map {
            try CacheRows.valid(ContentDigest(rawValue: $0), "cycles.content")
        }
        guard content == event.data.content?.digest else {
            throw CorruptStore(column: "cycles.content", problem: "it is not the digest of the event's content")
        }
        _ = try row.integer(5)
        if let state = try row.optionalBlob(6) { let _: WidgetRecord = try CacheRows.json(state, "cycles.state") }
        _ = try row.optionalText(7)
        try expectStored(try row.flag(8), "cycles.content")
    }
}
