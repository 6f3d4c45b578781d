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
    /// Whether the store is older than what was last published from it.
    var wasRestored = false
}
