// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// Where updates are kept: positions, digests, and the last updates of each widget.
///
/// It belongs to the service's thread. What `commit` has returned from is durable; when it throws, nothing of the commit
/// may be relied on, neither that it is there nor that it is not, until `load` has been asked.
protocol UpdateStore {
    /// Every widget with its position and state.
    func load() throws -> [WidgetID: WidgetPosition]
    /// Writes all of it in one transaction, and trims what is older than the history kept.
    ///
    /// It throws, also where there is nothing to write, once another process has taken the store over.
    func commit(_ commits: [UpdateCommit]) throws
    /// The updates of a widget that are kept and reach the number, ascending.
    func updates(of widget: WidgetID, from: SequenceNumber) throws -> [StoredUpdate]
    /// The last update of a widget, nil where there is none.
    func lastUpdate(of widget: WidgetID) throws -> StoredUpdate?
}

/// How far a widget has come, and what it shows there.
struct WidgetPosition: Hashable, Sendable {
    var sequence: SequenceNumber
    var state: WidgetState
}
