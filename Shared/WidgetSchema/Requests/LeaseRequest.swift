// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// A fetcher's request for work, and its report of what became of the last.
///
/// The same request id gets the same leases. The cache holds an answer without leases back until something is due or
/// half the request's deadline has passed.
public struct LeaseRequest: RequestBody {
    public static let name = "lease"
    public typealias Result = LeaseAnswer

    /// The number of leases wanted; zero only reports.
    public var slots: Int
    /// Leases whose outcome was published and not yet acknowledged.
    public var unacknowledged: [LeaseID]
    /// Leases that will not be started.
    public var givenBack: [LeaseID]
    /// The fetcher's parser: what another one made is asked for in full.
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

/// The leases that a request got.
public struct LeaseAnswer: Codable, Hashable, Sendable {
    public var leases: [Lease]
    /// Those of `unacknowledged` whose outcome has not arrived; it is published again.
    public var open: [LeaseID]

    public init(leases: [Lease] = [], open: [LeaseID] = []) {
        self.leases = leases
        self.open = open
    }
}

/// The right, and the order, to fetch one source once.
public struct Lease: Codable, Hashable, Sendable {
    public var id: LeaseID
    public var source: SourceID
    /// http or https; or `file:` and a path below the directory that is an option of the fetcher.
    public var url: String
    public var headers: [RequestHeader]
    /// A Boolean value that indicates whether private, loopback and link-local addresses may be connected to.
    public var allowPrivateNetworks: Bool
    public var validators: Validators
    /// SHA-256 of the last body: the same one need not be parsed again.
    public var bodyDigest: ContentDigest?
    public var parsings: [Parsing]
    /// Counted by the fetcher from when it first sent the request.
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
/// Its value may be a secret: whoever prints a header, or what has one in it, sees its name only.
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
