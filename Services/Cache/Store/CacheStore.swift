// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import ServiceEngine
import Storage
import Telemetry
import WidgetSchema

/// The cache's database: state, history and contents.
///
/// Whoever opens it takes over: a higher token, that each transaction checks. It belongs to the service's thread.
final class CacheStore: ServiceStore {
    /// A cycle as it was published.
    struct KeptCycle {
        var event: Data
        var content: ContentDigest?
    }

    private static let ownerQuery = "SELECT token FROM owner WHERE id = 1"

    private let database: Database
    private let log: Logger
    private let trimmedCycles: Counter?
    private let trimmedContents: Counter?
    /// What is kept of the past.
    private var history = HistoryLimits()
    private let token: Int64
    private let mark: StoreMark?
    /// How many commits the store has seen.
    private var commits: Int64
    /// Whether the store is older than the last that was here; until a core has dealt with it.
    private(set) var wasPutBack: Bool
    /// How many bytes of content each source has got since its contents were counted; nil where they were not yet.
    private var uncounted: [SourceID: Int] = [:]

    /// Opens the database, makes it where it is missing, and takes it over.
    ///
    /// It notices a store that was put back: by another file in its place, by a mark that knows of more commits, and by a
    /// mark that was put back with it.
    init(path: String, log: Logger = .discarded, metrics: Metrics? = nil) throws {
        let database = try Database.open(path: path, migrations: CacheMigrations.all)
        self.database = database
        self.log = log
        trimmedCycles = metrics?.counter("history.trimmedCycles")
        trimmedContents = metrics?.counter("history.trimmedContents")
        let mark = StoreMark(beside: path)
        let file = StoreMark.identity(of: path)
        let owner = try database.transaction { transaction in
            try transaction.execute("UPDATE owner SET token = token + 1 WHERE id = 1")
            return try transaction.query("SELECT token, commits, file FROM owner WHERE id = 1") { row in
                (token: try row.integer(0), commits: try row.integer(1), file: try row.optionalText(2))
            }.first
        }
        guard let owner else { throw CorruptStore(column: "owner.token") }
        self.mark = mark
        token = owner.token
        let marked = mark?.commits ?? 0
        let isElsewhere = owner.file != nil && owner.file != file
        wasPutBack = marked > owner.commits || isElsewhere || mark?.wasCopied == true
        commits = max(owner.commits, marked)
        if owner.file == nil, let file, !wasPutBack {
            try database.transaction { transaction in
                try check(try Self.owner(transaction))
                try transaction.execute("UPDATE owner SET file = $1 WHERE id = 1", [.text(file)])
            }
        }
    }

    private static func owner(_ transaction: borrowing Transaction) throws -> Int64 {
        try transaction.query(ownerQuery) { row in try row.integer(0) }.first ?? 0
    }

    /// Looks at the place before it reads the owner: a damaged file tells none.
    private func check(_ reading: @autoclosure () throws -> Int64) throws {
        try checkPlace()
        let owner = try reading()
        guard owner == token else { throw StoreTakenOver(path: database.path, token: token, owner: owner) }
    }

    /// Throws ``StoreTakenOver`` where the file is no longer the one of that path.
    private func checkPlace() throws {
        guard !database.hasMoved else { throw StoreTakenOver(path: database.path, token: token, owner: nil) }
    }

    func setPaused(_ paused: Bool) {
        database.setBusyTimeout(paused ? .zero : Database.defaultBusyTimeout)
    }

    var reader: CacheStore { self }

    func load() throws(StoreFailure) -> CacheState {
        try classified {
            // Before anything else is read: the file may be damaged, and another one in its place meanwhile.
            try checkOwner()
            return try readState()
        }
    }

    func commit(_ writes: [CacheWrite]) throws(StoreFailure) {
        let trimmed = try classified { try write(writes) }
        if trimmed.cycles > 0 { trimmedCycles?.increment(by: Int64(trimmed.cycles)) }
        if trimmed.contents > 0 { trimmedContents?.increment(by: Int64(trimmed.contents)) }
    }

    private func classified<Result>(_ body: () throws -> Result) throws(StoreFailure) -> Result {
        do {
            return try body()
        } catch let error as StoreTakenOver {
            throw .takenOver(error)
        } catch {
            throw .discard(error)
        }
    }

