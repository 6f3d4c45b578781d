// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import EventStreams
import Foundation
import WidgetSchema

@testable import Cache

/// The cache's store on one server: the committed data and its owner.
final class CacheMemory: SimulatedServer, ReplicatedServer {
    /// A stored cycle, as a record of a stream.
    struct Kept: StreamRecord {
        var event: Event<Refreshed>
        var range: SequenceRange

        /// The content that the cycle brought; nil if it brought none.
        var newContent: ContentDigest? {
            event.data.contentSequence == range.sequence ? event.data.content?.digest : nil
        }

        func starting(at first: SequenceNumber) -> Kept {
            let event = event.starting(at: first)
            return Kept(event: event, range: event.range ?? range)
        }
    }

    /// The tables in a backup.
    struct Tables {
        var state = CacheState()
        var cycles: [WidgetID: [Kept]] = [:]
        /// For each source, the time at which the origin was read for its state.
        var observed: [SourceID: Int64] = [:]
    }

    private(set) var tables = Tables()
    private(set) var contents: [ContentDigest: Data] = [:]
    private var backups: [Tables] = []

    init(timeline: UInt32) { super.init(timeline: timeline, row: StoreOwner()) }

    private init(copy: CacheMemory, timeline: UInt32) {
        (tables, contents, backups) = (copy.tables, copy.contents, copy.backups)
        super.init(timeline: timeline, row: copy.row.copy())
    }

    func replica(timeline: UInt32) -> CacheMemory { CacheMemory(copy: self, timeline: timeline) }

    override func noteRestore() { tables.state.wasRestored = true }

    func backUp() { backups.append(tables) }

    /// Restores the backup with an age, or an empty store.
    func putBack(_ age: Int?) {
        _ = row.takeOver()
        guard let age, !backups.isEmpty else {
            tables = Tables()
            return
        }
        tables = backups[max(0, backups.count - 1 - age)]
        tables.state.wasRestored = true
    }

    func observe(_ source: SourceID, _ moment: Int64) { tables.observed[source] = moment }

    func forget(_ widget: WidgetID) {
        tables.state.widgets[widget] = nil
        tables.cycles[widget] = nil
    }

    func apply(_ writes: [CacheWrite], history: Int) {
        for write in writes {
            switch write {
            case .storeContent(let digest, let bytes): contents[digest] = bytes
            case .saveWidget(let id, let record): tables.state.widgets[id] = record
            case .saveSource(let id, let record): tables.state.sources[id] = record
            case .forgetSource(let id): tables.state.sources[id] = nil
            case .saveLease(let source, let lease): tables.state.leases[source] = lease
            case .endLease(let source): tables.state.leases[source] = nil
            case .saveHost(let host, let record): tables.state.hosts[host] = record
            case .forgetHost(let host): tables.state.hosts[host] = nil
            case .forgetRestore: tables.state.wasRestored = false
            case .saveCommand(let key, let record): tables.state.commands[key] = record
            case .forgetCommands(let horizon):
                tables.state.commands = tables.state.commands.filter { $0.value.at >= horizon }
            case .keep(let cycle, let record):
                let (widget, range, event) = (cycle.widget, cycle.range, cycle.event)
                tables.state.widgets[widget] = record
                var kept = tables.cycles[widget] ?? []
                kept.append(Kept(event: event, range: range))
                kept.removeFirst(max(0, kept.count - (event.data.cause == .removed ? 1 : history)))
                tables.cycles[widget] = kept
            default: break
            }
        }
    }

    func cycles(of widget: WidgetID, from: SequenceNumber) -> [Kept] {
        (tables.cycles[widget] ?? []).filter { $0.range.sequence >= from }
    }
}
