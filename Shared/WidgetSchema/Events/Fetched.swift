// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The outcome of one lease, `fetched/SOURCE/`; its contents follow as frames, in the order of `contents`.
public struct Fetched: EventPayload {
    public static let eventType = "tidings.fetched.v1"
    public static let publisher = ServiceName.fetcher

    /// The result of asking the origin.
    public enum Result: String, Codable, CaseIterable, Sendable {
        /// A body that was parsed.
        case content
        /// The body of the attempt before, byte for byte; it was not parsed again.
        case sameBytes
        /// 304.
        case notModified
        case failed
    }

    public var lease: LeaseID
    public var result: Result
    public var contents: [ContentReference]
    public var failure: AttemptFailure?
    /// Parsings that the body was of no use for, beside those in `contents`.
    public var rejected: [RejectedParsing]?
    public var validators: Validators
    /// The address to ask from now on: that of permanent redirects, or of the feed that a web page announces.
    public var location: String?
    /// SHA-256 of the body; absent where none came.
    public var bodyDigest: ContentDigest?
    public var freshness: Freshness
    /// The document's advice about its changes; absent if none was parsed, or if it gives none.
    public var advice: PublisherAdvice?
    /// The host that answered, where that is not the one of the leased address.
    public var answeredBy: String?
    /// Which parser made the contents: another one may make something else of the same bytes.
    public var parserVersion: Int?
    /// When the origin's answer, or the failure, was there.
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

/// The validators of an origin's answer, byte for byte (RFC 9110, section 8.8).
public struct Validators: Codable, Hashable, Sendable {
    public var entityTag: String?
    public var lastModified: String?

    public init(entityTag: String? = nil, lastModified: String? = nil) {
        self.entityTag = entityTag
        self.lastModified = lastModified
    }
}

/// The freshness that an answer declared, in seconds from the answer (RFC 9111).
public struct Freshness: Codable, Hashable, Sendable {
    /// From `Cache-Control: max-age` less `Age`, else from `Expires`.
    public var lifetimeSeconds: Int?
    /// From `Retry-After`, else from the fields of a rate limit that is used up.
    public var retryAfterSeconds: Int?

    public init(lifetimeSeconds: Int? = nil, retryAfterSeconds: Int? = nil) {
        self.lifetimeSeconds = lifetimeSeconds
        self.retryAfterSeconds = retryAfterSeconds
    }
}

/// A document's advice about its changes; it can make an interval longer but never shorter.
public struct PublisherAdvice: Codable, Hashable, Sendable {
    /// From the `ttl` of RSS 2.0, there in minutes.
    public var timeToLiveSeconds: Int?
    /// From `sy:updatePeriod` and `sy:updateFrequency`.
    public var updateIntervalSeconds: Int?
    /// The hours of the day in UTC, 0 to 23, in which nothing new comes; in order.
    public var skippedHours: [Int]
    /// The days of the week in UTC, 1 for Monday to 7 for Sunday, on which nothing new comes; in order.
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

/// A parsing that a body was of no use for, and why.
public struct RejectedParsing: Codable, Hashable, Sendable {
    /// ``Parsing/key``.
    public var parsing: String
    /// One sentence for a person, with the place.
    public var message: String

    public init(parsing: String, message: String) {
        self.parsing = parsing
        self.message = message
    }
}
