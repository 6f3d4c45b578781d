// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// Says how an attempt failed and when the next one is due.
public struct AttemptFailure: Codable, Hashable, Sendable {
    public enum Class: String, Codable, CaseIterable, Sendable {
        /// A later attempt may go well: no connection, a timeout, a 5xx.
        case transient
        /// The host asked for fewer requests: 429, or 503 with Retry-After.
        case rateLimited
        /// Asking again will not help until somebody changes something: 404, 410, a refused address.
        case permanent
        /// The answer came and could not be understood.
        case malformed
    }

    public var `class`: Class
    /// One sentence for a person, with the place.
    public var message: String
    /// The HTTP status code, where there was an answer.
    public var status: Int?
    public var nextAttempt: Instant?

    public init(class: Class, message: String, status: Int? = nil, nextAttempt: Instant? = nil) {
        self.class = `class`
        self.message = message
        self.status = status
        self.nextAttempt = nextAttempt
    }
}
