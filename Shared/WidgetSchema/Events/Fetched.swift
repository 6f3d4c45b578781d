// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The outcome of one lease, `fetched/SOURCE/`; its contents follow as frames, in the order of `contents`.
public struct Fetched: EventPayload {
    public static let eventType = "tidings.fetched.v1"
    public static let publisher = ServiceName.fetcher

    /// The result of a request to the origin.
    public enum Result: String, Codable, CaseIterable, Sendable {
        /// The answer had a body, which was parsed.
        case content
        /// The body equals the last one, byte for byte; it was not parsed again.
        case sameBytes
        /// The origin answered 304.
        case notModified
        case failed
    }

    public var lease: LeaseID
    public var result: Result
    public var contents: [ContentReference]
    public var failure: AttemptFailure?
    /// The parsings that could not be applied to the body, besides those in `contents`.
    public var rejected: [RejectedParsing]?
    public var validators: Validators
    /// The address for later requests: the target of permanent redirects, or the feed that a web page announces.
    public var location: String?
    /// SHA-256 of the body; nil if there was no body.
    public var bodyDigest: ContentDigest?
    public var freshness: Freshness
    /// The publisher's advice in the document on when it changes; nil if no document was parsed, or if it contains
    /// none.
    public var advice: PublisherAdvice?
    /// The host that answered; nil if it is that of the leased address.
    public var answeredBy: String?
    /// The version of the parser that made the contents: another version may produce different contents from the same
    /// bytes.
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
        bodyDigest: ContentDigest? = nil,
        freshness: Freshness = Freshness(),
        advice: PublisherAdvice? = nil,
        answeredBy: String? = nil,
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
        self.bodyDigest = bodyDigest
        self.freshness = freshness
        self.advice = advice
        self.answeredBy = answeredBy
        self.parserVersion = parserVersion
        self.answeredAt = answeredAt
    }
}

/// The validators that an origin sent for conditional requests, unchanged (RFC 9110, section 8.8).
public struct Validators: Codable, Hashable, Sendable {
    public var entityTag: String?
    public var lastModified: String?

    public init(entityTag: String? = nil, lastModified: String? = nil) {
        self.entityTag = entityTag
        self.lastModified = lastModified
    }
}

/// The freshness of an answer, in seconds from the answer (RFC 9111).
public struct Freshness: Codable, Hashable, Sendable {
    /// The freshness lifetime: from `Cache-Control: max-age` minus `Age`, else from `Expires`.
    public var lifetimeSeconds: Int?
    /// The wait that the answer requests: from `Retry-After`, else from the fields of an exhausted rate limit.
    public var retryAfterSeconds: Int?

    public init(lifetimeSeconds: Int? = nil, retryAfterSeconds: Int? = nil) {
        self.lifetimeSeconds = lifetimeSeconds
        self.retryAfterSeconds = retryAfterSeconds
    }
}

/// The advice in a document on when it changes; it can lengthen an interval, but never shorten it.
public struct PublisherAdvice: Codable, Hashable, Sendable {
    /// The interval from the `ttl` of RSS 2.0, which is in minutes.
    public var timeToLiveSeconds: Int?
    /// The interval from `sy:updatePeriod` and `sy:updateFrequency`.
    public var updateIntervalSeconds: Int?
    /// The hours of the day in UTC, 0 to 23, in which nothing is published; ascending.
    public var skippedHours: [Int]
    /// The days of the week in UTC, 1 for Monday to 7 for Sunday, on which nothing is published; ascending.
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
    /// One sentence for a person, including the place of the problem.
    public var message: String

    public init(parsing: String, message: String) {
        self.parsing = parsing
        self.message = message
    }
}
