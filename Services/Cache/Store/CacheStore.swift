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
final class CacheStore: DatabaseStore {
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
    /// The configured limits of the stored history; nil until the core's first batch sets them.
    var history: HistoryLimits?
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
        database = try FencedDatabase(location, Self.schema, opening: opening, log: log)
        self.log = log
        hasForeignLeases = opening.isSuccession
        trimmedCycles = metrics?.counter("history.trimmedCycles")
        trimmedContents = metrics?.counter("history.trimmedContents")
    }

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
        try readRows(of: "sources", CacheRows.sourceColumns) { row in
            let (id, record) = try CacheRows.source(row)
            state.sources[id] = record
        }
        try readRows(of: "leases", CacheRows.leaseColumns) { row in
            let (source, record) = try CacheRows.lease(row)
            state.leases[source] = record
        }
        try readRows(of: "hosts", CacheRows.hostColumns) { row in
            let (host, record) = try CacheRows.host(row)
            state.hosts[host] = record
        }
        try readRows(of: "commands", CacheRows.commandColumns) { row in
            let (key, record) = try CacheRows.command(row)
            state.commands[key] = record
        }
        state.wasRestored = database.wasRestored
        state.hasForeignLeases = hasForeignLeases
        return state
    }

    private func readRows(of table: String, _ columns: [String], _ body: (borrowing Row) throws -> Void) throws {
        // Reading a large store takes longer than the lease, which a standby would take for the death of this process.
        try database.checkOwnership()
        try database.query("SELECT \(columns.joined(separator: ", ")) FROM \(table)", row: body)
    }

    /// Reads the lists of documents that were pushed to widgets.
    private func readDocuments(
        of widgets: BoxedDictionary<WidgetID, WidgetRecord>
    ) throws -> [WidgetID: ShownDocuments] {
        var lists: [WidgetID: ShownDocuments] = [:]
        for (id, widget) in widgets.inOrder where widget.definition.kind == .documents {
            guard let digest = widget.content?.digest, let bytes = try content(digest),
                case .documents(let list) = try WireJSON.decode(Content.self, from: bytes)
            else { continue }
            lists[id] = ShownDocuments(digest: digest, content: list)
        }
        return lists
    }

    /// Reads the newest state of each widget.
    ///
    /// The first call deletes the sets of displays that no widget has any more; later calls only read, because they must
    /// also work while the disk is full.
    private func readWidgets() throws -> BoxedDictionary<WidgetID, WidgetRecord> {
        var widgets: BoxedDictionary<WidgetID, WidgetRecord> = [:]
        displaySets = try DisplaySets(of: database)
        var usedSets: Set<String> = []
        var inline = SharedValues<[Display]>()
        try readRows(of: "widgets \(CacheRows.newestJoin)", CacheRows.newestColumns) { row in
            let id = try CacheRows.valid(WidgetID(rawValue: try row.text(0)), "widgets.widget")
            let json = try row.blob(1)
            var record: WidgetRecord = try CacheRows.json(json, "widgets.state or cycles.state")
            if let set = try row.optionalText(2) {
                record.displays = try CacheRows.valid(displaySets[set], "widgets.displays or cycles.displays")
                usedSets.insert(set)
            } else {
                let decoded: InlineDisplays = try CacheRows.json(json, "widgets.state")
                record.displays = inline.shared(decoded.displays)
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
        try cycles(of: widget, "AND sequence >= $2 ORDER BY sequence", [.unsigned(from.number)])
    }

    func cycle(of widget: WidgetID, at sequence: SequenceNumber) throws -> KeptCycle? {
        try cycles(of: widget, "AND sequence = $2", [.unsigned(sequence.number)]).first
    }

    /// Returns the newest cycle of a widget; nil if the widget has no cycle.
    ///
    /// The newest cycle is never trimmed.
    func lastCycle(of widget: WidgetID) throws -> KeptCycle? {
        try cycles(of: widget, "ORDER BY sequence DESC LIMIT 1", []).first
    }

    /// Returns a widget's stored cycles that `rest` selects; `values` are those of its parameters, from `$2` on.
    private func cycles(of widget: WidgetID, _ rest: String, _ values: [SQLValue]) throws -> [KeptCycle] {
        try database.query(
            "SELECT event, content FROM cycles WHERE widget = $1 \(rest)",
            [.text(widget.rawValue)] + values
        ) { row in
            let content = try row.optionalText(1)
            return KeptCycle(
                event: try row.blob(0),
                content: try content.map { try CacheRows.valid(ContentDigest(rawValue: $0), "cycles.content") }
            )
        }
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
