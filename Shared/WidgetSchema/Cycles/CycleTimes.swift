// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// When a cycle passed each hop, as far as it has come.
public struct CycleTimes: Codable, Hashable, Sendable {
    /// When the origin answered; absent where nothing was asked.
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
