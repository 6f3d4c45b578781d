// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Locking
import WidgetSchema

/// A limit on the number of picture sizes that each client requests, because each size costs drawing time and memory.
final class SizeLimiter: Sendable {
    /// The maximum number of different sizes that a client may request within an hour.
    static let sizesPerHour = 24
    /// The maximum number of clients whose sizes are stored.
    static let maximumClients = 10_000

    private struct Entry {
        var sizes: Set<PanelSize> = []
        var since: ContinuousClock.Instant
    }

    private let entries = Lock<[String: Entry]>([:])

    /// Counts a picture size that a client requests; returns false if the client must not request this size now.
    ///
    /// A client may request `sizesPerHour` different sizes within one hour. The hour begins with the client's first
    /// request. The first request after this hour begins a new hour. A size that the client has already requested in
    /// the same hour is allowed and is not counted again.
    func take(_ size: PanelSize, of client: String, now: ContinuousClock.Instant = .now) -> Bool {
        entries.withLock { entries in
            if entries.count >= Self.maximumClients, entries[client] == nil {
                entries = entries.filter { now - $0.value.since < .seconds(3600) }
                // If the table is still full, all counts are forgotten, because the alternative is to reject every new
                // client.
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