    /// Throws ``StoreTakenOver`` where another process has opened the store since, or another file lies in its place.
    private func checkOwner() throws {
        try check(try database.query(Self.ownerQuery) { row in try row.integer(0) }.first ?? 0)
    }

    // MARK: Reading

    private func readState() throws -> CacheState {
        uncounted = [:]
        var state = CacheState()
        var displays = SharedValues<[Display]>()
        try database.query("SELECT widget, state FROM widgets") { row in
            let id = try Self.valid(WidgetID(rawValue: try row.text(0)), "widgets.widget")
            var record = try WireJSON.decode(WidgetRecord.self, from: try row.blob(1))
            record.displays = displays.one(record.displays)
            state.widgets[id] = record
        }
        try database.query("SELECT source, state FROM sources") { row in
            let id = try Self.valid(SourceID(rawValue: try row.text(0)), "sources.source")
            state.sources[id] = try WireJSON.decode(SourceRecord.self, from: try row.blob(1))
        }
        try database.query("SELECT source, lease, request, expires, host FROM leases") { row in
            let source = try Self.valid(SourceID(rawValue: try row.text(0)), "leases.source")
            state.leases[source] = LeaseRecord(
                id: try Self.valid(LeaseID(rawValue: try row.text(1)), "leases.lease"),
                request: try row.text(2),
                expires: Instant(milliseconds: try row.integer(3)),
                host: try row.text(4)
            )
        }
        try database.query("SELECT host, state FROM hosts") { row in
            state.hosts[try row.text(0)] = try WireJSON.decode(HostRecord.self, from: try row.blob(1))
        }
        try database.query("SELECT client, widget, counter, sequence, at FROM commands") { row in
            let widget = try Self.valid(WidgetID(rawValue: try row.text(1)), "commands.widget")
            state.commands[CommandKey(client: try row.text(0), widget: widget)] = CommandRecord(
                counter: try Self.valid(UInt64(try row.text(2)), "commands.counter"),
                sequence: try row.optionalInteger(3).map { SequenceNumber(UInt64(bitPattern: $0)) },
                at: Instant(milliseconds: try row.integer(4))
            )
        }
        state.wasRestored = wasPutBack
        return state
    }

    /// The kept cycles of a widget from a number on, oldest first.
    func cycles(of widget: WidgetID, from: SequenceNumber) throws -> [KeptCycle] {
        try database.query(
            "SELECT event, content FROM cycles WHERE widget = $1 AND sequence >= $2 ORDER BY sequence",
            [.text(widget.rawValue), .integer(Self.stored(from))]
        ) { row in try Self.cycle(row) }
    }

    func cycle(of widget: WidgetID, at sequence: SequenceNumber) throws -> KeptCycle? {
        try database.query(
            "SELECT event, content FROM cycles WHERE widget = $1 AND sequence = $2",
            [.text(widget.rawValue), .integer(Self.stored(sequence))]
        ) { row in try Self.cycle(row) }.first
    }

    /// Returns the newest cycle of a widget, which history never trims; nil if the widget has no cycle.
    func lastCycle(of widget: WidgetID) throws -> KeptCycle? {
        try database.query(
            "SELECT event, content FROM cycles WHERE widget = $1 ORDER BY sequence DESC LIMIT 1",
            [.text(widget.rawValue)]
        ) { row in try Self.cycle(row) }.first
    }

    func content(_ digest: ContentDigest) throws -> Data? {
        try database.query("SELECT bytes FROM contents WHERE digest = $1", [.text(digest.rawValue)]) { row in
            try row.blob(0)
        }.first
    }

    // MARK: Writing

    /// Writes all of a batch in one transaction, and returns how much of the past was dropped.
    @discardableResult
    func write(_ batch: [CacheWrite]) throws -> Trimmed {
        let writes = Self.lastWrites(of: batch)
        guard !writes.isEmpty else {
            // Also who has nothing to write says no more, neither heads nor answers.
            try checkOwner()
            return Trimmed()
        }
        var trimmed = Trimmed()
        try database.transaction { transaction in
            var trim = HistoryTrim()
            try check(try Self.owner(transaction))
            try transaction.execute("UPDATE owner SET commits = $1 WHERE id = 1", [.integer(commits + 1)])
            for write in writes { try perform(write, in: transaction, &trim) }
            try trim.dropContents(in: transaction)
            trimmed = trim.trimmed
        }
        commits += 1
        mark?.write(commits)
        if writes.contains(.forgetRestore) { wasPutBack = false }
        return trimmed
    }

