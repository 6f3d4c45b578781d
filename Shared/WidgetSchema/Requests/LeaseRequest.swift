// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// A fetcher's request for leases, and its report about earlier leases.
///
/// A repeated request has the same request id, and gets the same leases. If no source is due, the cache delays its
/// answer until a source is due. The delay is at most 2 s (the cache's default limit), a quarter of the lease's duration,
/// or half of the request's deadline, whichever is shortest.
///
/// The cache answers without delay in these cases:
/// - ``slots`` is zero.
/// - ``givenBack`` is not empty.
/// - The cache has not received the outcome of a lease in ``unacknowledged``.
public struct LeaseRequest: RequestBody {
    public static let name = "lease"
    public typealias Result = LeaseAnswer

    /// The maximum number of leases in the answer; zero if the request is only a report.
    public var slots: Int
    /// The leases whose outcome was published, but not yet acknowledged by the cache.
    public var unacknowledged: [LeaseID]
    /// The leases that the fetcher returns to the cache because it will not fetch their sources.
    public var givenBack: [LeaseID]
    /// The version of the fetcher's parser; nil if the fetcher does not send its version.
    ///
    /// If the stored contents were made by another version, the lease has no validators and no ``Lease/bodyDigest``.
    /// The origin then sends the document again, and the fetcher parses it. Nil counts as a version that differs from
    /// every number.
    public var parserVersion: Int?

    public init(
        slots: Int,
        unacknowledged: [LeaseID] = [],
        givenBack: [LeaseID] = [],
        parserVersion: Int? = nil
    ) {
        self.slots = slots
        self.unacknowledged = unacknowledged
        self.givenBack = givenBack
        self.parserVersion = parserVersion
    }
}

/// The answer to a ``LeaseRequest``: new leases, and the earlier leases whose outcome the cache has not received.
public struct LeaseAnswer: Codable, Hashable, Sendable {
    public var leases: [Lease]
    /// The leases in ``LeaseRequest/unacknowledged`` whose outcome the cache has not received.
    ///
    /// The fetcher publishes the outcomes of these leases again. For the other leases in
    /// ``LeaseRequest/unacknowledged``, this answer is the acknowledgement: the fetcher forgets their outcomes.
    public var open: [LeaseID]

    public init(leases: [Lease] = [], open: [LeaseID] = []) {
        self.leases = leases
        self.open = open
    }
}

/// A fetcher's task to fetch one source once, within the duration of the lease.
public struct Lease: Codable, Hashable, Sendable {
    public var id: LeaseID
    public var source: SourceID
    /// The address of the source: an http or https URL, or `file:` with a path below the directory in the fetcher's
    /// option `--files`.
    ///
    /// Without this option, the directory is the value of the environment variable `TIDINGS_FILES`.
    public var url: String
    public var headers: [RequestHeader]
    /// A Boolean value that indicates whether connections to private, loopback and link-local addresses are allowed.
    public var allowPrivateNetworks: Bool
    public var validators: Validators
    /// The SHA-256 of the last body of the source; nil if every body must be parsed, even an unchanged one.
    ///
    /// A body with this digest need not be parsed again.
    public var bodyDigest: ContentDigest?
    public var parsings: [Parsing]
    /// A Boolean value that indicates whether the feed that a web page announces may be fetched in place of the page; nil
    /// means false.
    ///
    /// The cache allows it before the first content of a source. Later, a page in place of the feed is a failure: it may
    /// be a login page, or a page about the feed's end.
    public var mayFollowPages: Bool?
    /// A Boolean value that indicates whether HTTP/2 must not be used, because its use failed recently; nil means false.
    public var avoidsHTTP2: Bool?
    /// The duration of the lease, counted from the time at which the fetcher first sent the lease request.
    public var durationMilliseconds: Int

    public init(
        id: LeaseID,
        source: SourceID,
        url: String,
        headers: [RequestHeader] = [],
        allowPrivateNetworks: Bool = false,
        validators: Validators = Validators(),
        bodyDigest: ContentDigest? = nil,
        parsings: [Parsing],
        mayFollowPages: Bool? = nil,
        avoidsHTTP2: Bool? = nil,
        durationMilliseconds: Int
    ) {
        self.id = id
        self.source = source
        self.url = url
        self.headers = headers
        self.allowPrivateNetworks = allowPrivateNetworks
        self.validators = validators
        self.bodyDigest = bodyDigest
        self.parsings = parsings
        self.mayFollowPages = mayFollowPages
        self.avoidsHTTP2 = avoidsHTTP2
        self.durationMilliseconds = durationMilliseconds
    }
}

/// An HTTP header that the configuration of a source adds to requests to the origin.
///
/// The value may be a secret. Descriptions of a header, and of values that contain a header, show only the header's
/// name.
public struct RequestHeader: Codable, Hashable, Sendable, CustomStringConvertible, CustomReflectable {
    public var name: String
    public var value: String

    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }

    public var description: String { "\(name): …" }
    public var customMirror: Mirror { Mirror(self, children: ["name": name]) }

    /// Returns whether headers with this name never contain a secret, so that any server may receive them.
    public static func isHarmless(_ name: String) -> Bool { harmlessNames.contains(name.lowercased()) }

    /// The conditions are those of the fetcher, which asks again where a redirect leads.
    private static let harmlessNames: Set<String> = [
        "accept", "accept-language", "cache-control", "content-type", "if-modified-since", "if-none-match",
        "user-agent",
    ]
}
