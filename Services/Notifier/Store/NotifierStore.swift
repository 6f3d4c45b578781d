// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import ServiceEngine
import Storage
import Telemetry
import WidgetSchema

/// The store of the updates, in the notifier's own database.
final class NotifierStore: DatabaseStore, UpdateReader {
    /// The default number of updates per widget that are stored for replays.
    ///
    /// Older updates are deleted. In a replay, the oldest stored update also covers the sequence numbers of the deleted
    /// ones.
    static let defaultHistory = 64

    let database: FencedDatabase
    private let rows: NotifierRows
    private let history: Int
    private let log: Logger

    /// Opens the database, or creates it if it is missing, and becomes its owner.
    init(
        _ location: StoreLocation,
        history: Int = defaultHistory,
        opening: StoreOpening = StoreOpening(),
        log: Logger = .discarded
    ) throws {
        precondition(history > 0, "the number of updates to keep per widget must be at least 1")
        self.history = history
        self.log = log
        database = try FencedDatabase(location, Self.schema, opening: opening, log: log)
        rows = NotifierRows(path: database.path)
    }

    var reader: NotifierStore { self }

    func load() throws(StoreFailure) -> NotifierState {
        try StoreFailure.classifying {
            try database.checkOwnership()
            let wasRestored = database.wasRestored
            // Consumers notice no gap: the range of the next update begins after the restored position, so it covers
            // all cycles since then.
            if wasRestored {
                log.warning("The store was replaced by an older copy, for example a backup.", [.path: database.path])
            }
            // In all other cases, nothing is written, so that a store that cannot be written can still be loaded.
            if try wasRestored || readEnd() == nil {
                try database.transaction { transaction in
                    if wasRestored { try database.acceptRestore(in: transaction) }
                    try UpdateNumbering.prepare(transaction)
                }
            }
            // The end is read first: an update that another process commits in between must not be up to the end, while
            // the positions lack its widget.
            let end = try end()
            return NotifierState(positions: try readPositions(), end: end)
        }
    }

    func end() throws -> StreamOffset {
        guard let end = try readEnd() else { throw rows.unreadable("", "the table 'stream' is empty") }
        return end
    }

    /// Returns the position of the last update; nil if the table `stream` is empty.
    private func readEnd() throws -> StreamOffset? {
        try database.query(UpdateNumbering.query) { row in try UpdateNumbering.end(row, path: database.path) }.first
    }

    func commit(_ writes: [NotifierWrite]) throws(StoreFailure) { try StoreFailure.classifying { try write(writes) } }

    private func readPositions() throws -> [WidgetID: WidgetPosition] {
        let columns = NotifierRows.positionColumns.joined(separator: ", ")
        let positions = try database.query("SELECT \(columns) FROM widget") { row in try rows.position(row) }
        return Dictionary(positions) { _, last in last }
    }

    private func write(_ commits: [NotifierWrite]) throws {
        guard !commits.isEmpty else {
            // A process whose store was taken over must not publish heads or send answers.
            return try database.checkOwnership()
        }
        try database.transaction { transaction in
            var last: [WidgetID: NotifierWrite] = [:]
            for commit in commits {
                try insert(commit.update, in: transaction)
                last[commit.update.widget] = commit
            }
            for (widget, commit) in last.sorted(by: { $0.key < $1.key }) {
                try write(commit, of: widget, in: transaction)
                try trim(widget, in: transaction)
            }
        }
    }

    func updates(of widget: WidgetID, from: SequenceNumber) throws -> [StoredUpdate] {
        try database.query(
            "SELECT \(Self.updateColumns) FROM widget_update WHERE widget = $1 AND sequence >= $2 ORDER BY sequence",
            [.text(widget.rawValue), .unsigned(from.number)]
        ) { row in try rows.update(row, of: widget) }
    }

    func lastUpdate(of widget: WidgetID) throws -> StoredUpdate? {
        try database.query(
            "SELECT \(Self.updateColumns) FROM widget_update WHERE widget = $1 ORDER BY sequence DESC LIMIT 1",
            [.text(widget.rawValue)]
        ) { row in try rows.update(row, of: widget) }.first
    }

    func updates(after offset: UInt64, limit: Int) throws -> [StreamUpdate] {
        try database.query(
            """
            SELECT \(Self.updateColumns), widget, CASE WHEN EXISTS (
                SELECT 1 FROM widget_update AS older
                WHERE older.widget = widget_update.widget AND older.sequence < widget_update.sequence
            ) THEN 0 ELSE 1 END
            FROM widget_update WHERE stream_offset > $1 ORDER BY stream_offset LIMIT $2
            """,
            [.integer(Int64(clamping: offset)), .integer(Int64(limit))]
        ) { row in
            let update = try rows.update(row, of: try rows.widget(try row.text(5)))
            return StreamUpdate(update: update, isOldest: try row.integer(6) != 0)
        }
    }

    // MARK: Rows

    private static let updateColumns = NotifierRows.updateColumns.joined(separator: ", ")

    private func insert(_ update: StoredUpdate, in transaction: borrowing Transaction) throws {
        try transaction.enqueue(
            """
            INSERT INTO widget_update (widget, sequence, first, result, event, stream_offset)
            VALUES ($1, $2, $3, $4, $5, $6)
            """,
            [
                .text(update.widget.rawValue), .unsigned(update.range.sequence.number),
                .unsigned(update.range.first.number), .text(update.result.rawValue), .blob(update.event),
                .integer(Int64(clamping: update.offset)),
            ]
        )
    }

    private func write(_ commit: NotifierWrite, of widget: WidgetID, in transaction: borrowing Transaction) throws {
        let digests = try WireJSON.encode(commit.state.displays.mapValues(\.digest))
        let changed = try WireJSON.encode(commit.state.displays.compactMapValues(\.changed))
        let announced = try commit.state.announced.map { String(decoding: try WireJSON.encode($0), as: UTF8.self) }
        try transaction.enqueue(
            """
            INSERT INTO widget (id, sequence, last_new_data, had_content, digests, changed, committed, announced)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
            ON CONFLICT (id) DO UPDATE SET sequence = excluded.sequence, last_new_data = excluded.last_new_data,
                had_content = excluded.had_content, digests = excluded.digests, changed = excluded.changed,
                committed = excluded.committed, announced = excluded.announced
            """,
            [
                .text(widget.rawValue), .unsigned(commit.update.range.sequence.number),
                .unsigned(commit.state.lastNewData?.number),
                .integer(
                    (commit.state.showedContent ? NotifierRows.contentBit : 0)
                        | (commit.state.wasHidden ? NotifierRows.hiddenBit : 0)
                ),
                .text(String(decoding: digests, as: UTF8.self)), .text(String(decoding: changed, as: UTF8.self)),
                .integer(commit.state.committed?.milliseconds),
                .text(announced),
            ]
        )
    }

    private func trim(_ widget: WidgetID, in transaction: borrowing Transaction) throws {
        try transaction.enqueue(
            """
            DELETE FROM widget_update WHERE widget = $1 AND sequence <= (
                SELECT sequence FROM widget_update WHERE widget = $1 ORDER BY sequence DESC LIMIT 1 OFFSET $2
            )
            """,
            [.text(widget.rawValue), .integer(Int64(history))]
        )
    }
}
