// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The outcome of one lease, `fetched/SOURCE/`; its contents follow as frames, in the order of `contents`.
public struct Fetched: EventPayload {
    public static let eventType = "tidings.fetched.v1"
    public static let publisher = ServiceName.fetcher

    /// What came of asking the origin.
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
    public var validators: Validators
    /// The address to ask from now on: that of permanent redirects, or of the feed that a web page announces.
    public var location: String?
    /// SHA-256 of the body; absent where none came.
    public var bodyDigest: ContentDigest?
    public var freshness: Freshness
    /// When the origin's answer, or the failure, was there.
    public var answeredAt: Instant

    public init(
        lease: LeaseID,
        result: Result,
        contents: [ContentReference] = [],
        failure: AttemptFailure? = nil,
        validators: Validators = Validators(),
        location: String? = nil,
        bodyDigest: ContentDigest? = nil,
        freshness: Freshness = Freshness(),
        answeredAt: Instant
    ) {
        self.lease = lease
        self.result = result
        self.contents = contents
        self.failure = failure
        self.validators = validators
        self.location = location
        self.bodyDigest = bodyDigest
        self.freshness = freshness
        self.answeredAt = answeredAt
    }
}

/// What an origin gave to ask with again, byte for byte (RFC 9110, section 8.8).
public struct Validators: Codable, Hashable, Sendable {
    public var entityTag: String?
    public var lastModified: String?

    public init(entityTag: String? = nil, lastModified: String? = nil) {
        self.entityTag = entityTag
        self.lastModified = lastModified
    }
}

/// What an answer said about when to ask again, in seconds from the answer (RFC 9111).
public struct Freshness: Codable, Hashable, Sendable {
    /// From `Cache-Control: max-age` less `Age`, else from `Expires`.
    public var lifetimeSeconds: Int?
    /// From `Retry-After`.
    public var retryAfterSeconds: Int?
    /// From the feed's own `ttl`.
    public var timeToLiveSeconds: Int?

    public init(lifetimeSeconds: Int? = nil, retryAfterSeconds: Int? = nil, timeToLiveSeconds: Int? = nil) {
        self.lifetimeSeconds = lifetimeSeconds
        self.retryAfterSeconds = retryAfterSeconds
        self.timeToLiveSeconds = timeToLiveSeconds
    }
}
