// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// Everything that the cache's store holds besides history and contents: what a core starts from.
struct CacheState: Hashable, Sendable {
    var widgets: BoxedDictionary<WidgetID, WidgetRecord> = [:]
    var sources: BoxedDictionary<SourceID, SourceRecord> = [:]
    var leases: [SourceID: LeaseRecord] = [:]
    var hosts: [String: HostRecord] = [:]
    var commands: [CommandKey: CommandRecord] = [:]
    /// A Boolean value that indicates whether the store is older than the last events that were published from it.
    var wasRestored = false
}
