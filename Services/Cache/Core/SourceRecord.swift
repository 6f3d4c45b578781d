// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// What the cache knows of one source from its last attempts.
struct SourceRecord: Codable, Hashable, Sendable {
    /// A content that the source gave, and when.
    struct Held: Codable, Hashable, Sendable {
        var digest: ContentDigest
        var date: Instant
    }

    /// Asked instead of the configured address: where that has moved for good, or the feed it announces.
    var location: String?
    var validators = Validators()
    var bodyDigest: ContentDigest?
    /// By ``Parsing/key``.
    var contents: [String: Held] = [:]
    var lastAttempt: Instant?
    var nextAttempt: Instant
    /// Failed attempts in a row.
    var failures = 0
    /// Leases in a row that ran out without an outcome.
    var abandonedLeases = 0

    init(nextAttempt: Instant) {
        self.nextAttempt = nextAttempt
    }
}
