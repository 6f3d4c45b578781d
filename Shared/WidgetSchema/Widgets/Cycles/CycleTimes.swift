// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The times at which the services completed their steps of a cycle; nil for each step that is not completed yet.
public struct CycleTimes: Codable, Hashable, Sendable {
    /// The time of the origin's answer, or of the failure if there was no answer; nil if no fetch caused the cycle.
    public var answered: Instant?
    public var committed: Instant?
    public var laidOut: Instant?
    public var decided: Instant?

    public init(
        answered: Instant? = nil,
        committed: Instant? = nil,
        laidOut: Instant? = nil,
        decided: Instant? = nil
    ) {
        self.answered = answered
        self.committed = committed
        self.laidOut = laidOut
        self.decided = decided
    }
}
