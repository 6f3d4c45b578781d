// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// A request that the demo origin received.
public struct RecordedRequest: Sendable, Hashable {
    public var path: String
    public var method: String
    public var headers: [String: String]
    public var receivedAt: ContinuousClock.Instant
    /// The time at which the answer was ready; nil until then.
    public var finishedAt: ContinuousClock.Instant?
    public var status: Int?

    /// Returns the value of a header; the name is case-insensitive.
    public func header(_ name: String) -> String? {
        headers[name.lowercased()]
    }
}
