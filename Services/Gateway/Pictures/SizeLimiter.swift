// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Synchronization
import WidgetSchema

/// Counts the picture sizes that each client chose: a size has to be drawn, and takes memory.
final class SizeLimiter: Sendable {
    /// The sizes of a client in an hour.
    static let sizesPerHour = 24
    /// The most clients that are remembered.
    static let maximumClients = 10_000

    private struct Entry {
        var sizes: Set<PanelSize> = []
        var since: ContinuousClock.Instant
    }

    private let entries = Mutex<[String: Entry]>([:])

    /// Returns false if the client has chosen too many other sizes within the hour.
    func take(_ size: PanelSize, of client: String, now: ContinuousClock.Instant = .now) -> Bool {
        entries.withLock { entries in
            if entries.count >= Self.maximumClients, entries[client] == nil {
                entries = entries.filter { now - $0.value.since < .seconds(3600) }
                // Rather nobody is refused by mistake than everybody.
                if entries.count >= Self.maximumClients { entries = [:] }
            }
            var entry = entries[client] ?? Entry(since: now)
            if now - entry.since >= .seconds(3600) { entry = Entry(since: now) }
            guard entry.sizes.contains(size) || entry.sizes.count < Self.sizesPerHour else { return false }
            entry.sizes.insert(size)
            entries[client] = entry
            return true
        }
    }
}
