// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The outcome of a fetch under one lease, published as `fetched/SOURCE/`.
///
/// The JSON of each content follows as a frame, in the order of ``contents``.
public struct Fetched: EventPayload {
    public static let eventType = "tidings.fetched.v1"
    public static let publisher = ServiceName.fetcher

    /// The result of a request to the origin.
    public enum Result: String, Codable, CaseIterable, Sendable {
        /// The answer had a body, which was parsed.
        case content
        /// The body is identical to the last body of the source, so it was not parsed again.
        case sameBytes
        /// The origin answered 304 (Not Modified), without a body.
        case notModified
        case failed
    }

    public var lease: LeaseID
    public var result: Result
    public var contents: [ContentReference]
    public var failure: AttemptFailure?
    /// The requested parsings that could not be applied to the body; nil if there are none.
    ///
    /// The results of all other requested parsings are in ``contents``.
    public var rejected: [RejectedParsing]?
    public var validators: Validators
    /// The address to use for later requests; nil if the address does not change.
    ///
    /// The new address is the target of permanent redirects, or the address of the feed that a web page announces.
    public var location: String?
    /// The address of the feed that a web page at the lease's URL announces; nil if there was no such page.
    ///
    /// If there is content, it was fetched from this address. If the attempt failed, the address was not used, or the
    /// request to it failed.
    public var announced: String?
    /// SHA-256 of the body; nil if there was no body.
    public var bodyDigest: ContentDigest?
    public var freshness: Freshness
    /// The hints in the document about when to fetch it again; nil if no document was parsed, or if it contains no
    /// hints.
    public var advice: PublisherAdvice?
    /// The host that answered after redirects; nil if the answer came from the host of the lease's URL.
    public var answeredBy: String?
    /// A Boolean value that indicates whether the answer came by HTTP/1.1 after HTTP/2 had failed; nil means false.
    public var failedHTTP2: Bool?
    /// A Boolean value that indicates whether the source is a file that does not exist; nil means false.
    public var isMissing: Bool?
    /// The version of the fetcher's parser; nil if the result is ``Result/notModified`` or ``Result/failed``.
    ///
    /// Two versions of the parser may produce different contents from the same body.
    public var parserVersion: Int?
    /// The time of the origin's answer or of the failure.
    public var answeredAt: Instant

    public init(
        lease: LeaseID,
        result: Result,
        contents: [ContentReference] = [],
        failure: AttemptFailure? = nil,
        rejected: [RejectedParsing]? = nil,
        validators: Validators = Validators(),
        location: String? = nil,
        announced: String? = nil,
        bodyDigest: ContentDigest? = nil,
        freshness: Freshness = Freshness(),
        advice: PublisherAdvice? = nil,
        answeredBy: String? = nil,
        failedHTTP2: Bool? = nil,
        isMissing: Bool? = nil,
        parserVersion: Int? = nil,
        answeredAt: Instant
    ) {
        self.lease = lease
        self.result = result
        self.contents = contents
        self.failure = failure
        self.rejected = rejected
        self.validators = validators
        self.location = location
        self.announced = announced
        self.bodyDigest = bodyDigest
        self.freshness = freshness
        self.advice = advice
        self.answeredBy = answeredBy
        self.failedHTTP2 = failedHTTP2
        self.isMissing = isMissing
        self.parserVersion = parserVersion
        self.answeredAt = answeredAt
    }
}

/// The validators for conditional requests, exactly as the origin sent them (RFC 9110, section 8.8).
public struct Validators: Codable, Hashable, Sendable {
    public var entityTag: String?
    public var lastModified: String?

    public init(entityTag: String? = nil, lastModified: String? = nil) {
        self.entityTag = entityTag
        self.lastModified = lastModified
    }
}

/// The delays that the headers of an answer specify for the next request, in seconds (RFC 9111).
public struct Freshness: Codable, Hashable, Sendable {
    /// The freshness lifetime; nil if the answer does not specify it.
    ///
    /// With `Cache-Control: no-store` or `no-cache`, the value is 0. With `max-age`, it is `max-age` minus `Age`.
    /// Otherwise, it is the time until `Expires`.
    public var lifetimeSeconds: Int?
    /// The time that the host asks clients to wait; nil if the host does not ask clients to wait.
    ///
    /// If the status is 400 or above, the value is from `Retry-After`. Otherwise, or if this header is missing, it is
    /// from the rate-limit headers. The rate-limit headers are used only if no requests remain, or if the status is 429
    /// or 503.
    public var retryAfterSeconds: Int?

    public init(lifetimeSeconds: Int? = nil, retryAfterSeconds: Int? = nil) {
        self.lifetimeSeconds = lifetimeSeconds
        self.retryAfterSeconds = retryAfterSeconds
    }
}

/// The hints in a document about when to fetch it again.
///
/// They can lengthen the configured interval between fetches, but never shorten it.
public struct PublisherAdvice: Codable, Hashable, Sendable {
    /// The interval between fetches in the element `ttl` of RSS 2.0, in seconds; nil if the document has no valid
    /// `ttl`.
    ///
    /// In the document, the value is in minutes.
    public var timeToLiveSeconds: Int?
    /// The time between two changes of a feed, in seconds; nil if the feed has no valid `sy:updatePeriod`.
    ///
    /// The value is the period in `sy:updatePeriod` divided by the number in `sy:updateFrequency`, or by 1 if the feed
    /// has no such number.
    public var updateIntervalSeconds: Int?
    /// The hours of the day in which nothing is published, in UTC: 0 to 23, in ascending order.
    public var skippedHours: [Int]
    /// The days of the week on which nothing is published, in UTC: 1 for Monday to 7 for Sunday, in ascending order.
    public var skippedDays: [Int]

    public init(
        timeToLiveSeconds: Int? = nil,
        updateIntervalSeconds: Int? = nil,
        skippedHours: [Int] = [],
        skippedDays: [Int] = []
    ) {
        self.timeToLiveSeconds = timeToLiveSeconds
        self.updateIntervalSeconds = updateIntervalSeconds
        self.skippedHours = skippedHours
        self.skippedDays = skippedDays
    }
}

/// A parsing that could not be applied to a body, with the reason.
public struct RejectedParsing: Codable, Hashable, Sendable {
    /// The key of the parsing, ``Parsing/key``.
    public var parsing: String
    /// The reason in one sentence for a person, with the place of the problem.
    public var message: String

    public init(parsing: String, message: String) {
        self.parsing = parsing
        self.message = message
    }
}
