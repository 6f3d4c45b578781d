// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import ServiceEngine
import Storage
import Telemetry
import WidgetSchema

/// The cache's database, with the current state, the history of cycles and the contents.
///
/// Only the thread of the service may use the store.
final class CacheStore: ServiceStore {
    /// A stored cycle: the bytes of its event as they were published, and the digest of its content.
    ///
    /// The digest is nil if the event has no content.
    struct KeptCycle {
        var event: Data
        var content: ContentDigest?
    }

    let database: FencedDatabase
    private let trimmedCycles: Counter?
    private let trimmedContents: Counter?
    /// A Boolean value that indicates whether this process took the store over as a standby and has not written to it.
    ///
    /// The expiry times of the stored leases are then times of the former owner's clock, which may differ from the
    /// clock of this process.
    private var hasForeignLeases: Bool
    /// The stored sets of displays.
    var displaySets = DisplaySets()
    private var hasDeletedUnusedSets = false
    private let log: Logger
    /// The configured limits of the stored history.
    var history = HistoryLimits()
    /// The size in bytes of the contents that were added since the last trim, by source.
    ///
    /// A source has no entry until this process trims the contents of the source for the first time.
    var bytesAddedSinceTrim: [SourceID: Int] = [:]

    /// Opens or creates the database, and makes this process its owner.
    init(
        _ location: StoreLocation,
        opening: StoreOpening = StoreOpening(),
        log: Logger = .discarded,
        metrics: Metrics? = nil
    ) throws {
        database = try FencedDatabase(
            location,
            StoreSchema(service: ServiceName.cache.rawValue, migrations: CacheMigrations.all),
            opening: opening,
            log: log
        )
        self.log = log
        hasForeignLeases = opening.isSuccession
        trimmedCycles = metrics?.counter("history.trimmedCycles")
        trimmedContents = metrics?.counter("history.trimmedContents")
    }

    var ownership: Ownership? { database.ownership }

    var failoverMayLoseCommits: Bool { database.failoverMayLoseCommits }

    func setPaused(_ paused: Bool) { database.setPaused(paused) }

    func maintain() { database.maintain() }

    func close() { database.close() }

    var reader: CacheStore { self }

    func load() throws(StoreFailure) -> CacheState {
        try StoreFailure.classifying {
            try database.checkOwnership()
            let state = try readState()
            if state.widgets.isEmpty {
                log.notice("The store is empty; widgets begin without content.", [.path: database.path])
            }
            return state
        }
    }

    func commit(_ writes: [CacheWrite]) throws(StoreFailure) {
        let trimmed = try StoreFailure.classifying { try write(writes) }
        if !writes.isEmpty { hasForeignLeases = false }
        if trimmed.cycles > 0 { trimmedCycles?.increment(by: Int64(trimmed.cycles)) }
        if trimmed.contents > 0 { trimmedContents?.increment(by: Int64(trimmed.contents)) }
    }

    // MARK: Reading

    private func readState() throws -> CacheState {
        bytesAddedSinceTrim = [:]
        var state = CacheState()
        state.widgets = try readWidgets()
        state.documents = try readDocuments(of: state.widgets)
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
        try database.query("SELECT client, widget, counter, sequence, at, body_digest FROM commands") { row in
            let widget = try Self.valid(WidgetID(rawValue: try row.text(1)), "commands.widget")
            state.commands[CommandKey(client: try row.text(0), widget: widget)] = CommandRecord(
                counter: try Self.valid(UInt64(try row.text(2)), "commands.counter"),
                sequence: try row.optionalUnsigned(3).map { SequenceNumber($0) },
                at: Instant(milliseconds: try row.integer(4)),
                bodyDigest: try row.optionalText(5).flatMap(ContentDigest.init(rawValue:))
            )
        }
        state.wasRestored = database.wasRestored
        state.hasForeignLeases = hasForeignLeases
        return state
    }

    /// Reads the lists of documents that were pushed to widgets.
    private func readDocuments(
        of widgets: BoxedDictionary<WidgetID, WidgetRecord>
    ) throws -> [WidgetID: ShownDocuments] {
        var lists: [WidgetID: ShownDocuments] = [:]
        for (id, widget) in widgets where widget.definition.kind == .documents {
            guard let digest = widget.content?.digest, let bytes = try content(digest),
                case .documents(let list) = try WireJSON.decode(Content.self, from: bytes)
            else { continue }
            lists[id] = ShownDocuments(digest: digest, content: list)
        }
        return lists
    }

