// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The payload of `schedule/cache/`: the planned fetches of sources, and the pauses that hosts have asked for.
///
/// The entries are last values, published once they are committed. Changed entries are published within a second, and
/// all others again in each round. They are neither stored nor replayed.
public struct SourceSchedule: EventPayload {
    public static let eventType = "tidings.schedule.v1"
    public static let publisher = ServiceName.cache

    public var sources: [SourceID: PlannedFetch]
    /// The end of the pause that each host has asked for; only hosts whose pause has not ended are listed.
    public var hosts: [String: Instant]
    /// The time within which all entries are repeated, in milliseconds.
    ///
    /// An entry that was not repeated for this time and 10 s more is no longer valid.
    public var roundMilliseconds: Int

    public init(sources: [SourceID: PlannedFetch], hosts: [String: Instant], roundMilliseconds: Int) {
        self.sources = sources
        self.hosts = hosts
        self.roundMilliseconds = roundMilliseconds
    }
}

/// The next fetch of a source, as the cache has scheduled it.
public struct PlannedFetch: Codable, Hashable, Sendable {
    public enum State: String, Codable, CaseIterable, Sendable {
        /// The source is fetched at the planned time or later; it is due if that time has passed.
        case scheduled
        /// A fetcher is fetching the source.
        case running
        /// The source is fetched only when something requests it: a command if it is permanently gone, and also a panel's wake
        /// if ``whenShown`` is set.
        case gone
    }

    /// The earliest time of the next fetch, without the pause of the host; nil unless the state is `scheduled`.
    public var next: Instant?
    public var state: State
    /// The host from which the source is fetched, with its port if it is unusual; nil for a file.
    public var host: String?
    /// The time of the last attempt's outcome; nil if there was none.
    public var lastAttempt: Instant?
    /// The earliest time at which the source may be fetched for a panel; nil unless it is fetched when it is shown.
    ///
    /// As long as no panel's wake is known, the source rests, and its state is `gone`, the word of earlier versions for a
    /// source without a planned fetch.
    public var whenShown: Instant?

    public init(
        next: Instant? = nil,
        state: State,
        host: String? = nil,
        lastAttempt: Instant? = nil,
        whenShown: Instant? = nil
    ) {
        self.next = next
        self.state = state
        self.host = host
        self.lastAttempt = lastAttempt
        self.whenShown = whenShown
    }

    /// A Boolean value that indicates whether the source waits until a panel is to show it.
    public var isResting: Bool { state == .gone && whenShown != nil }
}
