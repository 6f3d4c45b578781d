// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Locking
import Telemetry
import WebServer

/// A cache of pictures.
///
/// Requests that wait for the same picture share one drawing.
final class PictureCache: Sendable {
    static let defaultMaximumBytes = 64 * 1024 * 1024

    typealias Draw = @Sendable () async throws -> Picture

    private struct Entry {
        var picture: Picture
        var usedAt: UInt64
    }

    private struct State {
        var entries: [PictureKey: Entry] = [:]
        var names: [String: PictureKey] = [:]
        var bytes = 0
        var clock: UInt64 = 0
        var flights: [PictureKey: Task<Picture, any Error>] = [:]
    }

    private let state = Lock(State())
    private let maximumBytes: Int
    private let hits: Counter
    private let misses: Counter
    private let dropped: Counter

    init(maximumBytes: Int = defaultMaximumBytes, metrics: Metrics) {
        self.maximumBytes = maximumBytes
        hits = metrics.counter("gateway.pictureHits")
        misses = metrics.counter("gateway.pictureMisses")
        dropped = metrics.limit("gateway.pictureBytes")
    }

    /// The picture of a key; nil if it is not in the cache.
    subscript(key: PictureKey) -> Picture? {
        let picture = state.withLock { state -> Picture? in
            guard state.entries[key] != nil else { return nil }
            state.clock += 1
            state.entries[key]?.usedAt = state.clock
            return state.entries[key]?.picture
        }
        if picture != nil { hits.increment() }
        return picture
    }

    /// Returns the picture whose key's `urlText` equals `name`; nil if it is not in the cache.
    func named(_ name: String) -> Picture? {
        state.withLock { state in state.names[name].flatMap { state.entries[$0]?.picture } }
    }

    /// Returns the picture of a key from the cache; if the cache does not contain it, calls `draw` and stores the
    /// result under the key of the drawn picture.
    ///
    /// Concurrent requests for the same key share one call of `draw`. A picture larger than a quarter of the cache is
    /// not stored.
    func picture(_ key: PictureKey, draw: @escaping Draw) async throws -> Picture {
        if let picture = self[key] { return picture }
        let flight = state.withLock { state in
            if let flight = state.flights[key] { return flight }
            misses.increment()
            let flight = Task {
                defer { land(key) }
                let picture = try await draw()
                keep(picture)
                return picture
            }
            state.flights[key] = flight
            return flight
        }
        return try await flight.value
    }

    private func land(_ key: PictureKey) { state.withLock { $0.flights[key] = nil } }

    /// Stores a picture under its key, unless the cache contains it already.
    func keep(_ picture: Picture) {
        let key = picture.key
        state.withLock { state in
            guard picture.body.count <= maximumBytes / 4, state.entries[key] == nil else { return }
            state.clock += 1
            state.entries[key] = Entry(picture: picture, usedAt: state.clock)
            state.names[key.urlText] = key
            state.bytes += picture.body.count
            guard state.bytes > maximumBytes else { return }
            // The least recently used pictures are removed until the cache is half full, so that this sort runs seldom.
            for (key, entry) in state.entries.sorted(by: { $0.value.usedAt < $1.value.usedAt }) {
                guard state.bytes > maximumBytes / 2 else { break }
                state.entries[key] = nil
                state.names[key.urlText] = nil
                state.bytes -= entry.picture.body.count
                dropped.increment()
            }
        }
    }

    var bytes: Int { state.withLock(\.bytes) }
}
