// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The failure of an attempt, with the time of the next attempt.
public struct AttemptFailure: Codable, Hashable, Sendable {
    public enum Class: String, Codable, CaseIterable, Sendable {
        /// The failure is temporary: no connection, a timeout or a 5xx.
        case transient
        /// The host asked for fewer requests: 429, or 503 with Retry-After.
        case rateLimited
        /// The failure persists until the source or its configuration changes: 404, 410 or a forbidden address.
        case permanent
        /// The answer could not be parsed.
        case malformed
    }

    public var `class`: Class
    /// One sentence for a person, including the place of the problem.
    public var message: String
    /// The HTTP status code; nil if there was no answer.
    public var status: Int?
    public var nextAttempt: Instant?

    public init(class: Class, message: String, status: Int? = nil, nextAttempt: Instant? = nil) {
        self.class = `class`
        self.message = message
        self.status = status
        self.nextAttempt = nextAttempt
    }
}
