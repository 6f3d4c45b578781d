// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The state of one instance: `health/SERVICE/INSTANCE/`, and the answer to `health`.
public struct Health: EventPayload {
    public static let eventType = "tidings.health.v1"
    public static let publisher = ServiceName.bus

    public enum State: String, Codable, CaseIterable, Sendable {
        case starting
        case ready
        /// It serves what it has, and `message` says what it cannot do.
        case degraded
        case stopping
        /// Its heartbeats have stopped; only the bus says so.
        case gone
    }

    public var state: State
    public var message: String?
    public var version: String
    public var startedAt: Instant
    /// Counters and gauges by name: work done, limits hit.
    public var counters: [String: Int64]

    public init(
        state: State,
        message: String? = nil,
        version: String,
        startedAt: Instant,
        counters: [String: Int64] = [:]
    ) {
        self.state = state
        self.message = message
        self.version = version
        self.startedAt = startedAt
        self.counters = counters
    }
}
