// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import ServiceEngine
import WidgetSchema

@testable import Notifier

/// A store whose commits fail when told to: before they reach the database, or after.
final class FlakyStore: ServiceStore, UpdateReader {
    struct Refused: Error {}

    enum Failure {
        /// Nothing is written.
        case before
        /// All is written, and nobody learns of it.
        case after
    }

    private let store: NotifierStore
    var failure: Failure?
    private(set) var commits = 0

    init(_ store: NotifierStore) { self.store = store }

    var reader: FlakyStore { self }

    func load() throws(StoreFailure) -> NotifierState { try store.load() }

    func commit(_ commits: [NotifierWrite]) throws(StoreFailure) {
        self.commits += 1
        let failure = commits.isEmpty ? nil : failure
        if failure == .before { throw .discard(Refused()) }
        try store.commit(commits)
        if failure == .after { throw .discard(Refused()) }
    }

    func setPaused(_ paused: Bool) {}

    func updates(of widget: WidgetID, from: SequenceNumber) throws -> [StoredUpdate] {
        try store.updates(of: widget, from: from)
    }

    func updates(after offset: UInt64, limit: Int) throws -> [StreamUpdate] {
        try store.updates(after: offset, limit: limit)
    }

    func end() throws -> StreamOffset { try store.end() }

    func lastUpdate(of widget: WidgetID) throws -> StoredUpdate? { try store.lastUpdate(of: widget) }
}
