// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Storage
import WidgetSchema

/// The decoders of the rows of the cache's tables; each throws an error that names the column.
enum CacheRows {
    /// The columns of a widget with its newest state; see `newestJoin`.
    static let newestColumns = [
        "widgets.widget", "CASE WHEN \(isInCycle) THEN cycles.state ELSE widgets.state END", newestDisplays,
    ]
    /// The id of the set of displays that belongs to a widget's newest state.
    static let newestDisplays = "CASE WHEN \(isInCycle) THEN cycles.displays ELSE widgets.displays END"
    /// The clause that joins a widget with its newest cycle.
    ///
    /// The newest state is in this cycle, or in the widget's own row if that was written with this cycle or after it:
    /// see ``CacheWrite/keep``.
    static let newestJoin = """
        LEFT JOIN cycles ON cycles.widget = widgets.widget
        AND cycles.sequence = (SELECT MAX(sequence) FROM cycles WHERE cycles.widget = widgets.widget)
        """
    private static let isInCycle =
        "cycles.state IS NOT NULL AND (widgets.sequence IS NULL OR cycles.sequence > widgets.sequence)"

    static let sourceColumns = ["source", "state"]

    static func source(_ row: borrowing Row) throws -> (SourceID, SourceRecord) {
        (
            try valid(SourceID(rawValue: try row.text(0)), "sources.source"),
            try json(try row.blob(1), "sources.state")
        )
    }

    static let leaseColumns = ["source", "lease", "request", "expires", "host", "asks_configured"]

    static func lease(_ row: borrowing Row) throws -> (SourceID, LeaseRecord) {
        let record = LeaseRecord(
            id: try valid(LeaseID(rawValue: try row.text(1)), "leases.lease"),
            request: try row.text(2),
            expires: Instant(milliseconds: try row.integer(3)),
            host: try row.text(4),
            asksConfiguredAddress: try row.integer(5) != 0
        )
        return (try valid(SourceID(rawValue: try row.text(0)), "leases.source"), record)
    }

    static let hostColumns = ["host", "state"]

    static func host(_ row: borrowing Row) throws -> (String, HostRecord) {
        (try row.text(0), try json(try row.blob(1), "hosts.state"))
    }

    static let commandColumns = ["client", "widget", "counter", "sequence", "at", "body_digest"]

    static func command(_ row: borrowing Row) throws -> (CommandKey, CommandRecord) {
        let record = CommandRecord(
            counter: try valid(UInt64(try row.text(2)), "commands.counter"),
            sequence: try row.optionalUnsigned(3).map { SequenceNumber($0) },
            at: Instant(milliseconds: try row.integer(4)),
            bodyDigest: try row.optionalText(5).map { try valid(ContentDigest(rawValue: $0), "commands.body_digest") }
        )
        let widget = try valid(WidgetID(rawValue: try row.text(1)), "commands.widget")
        return (CommandKey(client: try row.text(0), widget: widget), record)
    }

    static let displaySetColumns = ["id", "displays"]

    static func displaySet(_ row: borrowing Row) throws -> (String, [Display]) {
        (try row.text(0), try json(try row.blob(1), "display_sets.displays"))
    }

    /// Returns a value; throws an error that names the column if the value is nil, because the column's text is invalid.
    static func valid<Value>(_ value: Value?, _ column: String) throws(CorruptStore) -> Value {
        guard let value else { throw CorruptStore(column: column) }
        return value
    }

    /// Decodes the JSON of a column.
    static func json<Value: Decodable>(_ bytes: Data, _ column: String) throws(CorruptStore) -> Value {
        do {
            return try WireJSON.decode(Value.self, from: bytes)
        } catch {
            throw CorruptStore(column: column, problem: "\(error)")
        }
    }
}
