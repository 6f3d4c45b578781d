// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// The state of one source after its last fetch.
struct SourceRecord: Codable, Hashable, Sendable {
    /// The digest, the date and the keys of a content that was made from the source's document or from a push.
    ///
    /// `date` is the time of the first answer or push with this content. It stays the same until the content changes.
    struct StoredContent: Codable, Hashable, Sendable {
        var digest: ContentDigest
        var date: Instant
        /// The keys of a content of kind `keyValue`; nil for other kinds, and in records of earlier versions.
        var keys: [String]?
    }

    /// The address that is fetched instead of the configured one; nil if the source has not moved.
    ///
    /// It is the target of a permanent redirect, or the address of the feed that a web page announces. Even so, some
    /// attempts go to the configured address: see ``asksConfiguredAddress``.
    var location: String?
    /// The time of the last attempt at the configured address; nil if the source has not moved, and in records of
    /// earlier versions.
    var configuredAttempt: Instant?
    /// A Boolean value that indicates whether the next attempt goes to the configured address because the last one at
    /// ``location`` failed: permanently, or as the third in a row.
    @OmittedIfDefault var doubtsLocation = false
    /// A Boolean value that indicates whether a web page at the configured address announced ``location``.
    @OmittedIfDefault var isAnnounced = false
    /// A Boolean value that indicates whether a web page at the configured address may announce another address: the
    /// last attempt at ``location`` was answered with 404 or 410, or the page named a feed on its own host.
    @OmittedIfDefault var mayLookForFeed = false
    /// A Boolean value that indicates whether the source is a file that does not exist, and has never been read.
    @OmittedIfDefault var isMissing = false
    var validators = Validators()
    var bodyDigest: ContentDigest?
    /// The time of the last answer that contained the document; nil if there was none.
    ///
    /// An answer with the status 304 does not contain the document.
    var fullAnswer: Instant?
    /// The version of the parser that made `contents`; nil if the version is not known.
    ///
    /// `validators` and `bodyDigest` are sent only to fetchers whose parser has the same version.
    var parserVersion: Int?
    /// The publisher's hints in the last document about when to fetch it again; nil if the document has none.
    var advice: PublisherAdvice?
    /// The reasons why parsings rejected the last document, by ``Parsing/key``; nil if no parsing rejected it.
    var rejected: [String: String]?
    /// The time at which the origin first reported that the source is permanently gone; nil if the source is not gone.
    ///
    /// A source that is gone is not fetched automatically.
    var goneSince: Instant?
    var cadence: Cadence?
    /// The contents that the parsings have made from the source's document, by ``Parsing/key``.
    var contents: [String: StoredContent] = [:]
    var lastAttempt: Instant?
    var nextAttempt: Instant
    /// The end of the pause that the last answer asked for; nil if it asked for none.
    ///
    /// The answer may come from another host than the requested one, after a redirect. The pauses in ``HostRecord`` are
    /// found only by the host that is requested.
    var notBefore: Instant?
    /// The value of ``plannedInterval`` in milliseconds.
    private var intervalMilliseconds: Int64?
    /// The original end of a lease that was ended early, because the store was restored; nil if there is no such lease.
    ///
    /// The fetcher of this lease may wait for the origin until this time, so the source is not fetched earlier.
    var heldUntil: Instant?
    /// The number of consecutive failed attempts.
    var failures = 0
    /// The number of consecutive leases that expired without an outcome.
    var abandonedLeases = 0
    /// The earliest time at which a panel may show the source; nil if no wake is known, or if it has been fetched for it.
    ///
    /// Only for a source that is fetched when it is shown, as the following properties.
    var wantedAt: Instant?
    /// The first wanted time that passed without a success since the last one; nil if there was none.
    var missedAt: Instant?
    /// A Boolean value that indicates whether a command, or a widget with another parsing, demands the next attempt.
    @OmittedIfDefault var isDemanded = false
    /// The recent times in milliseconds from the planned beginnings of attempts to their outcomes; nil if there are none.
    var latencies: [Int]?

    /// The regular interval at the last attempt; nil before the first one, and in records of earlier versions.
    var plannedInterval: Duration? {
        get { intervalMilliseconds.map { Duration.milliseconds($0) } }
        set { intervalMilliseconds = newValue?.wholeMilliseconds }
    }

    /// Returns whether the last document was parsed with `parsing`, successfully or not.
    func knows(_ parsing: Parsing) -> Bool {
        contents[parsing.key] != nil || rejected?[parsing.key] != nil
    }

    /// A Boolean value that indicates whether the source has ever been read.
    var hasBeenRead: Bool { fullAnswer != nil || !contents.isEmpty }

    init(nextAttempt: Instant) {
        self.nextAttempt = nextAttempt
    }
}