    /// Empties the write-ahead log if it has grown large.
    func maintain() {
        do {
            try database.checkpointIfNeeded()
        } catch {
            log.warning("The store's log could not be emptied.", error: error)
        }
    }

    func close() {
        do {
            try database.close()
        } catch {
            log.warning("The store was not closed cleanly.", error: error)
        }
    }

    /// The writes in order, of those that replace one another only the last.
    private static func lastWrites(of writes: [CacheWrite]) -> [CacheWrite] {
        var seen: Set<WriteKey> = []
        return writes.reversed().filter { write in
            guard let key = WriteKey(write) else { return true }
            return seen.insert(key).inserted
        }.reversed()
    }

    private func perform(
        _ write: CacheWrite,
        in transaction: borrowing Transaction,
        _ trim: inout HistoryTrim
    ) throws {
        switch write {
        case .storeContent(let digest, let bytes):
            _ = try transaction.execute(
                "INSERT INTO contents (digest, bytes) VALUES ($1, $2) ON CONFLICT (digest) DO NOTHING",
                [.text(digest.rawValue), .blob(bytes)]
            )
        case .saveWidget(let id, let record):
            try save(record, "widgets", "widget", id.rawValue, in: transaction)
        case .saveSource(let id, let record):
            try save(record, "sources", "source", id.rawValue, in: transaction)
            try trim.noteContents(of: id, in: transaction)
            _ = try transaction.execute("DELETE FROM source_contents WHERE source = $1", [.text(id.rawValue)])
            for (parsing, held) in record.contents.sorted(by: { $0.key < $1.key }) {
                _ = try transaction.execute(
                    "INSERT INTO source_contents (source, parsing, digest) VALUES ($1, $2, $3)",
                    [.text(id.rawValue), .text(parsing), .text(held.digest.rawValue)]
                )
            }
        case .forgetSource(let id):
            _ = try transaction.execute("DELETE FROM sources WHERE source = $1", [.text(id.rawValue)])
            try trim.noteContents(of: id, in: transaction)
            uncounted[id] = nil
            _ = try transaction.execute("DELETE FROM source_contents WHERE source = $1", [.text(id.rawValue)])
        case .saveLease(let source, let lease):
            _ = try transaction.execute(
                """
                INSERT INTO leases (source, lease, request, expires, host) VALUES ($1, $2, $3, $4, $5)
                ON CONFLICT (source) DO UPDATE
                SET lease = excluded.lease, request = excluded.request, expires = excluded.expires, host = excluded.host
                """,
                [
                    .text(source.rawValue), .text(lease.id.rawValue), .text(lease.request),
                    .integer(lease.expires.milliseconds), .text(lease.host),
                ]
            )
        case .endLease(let source):
            _ = try transaction.execute("DELETE FROM leases WHERE source = $1", [.text(source.rawValue)])
        case .saveHost(let host, let record):
            try save(record, "hosts", "host", host, in: transaction)
        case .forgetHost(let host):
            _ = try transaction.execute("DELETE FROM hosts WHERE host = $1", [.text(host)])
        case .forgetRestore:
            let file = StoreMark.identity(of: database.path)
            _ = try transaction.execute("UPDATE owner SET file = $1 WHERE id = 1", [.text(file)])
        case .saveCommand(let key, let record):
            _ = try transaction.execute(
                """
                INSERT INTO commands (client, widget, counter, sequence, at) VALUES ($1, $2, $3, $4, $5)
                ON CONFLICT (client, widget) DO UPDATE
                SET counter = excluded.counter, sequence = excluded.sequence, at = excluded.at
                """,
                [
                    .text(key.client), .text(key.widget.rawValue), .text(String(record.counter)),
                    .integer(record.sequence.map(Self.stored)), .integer(record.at.milliseconds),
                ]
            )
        case .trimContents(let source, let widgets, let added):
            // Counted in steps, an eighth of the limit each, and cut to where the next step fits.
            let step = history.contentBytes / 8
            let bytes = uncounted[source].map { $0 + added }
            guard bytes ?? .max > step else {
                uncounted[source] = bytes
                return
            }
            uncounted[source] = 0
            try trim.contents(of: widgets, to: history.contentBytes - step, in: transaction)
        case .trimHistory(let widgets, let horizon):
            for widget in widgets { try trim.cycles(of: widget, before: horizon, in: transaction) }
        case .forgetCommands(let horizon):
            _ = try transaction.execute("DELETE FROM commands WHERE at < $1", [.integer(horizon.milliseconds)])
        case .limitHistory(let limits): history = limits
        case .keep(let cycle): try keep(cycle, in: transaction, &trim)
        }
    }