    /// Reads the state of each widget.
    ///
    /// The state is in the widget's newest cycle, or in the widget's own row if that was written with this cycle or
    /// after it: see ``CacheWrite/keep``. The first call deletes the sets of displays that no widget has any more; later
    /// calls only read, because they must also work while the disk is full.
    private func readWidgets() throws -> BoxedDictionary<WidgetID, WidgetRecord> {
        var widgets: BoxedDictionary<WidgetID, WidgetRecord> = [:]
        displaySets = try DisplaySets(of: database)
        var usedSets: Set<String> = []
        var inline = SharedValues<[Display]>()
        let isInCycle =
            "cycles.state IS NOT NULL AND (widgets.sequence IS NULL OR cycles.sequence > widgets.sequence)"
        try database.query(
            """
            SELECT widgets.widget,
                CASE WHEN \(isInCycle) THEN cycles.state ELSE widgets.state END,
                CASE WHEN \(isInCycle) THEN cycles.displays ELSE widgets.displays END
            FROM widgets LEFT JOIN cycles ON cycles.widget = widgets.widget
            AND cycles.sequence = (SELECT MAX(sequence) FROM cycles WHERE cycles.widget = widgets.widget)
            """
        ) { row in
            let id = try Self.valid(WidgetID(rawValue: try row.text(0)), "widgets.widget")
            let json = try row.blob(1)
            var record = try WireJSON.decode(WidgetRecord.self, from: json)
            if let set = try row.optionalText(2) {
                record.displays = try Self.valid(displaySets[set], "widgets.displays or cycles.displays")
                usedSets.insert(set)
            } else {
                record.displays = inline.shared(try WireJSON.decode(InlineDisplays.self, from: json).displays)
            }
            widgets[id] = record
        }
        if !hasDeletedUnusedSets {
            try displaySets.deleteOthers(than: usedSets, from: database)
            hasDeletedUnusedSets = true
        }
        return widgets
    }

    /// Returns a widget's stored cycles with sequence numbers of at least `from`, the oldest first.
    func cycles(of widget: WidgetID, from: SequenceNumber) throws -> [KeptCycle] {
        try database.query(
            "SELECT event, content FROM cycles WHERE widget = $1 AND sequence >= $2 ORDER BY sequence",
            [.text(widget.rawValue), .unsigned(from.number)]
        ) { row in try Self.cycle(row) }
    }

    func cycle(of widget: WidgetID, at sequence: SequenceNumber) throws -> KeptCycle? {
        try database.query(
            "SELECT event, content FROM cycles WHERE widget = $1 AND sequence = $2",
            [.text(widget.rawValue), .unsigned(sequence.number)]
        ) { row in try Self.cycle(row) }.first
    }

    /// Returns the newest cycle of a widget; nil if the widget has no cycle.
    ///
    /// The newest cycle is never trimmed.
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

    /// Commits a batch in one transaction, and returns the counts of cycles and contents that were removed from the
    /// history.
    @discardableResult
    func write(_ batch: [CacheWrite]) throws -> Trimmed {
        let writes = Self.lastWrites(of: batch)
        guard !writes.isEmpty else {
            // A process that has lost its store must not publish heads or answers, even if it writes nothing.
            try database.checkOwnership()
            return Trimmed()
        }
        var trimmed = Trimmed()
        try database.transaction { transaction in
            var trim = HistoryTrim()
            let sources = writes.compactMap { write in
                switch write {
                case .saveSource(let id, _), .forgetSource(let id): id
                default: nil
                }
            }
            try trim.readContents(of: sources, in: transaction)
            for write in writes { try perform(write, in: transaction, &trim) }
            try trim.dropCycles(in: transaction)
            try trim.dropContents(in: transaction)
            trimmed = trim.trimmed
        }
        return trimmed
    }

    /// Returns `writes` in the same order, but drops a write if a later one replaces or deletes the same record.
    private static func lastWrites(of writes: [CacheWrite]) -> [CacheWrite] {
        var seen: Set<WriteKey> = []
        return writes.reversed().filter { write in
            guard let key = WriteKey(write) else { return true }
            let isLast = seen.insert(key).inserted
            if case .keep = write { return true }
            return isLast
        }.reversed()
    }

    private static func cycle(_ row: borrowing Row) throws -> KeptCycle {
        KeptCycle(
            event: try row.blob(0),
            content: try row.optionalText(1).map { try valid(ContentDigest(rawValue: $0), "cycles.content") }
        )
    }

    private static func valid<Value>(_ value: Value?, _ column: String) throws -> Value {
        guard let value else { throw CorruptStore(column: column) }
        return value
    }
}

/// The error for a database column that contains an invalid value, for example because another program wrote it.
struct CorruptStore: Error, CustomStringConvertible {
    var column: String

    var description: String { "the column \(column) of the store contains an invalid value" }
}

/// The kind and the key of the record that a write replaces or deletes.
private enum WriteKey: Hashable {
    case widget(WidgetID)
    case source(SourceID)
    case lease(SourceID)
    case host(String)
    case command(CommandKey)

    init?(_ write: CacheWrite) {
        switch write {
        case .saveWidget(let id, _): self = .widget(id)
        case .keep(let cycle, _): self = .widget(cycle.widget)
        case .saveSource(let id, _), .forgetSource(let id): self = .source(id)
        case .saveLease(let source, _), .endLease(let source): self = .lease(source)
        case .saveHost(let host, _), .forgetHost(let host): self = .host(host)
        case .saveCommand(let key, _): self = .command(key)
        default: return nil
        }
    }
}
