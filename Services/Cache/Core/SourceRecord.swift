// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// The state of one source after its last attempts.
struct SourceRecord: Codable, Hashable, Sendable {
    /// A content of the source, and its date.
    struct Held: Codable, Hashable, Sendable {
        var digest: ContentDigest
        var date: Instant
        /// The keys of a content of kind `keyValue`; nil for other kinds, and in stores of earlier versions.
        var keys: [String]?
    }

    /// The address that replaces the configured one: the target of a permanent redirect, or the feed that a web page
    /// announces.
    var location: String?
    var validators = Validators()
    var bodyDigest: ContentDigest?
    /// The time of the last answer with a body, as opposed to a 304.
    var fullAnswer: Instant?
    /// The version of the parser that made the contents: validators and digest are valid only for that version.
    var parserVersion: Int?
    /// The hints in the last document about when to fetch it again; nil if it has none.
    var advice: PublisherAdvice?
    /// The reasons why parsings rejected the last document, by ``Parsing/key``; nil if none did.
    var rejected: [String: String]?
    /// The time at which the origin first reported that the source is permanently gone; nil if it has not.
    ///
    /// Such a source is not fetched automatically.
    var goneSince: Instant?
    var cadence: Cadence?
    /// The contents by ``Parsing/key``.
    var contents: [String: Held] = [:]
    var lastAttempt: Instant?
    var nextAttempt: Instant
    /// The end of a lease that a restore made void, until which its fetcher may still wait for the origin; nil if there
    /// is none.
    var heldUntil: Instant?
    /// The number of consecutive failed attempts.
    var failures = 0
    /// The number of consecutive leases that expired without an outcome.
    var abandonedLeases = 0

    /// Returns whether the last document was parsed with a parsing, successfully or not.
    func knows(_ parsing: Parsing) -> Bool {
        contents[parsing.key] != nil || rejected?[parsing.key] != nil
    }

    init(nextAttempt: Instant) {
        self.nextAttempt = nextAttempt
    }
}
