// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import ServiceEngine
import Storage
import Telemetry
import WidgetSchema

/// The updates in a database of the notifier's own, `notifier.sqlite`.
///
/// Whoever opens it takes over: a higher token, that each transaction checks.
final class DatabaseUpdateStore: ServiceStore, UpdateReader {
    /// How many updates of a widget are kept for replays; older ones merge into the first of them.
    static let defaultHistory = 64
    static let fileName = "notifier.sqlite"

    // Sequences are text of 20 digits: sorted as text they sort as numbers, to the last bit.
    static let migrations = [
        Migration(
            1,
            """
            CREATE TABLE owner (id INTEGER PRIMARY KEY, token BIGINT NOT NULL);
            INSERT INTO owner (id, token) VALUES (1, 0);
            CREATE TABLE widget (
                id TEXT PRIMARY KEY,
                sequence TEXT NOT NULL,
                last_new_data TEXT,
                had_content INTEGER NOT NULL,
                digests TEXT NOT NULL
            );
            CREATE TABLE widget_update (
                widget TEXT NOT NULL,
                sequence TEXT NOT NULL,
                first TEXT NOT NULL,
                result TEXT NOT NULL,
                event BLOB NOT NULL,
                PRIMARY KEY (widget, sequence)
            );
            """
        )
    ]

    private static let ownerQuery = "SELECT token FROM owner WHERE id = 1"

    private let database: Database
    private let history: Int
    private let token: Int64
    private let log: Logger

    /// Opens the database, makes it where it is missing, and takes it over.
    init(path: String, history: Int = defaultHistory, log: Logger = .discarded) throws {
        precondition(history > 0, "the last update of a widget is always kept")
        self.log = log
        self.history = history
        let database = try Database.open(path: path, migrations: Self.migrations)
        self.database = database
        token = try database.transaction { transaction in
            try transaction.execute("UPDATE owner SET token = token + 1 WHERE id = 1")
            return try Self.owner(transaction)
        }
    }

    var path: String { database.path }

    func close() {
        do {
            try database.close()
        } catch {
            log.warning("The store was not closed cleanly.", error: error)
        }
    }

    /// Empties the write-ahead log if it has grown.
    func maintain() {
        do {
            try database.checkpointIfNeeded()
        } catch {
            log.warning("The store's log could not be emptied.", error: error)
        }
    }

    var reader: DatabaseUpdateStore { self }

    func load() throws(StoreFailure) -> [WidgetID: WidgetPosition] { try classified { try readPositions() } }

    func commit(_ writes: [UpdateCommit]) throws(StoreFailure) { try classified { try write(writes) } }

    private func classified<Result>(_ body: () throws -> Result) throws(StoreFailure) -> Result {
        do {
            return try body()
        } catch let error as UpdateStoreError where error.isTakenOver {
            throw .takenOver(error)
        } catch {
            throw .discard(error)
        }
    }

    private func readPositions() throws -> [WidgetID: WidgetPosition] {
        // Before anything else is read: the file may be damaged, and another one in its place meanwhile.
        try checkOwner()
        let rows = try database.query("SELECT id, sequence, last_new_data, had_content, digests FROM widget") { row in
            let id = try row.text(0)
            let digests = try decode([DisplayName: ContentDigest].self, Data(try row.text(4).utf8), of: id)
            let lastNewData = try row.optionalText(2).map { try sequence($0, of: id) }
            let state = WidgetState(
                digests: digests,
                hadContent: try row.integer(3) & Self.content != 0,
                wasHidden: try row.integer(3) & Self.hidden != 0,
                lastNewData: lastNewData
            )
            return (try widget(id), WidgetPosition(sequence: try sequence(try row.text(1), of: id), state: state))
        }
        return Dictionary(rows) { _, last in last }
    }

