// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// A list of documents that a widget shows, and the digest of its content.
struct ShownDocuments: Hashable, Sendable {
    var digest: ContentDigest
    var content: DocumentsContent
}

/// The state that a core loads from the store; the history and most contents stay in the store.
struct CacheState: Hashable, Sendable {
    var widgets: BoxedDictionary<WidgetID, WidgetRecord> = [:]
    var sources: BoxedDictionary<SourceID, SourceRecord> = [:]
    var leases: [SourceID: LeaseRecord] = [:]
    var hosts: [String: HostRecord] = [:]
    var commands: [CommandKey: CommandRecord] = [:]
    /// The pushed lists of documents, from which a push may remove documents.
    var documents: [WidgetID: ShownDocuments] = [:]
    /// A Boolean value that indicates whether the store was replaced by an older one.
    ///
    /// An older store may lack cycles that have already been published.
    var wasRestored = false
    /// A Boolean value that indicates whether this process has just taken the store over as a standby.
    ///
    /// The expiry times of the leases are then times of the former owner's clock, which may differ from the clock of
    /// this process.
    var hasForeignLeases = false
}
