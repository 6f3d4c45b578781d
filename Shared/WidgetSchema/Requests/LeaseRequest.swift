// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// A fetcher's request for leases, and its report about earlier leases.
///
/// If a request is repeated with the same id, the answer contains the same leases. If no source is due, the cache
/// delays its answer until one is, for at most half of the request's deadline.
public struct LeaseRequest: RequestBody {
    public static let name = "lease"
    public typealias Result = LeaseAnswer

    /// The maximum number of leases in the answer; zero if the request is only a report.
    public var slots: Int
    /// The leases whose outcome was published but not yet acknowledged.
    public var unacknowledged: [LeaseID]
    /// The leases that the fetcher will not start.
    public var givenBack: [LeaseID]
    /// The version of the fetcher's parser.
    ///
    /// If the stored contents were made by another version, the lease has no validators and no ``Lease/bodyDigest``, so
    /// that the document is sent and parsed again.
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

/// The leases for a request.
public struct LeaseAnswer: Codable, Hashable, Sendable {
    public var leases: [Lease]
    /// The leases in ``LeaseRequest/unacknowledged`` whose outcome has not arrived.
    ///
    /// The fetcher publishes these outcomes again; all others are acknowledged by this answer.
    public var open: [LeaseID]

    public init(leases: [Lease] = [], open: [LeaseID] = []) {
        self.leases = leases
        self.open = open
    }
}

/// The task of a fetcher to fetch one source once, before the lease ends.
public struct Lease: Codable, Hashable, Sendable {
    public var id: LeaseID
    public var source: SourceID
    /// An http or https URL, or `file:` with a path below the directory in the fetcher's options.
    public var url: String
    public var headers: [RequestHeader]
    /// A Boolean value that indicates whether connections to private, loopback and link-local addresses are allowed.
    public var allowPrivateNetworks: Bool
    public var validators: Validators
    /// The SHA-256 of the last body, which need not be parsed again if it is unchanged; nil if any body must be parsed.
    public var bodyDigest: ContentDigest?
    public var parsings: [Parsing]
    /// The duration of the lease, which the fetcher counts from the first time it sent the request.
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
        self.durationMilliseconds = durationMilliseconds
    }
}

/// A header that a source's configuration adds to its requests.
///
/// The value may be a secret: descriptions of a header, and of values that contain it, show only its name.
public struct RequestHeader: Codable, Hashable, Sendable, CustomStringConvertible, CustomReflectable {
    public var name: String
    public var value: String

    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }

    public var description: String { "\(name): …" }
    public var customMirror: Mirror { Mirror(self, children: ["name": name]) }
}