    private func write(_ commits: [UpdateCommit]) throws {
        guard !commits.isEmpty else {
            // Also who has nothing to write says no more, neither heads nor answers, once another has taken over.
            return try checkOwner()
        }
        try database.transaction { transaction in
            try check(try Self.owner(transaction))
            var last: [WidgetID: UpdateCommit] = [:]
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

    func setPaused(_ paused: Bool) {
        database.setBusyTimeout(paused ? .zero : Database.defaultBusyTimeout)
    }

    /// Throws if another process has taken the store over, or another file lies in its place.
    private func checkOwner() throws {
        try check(try database.query(Self.ownerQuery) { try $0.integer(0) }.first ?? 0)
    }

    func updates(of widget: WidgetID, from: SequenceNumber) throws -> [StoredUpdate] {
        try database.query(
            """
            SELECT first, sequence, result, event FROM widget_update
            WHERE widget = $1 AND sequence >= $2 ORDER BY sequence
            """,
            [.text(widget.rawValue), .text(from.description)]
        ) { row in try storedUpdate(row, of: widget) }
    }

    func lastUpdate(of widget: WidgetID) throws -> StoredUpdate? {
        try database.query(
            """
            SELECT first, sequence, result, event FROM widget_update
            WHERE widget = $1 ORDER BY sequence DESC LIMIT 1
            """,
            [.text(widget.rawValue)]
        ) { row in try storedUpdate(row, of: widget) }.first
    }

    // MARK: Rows

    /// The bits of the column `had_content`.
    private static let content: Int64 = 1
    private static let hidden: Int64 = 2

    private static func owner(_ transaction: borrowing Transaction) throws -> Int64 {
        try transaction.query(ownerQuery) { try $0.integer(0) }.first ?? 0
    }

    private func checkPlace() throws {
        guard !database.hasMoved else { throw UpdateStoreError.replaced(path: database.path) }
    }

    /// Looks at the place before it reads the owner: a damaged file tells none.
    private func check(_ reading: @autoclosure () throws -> Int64) throws {
        try checkPlace()
        let owner = try reading()
        guard owner == token else {
            throw UpdateStoreError.takenOver(path: database.path, token: token, owner: owner)
        }
    }

    private func insert(_ update: StoredUpdate, in transaction: borrowing Transaction) throws {
        try transaction.execute(
            "INSERT INTO widget_update (widget, sequence, first, result, event) VALUES ($1, $2, $3, $4, $5)",
            [
                .text(update.widget.rawValue), .text(update.range.sequence.description),
                .text(update.range.first.description), .text(update.result.rawValue), .blob(update.event),
            ]
        )
    }

    private func write(_ commit: UpdateCommit, of widget: WidgetID, in transaction: borrowing Transaction) throws {
        let digests = try WireJSON.encode(commit.state.digests)
        try transaction.execute(
            """
            INSERT INTO widget (id, sequence, last_new_data, had_content, digests) VALUES ($1, $2, $3, $4, $5)
            ON CONFLICT (id) DO UPDATE SET sequence = excluded.sequence, last_new_data = excluded.last_new_data,
                had_content = excluded.had_content, digests = excluded.digests
            """,
            [
                .text(widget.rawValue), .text(commit.update.range.sequence.description),
                .text(commit.state.lastNewData?.description),
                .integer(
                    (commit.state.hadContent ? Self.content : 0) | (commit.state.wasHidden ? Self.hidden : 0)
                ),
                .text(String(decoding: digests, as: UTF8.self)),
            ]
        )
    }

    private func trim(_ widget: WidgetID, in transaction: borrowing Transaction) throws {
        try transaction.execute(
            """
            DELETE FROM widget_update WHERE widget = $1 AND sequence <= (
                SELECT sequence FROM widget_update WHERE widget = $1 ORDER BY sequence DESC LIMIT 1 OFFSET $2
            )
            """,
            [.text(widget.rawValue), .integer(Int64(history))]
        )
    }

    private func storedUpdate(_ row: borrowing Row, of widget: WidgetID) throws -> StoredUpdate {
        let first = try sequence(try row.text(0), of: widget.rawValue)
        let last = try sequence(try row.text(1), of: widget.rawValue)
        guard let range = SequenceRange(first: first, sequence: last),
            let result = UpdateResult(rawValue: try row.text(2))
        else { throw unreadable(widget.rawValue, "\(first) to \(last) is no range, or its result is unknown") }
        return StoredUpdate(widget: widget, range: range, result: result, event: try row.blob(3))
    }

    private func widget(_ text: String) throws -> WidgetID {
        guard let widget = WidgetID(rawValue: text) else { throw unreadable(text, WidgetID.rule) }
        return widget
    }

    private func sequence(_ text: String, of widget: String) throws -> SequenceNumber {
        guard let sequence = SequenceNumber(text) else { throw unreadable(widget, "'\(text)' is no sequence") }
        return sequence
    }

    private func decode<Value: Decodable>(_ type: Value.Type, _ data: Data, of widget: String) throws -> Value {
        do {
            return try WireJSON.decode(type, from: data)
        } catch {
            throw unreadable(widget, error.description)
        }
    }

    private func unreadable(_ widget: String, _ problem: String) -> UpdateStoreError {
        .unreadable(path: database.path, widget: widget, problem: problem)
    }
}
