// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Locking

/// The limit on each client's requests per minute; each client has a token bucket.
///
/// A client may send some requests at once: a tenth of the limit per minute, but at least one request.
final class RateLimiter: Sendable {
    /// The maximum number of clients with a stored bucket.
    ///
    /// When this number is reached, all full buckets are removed: those of clients that sent few requests recently. If
    /// no bucket is full, all buckets are removed.
    static let maximumClients = 50_000

    private struct Bucket {
        var tokens: Double
        var at: ContinuousClock.Instant
    }

    private let buckets = Lock<[String: Bucket]>([:])
    private let perSecond: Double
    private let burst: Double

    /// Creates a limiter; 0 requests per minute means no limit.
    init(perMinute: Int) {
        perSecond = Double(perMinute) / 60
        burst = max(1, Double(perMinute) / 10)
    }

    /// Counts one request of a client.
    ///
    /// If the client has sent too many requests, returns the number of seconds to wait; otherwise returns nil.
    func take(_ client: String, now: ContinuousClock.Instant = .now) -> Int? {
        guard perSecond > 0 else { return nil }
        return buckets.withLock { buckets in
            if buckets.count >= Self.maximumClients, buckets[client] == nil {
                // A full bucket is not needed, because a client without a bucket gets a full one.
                buckets = buckets.filter { filled($0.value, now: now) < burst }
                if buckets.count >= Self.maximumClients { buckets = [:] }
            }
            let tokens = buckets[client].map { filled($0, now: now) } ?? burst
            guard tokens >= 1 else { return Int(((1 - tokens) / perSecond).rounded(.up)) }
            buckets[client] = Bucket(tokens: tokens - 1, at: now)
            return nil
        }
    }

    private func filled(_ bucket: Bucket, now: ContinuousClock.Instant) -> Double {
        min(burst, bucket.tokens + (now - bucket.at) / .seconds(1) * perSecond)
    }
}
