// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// The pause that a host asked for and the spacing of its requests, in a form that survives a restart.
struct HostRecord: Codable, Hashable, Sendable {
    /// Not to be asked before: it said 429 or Retry-After.
    var blockedUntil: Instant?
    /// Not to be asked before: requests keep their distance.
    var nextStart: Instant?

    /// From when on the host may be asked again.
    var availableAt: Instant? {
        guard let blockedUntil, let nextStart else { return blockedUntil ?? nextStart }
        return max(blockedUntil, nextStart)
    }
}
