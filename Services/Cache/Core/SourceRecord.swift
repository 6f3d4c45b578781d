// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// The record of one source from its last attempts.
struct SourceRecord: Codable, Hashable, Sendable {
    /// A content that the source gave, and when.
    struct Held: Codable, Hashable, Sendable {
        var digest: ContentDigest
        var date: Instant
        /// The keys of a content of kind `keyValue`; nil for other kinds, and in stores of earlier versions.
        var keys: [String]?
    }

    /// Asked instead of the configured address: where that has moved for good, or the feed it announces.
    var location: String?
    var validators = Validators()
    var bodyDigest: ContentDigest?
    /// When the last answer in full came.
    var fullAnswer: Instant?
    /// The parser that made the contents: validators and digest are of use for the same one only.
    var parserVersion: Int?
    /// The advice of the document that the contents come from.
    var advice: PublisherAdvice?
    /// Why that document is of no use, by the parsings that it is of none for.
    var rejected: [String: String]?
    /// Since when the origin says that it is gone for good; it is not asked by itself then.
    var goneSince: Instant?
    var cadence: Cadence?
    /// By ``Parsing/key``.
    var contents: [String: Held] = [:]
    var lastAttempt: Instant?
    var nextAttempt: Instant
    /// Failed attempts in a row.
    var failures = 0
    /// Leases in a row that ran out without an outcome.
    var abandonedLeases = 0

    /// Returns whether the last document was read by a parsing, with a content or without.
    func knows(_ parsing: Parsing) -> Bool {
        contents[parsing.key] != nil || rejected?[parsing.key] != nil
    }

    init(nextAttempt: Instant) {
        self.nextAttempt = nextAttempt
    }
}
