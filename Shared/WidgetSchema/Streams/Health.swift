// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The state of one instance, published as `health/SERVICE/INSTANCE/`, and sent in heartbeats and in answers to
/// `health` requests.
public struct Health: EventPayload {
    public static let eventType = "tidings.health.v1"
    public static let publisher = ServiceName.bus

    public enum State: String, Codable, CaseIterable, Sendable {
        case starting
        case ready
        /// The instance works with restrictions, which `message` describes.
        case degraded
        case stopping
        /// The heartbeats of the instance have stopped; only the bus reports this state.
        case gone
    }

    /// The role of an instance whose service has a store; normally, only one instance of such a service is active.
    public enum Role: String, Codable, CaseIterable, Sendable {
        /// The instance owns the store, and receives the requests to its service.
        case active
        /// The instance waits to take over the store, and answers only `health` requests.
        case standby
    }

    public var state: State
    public var message: String?
    public var version: String
    public var startedAt: Instant
    /// The counters by name, such as completed work and exceeded limits; they start at 0 at `startedAt` and only
    /// increase.
    public var counters: [String: Int64]
    /// The values that increase and decrease, by name; empty in heartbeats of earlier versions.
    @DefaultIfAbsent public var gauges: [String: Int64]
    /// The distributions of durations, by name; empty in heartbeats of earlier versions.
    @DefaultIfAbsent public var histograms: [String: DurationHistogram]
    /// The role; nil for a service without a store, and in heartbeats of earlier versions.
    public var role: Role?
    /// The latest term in which the instance owned its service's store; nil if the instance has never owned the store.
    public var term: Term?
    /// The time at which the instance became active; nil if it is not active.
    public var activeSince: Instant?
    /// The digest of the configuration files; nil if the instances of the service do not compare their configurations.
    ///
    /// The active instance reports a problem if the digest of a standby differs from its own digest.
    public var configurationDigest: ContentDigest?

    public init(
        state: State,
        message: String? = nil,
        version: String,
        startedAt: Instant,
        counters: [String: Int64] = [:],
        gauges: [String: Int64] = [:],
        histograms: [String: DurationHistogram] = [:],
        role: Role? = nil,
        term: Term? = nil,
        activeSince: Instant? = nil,
        configurationDigest: ContentDigest? = nil
    ) {
        self.state = state
        self.message = message
        self.version = version
        self.startedAt = startedAt
        self.counters = counters
        self.gauges = gauges
        self.histograms = histograms
        self.role = role
        self.term = term
        self.activeSince = activeSince
        self.configurationDigest = configurationDigest
    }

    /// A Boolean value that indicates whether the instance is live: neither stopping nor gone.
    public var isLive: Bool { state != .stopping && state != .gone }

    /// The version of the layout engine in an instance of the layout service; nil for instances of other services.
    public var layoutEngineVersion: Int64? {
        // Earlier versions have no gauges and report the engine's version as a counter.
        gauges[LayoutEngineVersion.healthGauge] ?? counters[LayoutEngineVersion.healthGauge]
    }
}