    private func save(
        _ record: some Encodable,
        _ table: String,
        _ column: String,
        _ key: String,
        in transaction: borrowing Transaction
    ) throws {
        _ = try transaction.execute(
            """
            INSERT INTO \(table) (\(column), state) VALUES ($1, $2)
            ON CONFLICT (\(column)) DO UPDATE SET state = excluded.state
            """,
            [.text(key), .blob(try WireJSON.encode(record))]
        )
    }

    private func keep(
        _ cycle: NewCycle,
        in transaction: borrowing Transaction,
        _ trim: inout HistoryTrim
    ) throws {
        let (widget, range, event) = (cycle.widget, cycle.range, cycle.event)
        _ = try transaction.execute(
            "INSERT INTO cycles (widget, sequence, first, event, content, at) VALUES ($1, $2, $3, $4, $5, $6)",
            [
                .text(widget.rawValue), .integer(Self.stored(range.sequence)), .integer(Self.stored(range.first)),
                .blob(cycle.bytes), .text(event.data.content?.digest.rawValue),
                .integer(event.data.instant.milliseconds),
            ]
        )
        // Of a widget that was removed nothing is kept but that.
        try trim.cycles(of: widget, to: event.data.cause == .removed ? 1 : history.cycles, in: transaction)
    }

    private static func cycle(_ row: borrowing Row) throws -> KeptCycle {
        KeptCycle(
            event: try row.blob(0),
            content: try row.optionalText(1).map { try valid(ContentDigest(rawValue: $0), "cycles.content") }
        )
    }

    /// SQL has signed integers only; sequences are times in milliseconds and stay far below their limit.
    private static func stored(_ sequence: SequenceNumber) -> Int64 { Int64(bitPattern: sequence.number) }

    private static func valid<Value>(_ value: Value?, _ column: String) throws -> Value {
        guard let value else { throw CorruptStore(column: column) }
        return value
    }
}

/// A column of the store holds what the cache never wrote there.
struct CorruptStore: Error, CustomStringConvertible {
    var column: String

    var description: String { "the column \(column) of the store holds a value that is not valid there" }
}

/// Another process has opened the store, or another file lies in its place; this process must neither publish nor reply any more.
struct StoreTakenOver: Error, Hashable, CustomStringConvertible {
    var path: String
    var token: Int64
    /// Nil where another file, or none, has taken the place of this process's.
    var owner: Int64?

    var description: String {
        guard let owner else {
            return
                "\(path) is another file now than the one that is open here, or is gone: what is written would be lost"
        }
        return "\(path) belongs to another cache now (token \(owner), this one has \(token)): run one per store"
    }
}

/// What a write replaces.
private enum WriteKey: Hashable {
    case widget(WidgetID)
    case source(SourceID)
    case lease(SourceID)
    case host(String)
    case command(CommandKey)

    init?(_ write: CacheWrite) {
        switch write {
        case .saveWidget(let id, _): self = .widget(id)
        case .saveSource(let id, _), .forgetSource(let id): self = .source(id)
        case .saveLease(let source, _), .endLease(let source): self = .lease(source)
        case .saveHost(let host, _), .forgetHost(let host): self = .host(host)
        case .saveCommand(let key, _): self = .command(key)
        default: return nil
        }
    }
}
