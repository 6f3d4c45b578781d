// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// A request that the origin received.
package struct RecordedRequest: Sendable, Hashable {
    package var path: String
    package var method: String
    package var headers: [String: String]
    package var receivedAt: ContinuousClock.Instant
    /// The time at which the answer was ready; nil until then.
    package var finishedAt: ContinuousClock.Instant?
    package var status: Int?

    /// Returns the value of a header; the name is case-insensitive.
    package func header(_ name: String) -> String? {
        headers[name.lowercased()]
    }
}
