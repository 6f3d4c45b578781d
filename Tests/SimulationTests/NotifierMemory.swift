// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import WidgetSchema

@testable import Notifier

/// The notifier's store: the committed data and its owner.
final class NotifierMemory {
    struct Tables {
        var positions: [WidgetID: WidgetPosition] = [:]
        var updates: [WidgetID: [StoredUpdate]] = [:]
        /// The number of the last update of the stream.
        var lastOffset: UInt64 = 0
    }

    var tables = Tables()
    private var epochs: UInt64 = 1
    let row = StoreOwner()
    private var backups: [Tables] = []

    /// The position of the last update.
    var end: StreamOffset {
        let digits = String(epochs, radix: 16)
        guard let epoch = StreamEpoch(rawValue: String(repeating: "0", count: 16 - digits.count) + digits) else {
            preconditionFailure("16 digits")
        }
        return StreamOffset(epoch: epoch, number: tables.lastOffset)
    }

    func backUp() { backups.append(tables) }

    /// Puts a backup back, or nothing, as a store whose updates `keepsEpoch` says to number on.
    func putBack(_ age: Int?, keepsEpoch: Bool) {
        _ = row.takeOver()
        defer { if !keepsEpoch { beginEpoch() } }
        guard let age, !backups.isEmpty else {
            tables = Tables()
            return
        }
        tables = backups[max(0, backups.count - 1 - age)]
    }

    /// Numbers the last update of each widget; earlier ones are in no epoch.
    private func beginEpoch() {
        epochs += 1
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
