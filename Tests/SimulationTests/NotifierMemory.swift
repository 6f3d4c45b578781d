// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import WidgetSchema

@testable import Notifier

/// The notifier's store on one server: the committed data and its owner.
final class NotifierMemory: SimulatedServer, ReplicatedServer {
    /// The number of the latest epoch of any server.
    private final class Epochs {
        var last: UInt64 = 1
    }

    struct Tables {
        var epoch: UInt64 = 1
        /// A Boolean value that indicates whether the store may be older than the last published updates.
        var wasRestored = false
        var positions: [WidgetID: WidgetPosition] = [:]
        var updates: [WidgetID: [StoredUpdate]] = [:]
        /// The number of the last update of the stream.
        var lastOffset: UInt64 = 0
    }

    var tables = Tables()
    private let epochs: Epochs
    private var backups: [Tables] = []

    init(timeline: UInt32) {
        epochs = Epochs()
        super.init(timeline: timeline, row: StoreOwner())
    }

    private init(copy: NotifierMemory, timeline: UInt32) {
        (tables, epochs, backups) = (copy.tables, copy.epochs, copy.backups)
        super.init(timeline: timeline, row: copy.row.copy())
    }

    func replica(timeline: UInt32) -> NotifierMemory { NotifierMemory(copy: self, timeline: timeline) }

    override func noteRestore() { tables.wasRestored = true }

    /// The position of the last update.
    var end: StreamOffset {
        let digits = String(tables.epoch, radix: 16)
        guard let epoch = StreamEpoch(rawValue: String(repeating: "0", count: 16 - digits.count) + digits) else {
            preconditionFailure("16 digits")
        }
        return StreamOffset(epoch: epoch, number: tables.lastOffset)
    }

    func backUp() { backups.append(tables) }

    /// Puts a backup back, or nothing, as a store whose updates `keepsEpoch` says to number on.
    func putBack(_ age: Int?, keepsEpoch: Bool) {
        _ = row.takeOver()
        let epoch = tables.epoch
        tables = age.flatMap { backups.isEmpty ? nil : backups[max(0, backups.count - 1 - $0)] } ?? Tables()
        tables.epoch = epoch
        if !keepsEpoch { beginEpoch() }
    }

    /// Begins a new epoch if the store was restored.
    func acceptRestore() {
        guard tables.wasRestored else { return }
        tables.wasRestored = false
        beginEpoch()
    }

    /// Numbers the last update of each widget; earlier ones are in no epoch.
    private func beginEpoch() {
        epochs.last += 1
        tables.epoch = epochs.last
        tables.lastOffset = 0
        for (widget, updates) in tables.updates.sorted(by: { $0.key < $1.key }) {
            var updates = updates
            for index in updates.indices { updates[index].offset = 0 }
            if let last = updates.indices.last,
                var event = try? WireJSON.decode(Event<Update>.self, from: updates[last].event)
            {
                tables.lastOffset += 1
                updates[last].offset = tables.lastOffset
                event.offset = end
                updates[last].event = (try? WireJSON.encode(event)) ?? updates[last].event
            }
            tables.updates[widget] = updates
        }
    }
}
