// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Storage
import WidgetSchema

extension CacheStore {
    /// Performs one write of a batch as part of `transaction`.
    ///
    /// `trim` removes the cycles that exceed the limits of the history, either now or at the end of the transaction.
    func perform(
        _ write: CacheWrite,
        in transaction: borrowing Transaction,
        _ trim: inout HistoryTrim
    ) throws {
        switch write {
        case .storeContent(let digest, let bytes):
            try transaction.enqueue(
                "INSERT INTO contents (digest, bytes) VALUES ($1, $2) ON CONFLICT (digest) DO NOTHING",
                [.text(digest.rawValue), .blob(bytes)]
            )
        case .saveWidget(let id, let record):
            try saveState(record, of: id, in: transaction)
        case .saveSource(let id, let record):
            try save(record, in: RecordTable(name: "sources", key: "source"), at: id.rawValue, transaction)
            try trim.replaceContents(of: id, by: record.contents.mapValues(\.digest), in: transaction)
        case .forgetSource(let id):
            try transaction.enqueue("DELETE FROM sources WHERE source = $1", [.text(id.rawValue)])
            bytesAddedSinceTrim[id] = nil
            try trim.replaceContents(of: id, by: [:], in: transaction)
        case .saveLease(let source, let lease):
            try transaction.enqueue(
                """
                INSERT INTO leases (source, lease, request, expires, host, asks_configured)
                VALUES ($1, $2, $3, $4, $5, $6)
                ON CONFLICT (source) DO UPDATE
                SET lease = excluded.lease, request = excluded.request, expires = excluded.expires,
                    host = excluded.host, asks_configured = excluded.asks_configured
                """,
                [
                    .text(source.rawValue), .text(lease.id.rawValue), .text(lease.request),
                    .integer(lease.expires.milliseconds), .text(lease.host),
                    .integer(lease.asksConfiguredAddress ? 1 : 0),
                ]
            )
        case .endLease(let source):
            try transaction.enqueue("DELETE FROM leases WHERE source = $1", [.text(source.rawValue)])
        case .saveHost(let host, let record):
            try save(record, in: RecordTable(name: "hosts", key: "host"), at: host, transaction)
        case .forgetHost(let host):
            try transaction.enqueue("DELETE FROM hosts WHERE host = $1", [.text(host)])
        case .forgetRestore:
            try database.acceptRestore(in: transaction)
        case .saveCommand(let key, let record):
            try transaction.enqueue(
                """
                INSERT INTO commands (client, widget, counter, sequence, at, body_digest) VALUES ($1, $2, $3, $4, $5, $6)
                ON CONFLICT (client, widget) DO UPDATE SET counter = excluded.counter, sequence = excluded.sequence,
                    at = excluded.at, body_digest = excluded.body_digest
                """,
                [
                    .text(key.client), .text(key.widget.rawValue), .text(String(record.counter)),
                    .unsigned(record.sequence?.number), .integer(record.at.milliseconds),
                    .text(record.bodyDigest?.rawValue),
                ]
            )
        case .trimContents(let source, let widgets, let added):
            // The contents are counted only after at least an eighth of the limit was added. They are then cut to seven
            // eighths, so that the next eighth fits too.
            guard let limit = history?.contentBytes else { break }
            let step = limit / 8
            let bytes = bytesAddedSinceTrim[source].map { $0 + added }
            guard bytes ?? .max > step else {
                bytesAddedSinceTrim[source] = bytes
                return
            }
            bytesAddedSinceTrim[source] = 0
            try trim.trimContents(of: widgets, to: limit - step, in: transaction)
        case .trimHistory(let widgets, let horizon):
            for widget in widgets { try trim.removeCycles(of: widget, before: horizon, in: transaction) }
        case .forgetCommands(let horizon):
            try transaction.enqueue("DELETE FROM commands WHERE at < $1", [.integer(horizon.milliseconds)])
        case .limitHistory(let limits): history = limits
        case .keep(let cycle, let record): try keep(cycle, record, in: transaction, &trim)
        }
    }

    /// A table that has one record as JSON for each key.
    private struct RecordTable {
        let name: StaticString
        /// The name of the column of the keys.
        let key: StaticString
    }

    private func save(
        _ record: some Encodable,
        in table: RecordTable,
        at key: String,
        _ transaction: borrowing Transaction
    ) throws {
        try transaction.enqueue(
            """
            INSERT INTO \(table.name) (\(table.key), state) VALUES ($1, $2)
            ON CONFLICT (\(table.key)) DO UPDATE SET state = excluded.state
            """,
            [.text(key), .blob(try WireJSON.encode(record))]
        )
    }

    /// Stores the state of a widget in the widget's row.
    private func saveState(
        _ record: WidgetRecord,
        of id: WidgetID,
        in transaction: borrowing Transaction
    ) throws {
        try transaction.enqueue(
            """
            INSERT INTO widgets (widget, state, displays, sequence) VALUES ($1, $2, $3, $4)
            ON CONFLICT (widget) DO UPDATE
            SET state = excluded.state, displays = excluded.displays, sequence = excluded.sequence
            """,
            [
                .text(id.rawValue), .blob(try WireJSON.encode(record)),
                .text(try displaySets.id(of: record.displays, in: transaction)), .unsigned(record.head.number),
            ]
        )
    }

    /// Stores a cycle with the state of its widget after it.
    ///
    /// Only the first cycle of a widget writes the widget's own row. The rows of widgets that change at the same time are
    /// usually in different pages, each of which would have to be read, written to the log, and moved into the file.
    /// Cycles, however, are appended.
    private func keep(
        _ cycle: NewCycle,
        _ record: WidgetRecord,
        in transaction: borrowing Transaction,
        _ trim: inout HistoryTrim
    ) throws {
        let (widget, range, event) = (cycle.widget, cycle.range, cycle.event)
        let isFirst = range.first == SequenceNumber.zero.next
        if isFirst { try saveState(record, of: widget, in: transaction) }
        try transaction.enqueue(
            """
            INSERT INTO cycles (widget, sequence, first, event, content, at, state, displays)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
            """,
            [
                .text(widget.rawValue), .unsigned(range.sequence.number), .unsigned(range.first.number),
                .blob(cycle.bytes), .text(event.data.content?.digest.rawValue),
                .integer(event.data.instant.milliseconds), .blob(isFirst ? nil : try WireJSON.encode(record)),
                .text(isFirst ? nil : try displaySets.id(of: record.displays, in: transaction)),
            ]
        )
        if event.data.cause == .removed {
            // Of a removed widget, only this cycle is kept.
            try trim.dropCycles(in: transaction)
            trim.limitCycles(of: widget, to: 1)
            try trim.dropCycles(in: transaction)
        } else if let history {
            trim.limitCycles(of: widget, to: history.cycles)
        }
    }
}
