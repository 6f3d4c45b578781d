// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// The times before which a host must not receive a request, or none by HTTP/2; they are stored, so that they survive a
/// restart.
struct HostRecord: Codable, Hashable, Sendable {
    /// The end of the pause that the host has requested with a 429 or a Retry-After; nil if it has requested none.
    var blockedUntil: Instant?
    /// The earliest start of the next request; nil if there is no limit.
    ///
    /// It is the start of the last request plus the minimum time between two requests.
    var nextStart: Instant?
    /// The time until which requests to the host use HTTP/1.1, because HTTP/2 failed; nil if it has not failed.
    var withoutHTTP2Until: Instant?

    /// The time for which HTTP/2 is not used after it failed.
    static let http2Pause: Duration = .seconds(24 * 3_600)

    /// Returns whether requests to the host should use HTTP/1.1.
    func avoidsHTTP2(at now: Instant) -> Bool { withoutHTTP2Until.map { $0 > now } ?? false }

    /// The time from which the host may receive a request; nil if it may receive one at any time.
    var availableAt: Instant? {
        guard let blockedUntil, let nextStart else { return blockedUntil ?? nextStart }
        return max(blockedUntil, nextStart)
    }
}
