// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import EventStreams
import WidgetSchema

/// The sources and hosts whose planned fetches are to be announced.
struct FetchAnnouncements: Sendable {
    static let interval: Duration = .seconds(1)
    /// The number of sources, and of hosts, that are announced in each second although they did not change.
    static let repeatedAtOnce = 400
    /// The maximum number of changed sources, and of changed hosts, that are announced in each second.
    ///
    /// After a start, all are changed. Without this limit, a cache with many sources would not answer fetchers for some
    /// time after a takeover.
    static let changedAtOnce = 4_000
    /// The maximum number of sources in a message; with the longest host names, it is below a client's frame limit.
    static let sourcesPerMessage = 100
    static let hostsPerMessage = 60
    /// The maximum length of an announced host name with its port, in bytes; longer ones cannot be resolved.
    static let maximumHostBytes = 260

    var sources = PublicationRounds<SourceID>(
        interval: interval,
        perInterval: repeatedAtOnce,
        maximumChanges: changedAtOnce
    )
    var hosts = PublicationRounds<String>(
        interval: interval,
        perInterval: repeatedAtOnce,
        maximumChanges: changedAtOnce
    )
    /// The hosts that have asked for a pause, and possibly some whose pause is over.
    var pausedHosts: Set<String> = []
}
