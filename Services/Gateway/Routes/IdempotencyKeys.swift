// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Digests
import Foundation
import Synchronization

/// The keys that clients gave to their writes, with the hash of what they wrote.
///
/// The cache makes one cycle for a key, however often and through whichever gateway it comes; this memory only tells a
/// repetition from another body under the same key. It belongs to one gateway process.
final class IdempotencyKeys: Sendable {
    /// The most keys that are remembered.
    static let maximumKeys = 10_000
    /// How long a key is remembered.
    static let lifetime: Duration = .seconds(24 * 3600)
    /// The longest key, in bytes.
    static let maximumKeyBytes = 255

    private struct Entry {
        var bodyHash: String
        var at: ContinuousClock.Instant
    }

    private let entries = Mutex<[String: Entry]>([:])

    /// The name of the client towards the cache: a hash of who writes what under which key.
    static func client(token: String, widget: String, key: String) -> String {
        "key-" + SHA256.hexDigest(of: "\(token)\n\(widget)\n\(key)").prefix(40)
    }

    /// Reads the header, a quoted string (draft-ietf-httpapi-idempotency-key-header); a plain one is taken as well.
    static func key(_ header: String) -> String? {
        var text = header.trimmingCharacters(in: .whitespaces)
        if text.count >= 2, text.hasPrefix("\""), text.hasSuffix("\"") { text = String(text.dropFirst().dropLast()) }
        let isPlain = text.utf8.allSatisfy { (0x20...0x7E).contains($0) && $0 != UInt8(ascii: "\"") }
        return (1...maximumKeyBytes).contains(text.utf8.count) && isPlain ? text : nil
    }

    /// Returns false if the client wrote something else before.
    func note(_ client: String, body: Data, now: ContinuousClock.Instant = .now) -> Bool {
        let hash = SHA256.hexDigest(of: body)
        return entries.withLock { entries in
            if let known = entries[client], now - known.at < Self.lifetime { return known.bodyHash == hash }
            if entries.count >= Self.maximumKeys {
                entries = entries.filter { now - $0.value.at < Self.lifetime }
                if entries.count >= Self.maximumKeys, let oldest = entries.min(by: { $0.value.at < $1.value.at }) {
                    entries[oldest.key] = nil
                }
            }
            entries[client] = Entry(bodyHash: hash, at: now)
            return true
        }
    }
}
