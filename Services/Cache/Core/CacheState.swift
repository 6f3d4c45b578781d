// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// The state in the cache's store, without history and contents: the initial state of a core.
struct CacheState: Hashable, Sendable {
    var widgets: BoxedDictionary<WidgetID, WidgetRecord> = [:]
    var sources: BoxedDictionary<SourceID, SourceRecord> = [:]
    var leases: [SourceID: LeaseRecord] = [:]
    var hosts: [String: HostRecord] = [:]
    var commands: [CommandKey: CommandRecord] = [:]
    /// A Boolean value that indicates whether the store was restored, and is older than the last published cycles.
    var wasRestored = false
    /// A Boolean value that indicates whether another machine granted the leases, so that they end at times of its
    /// clock.
    var hasForeignLeases = false
}
