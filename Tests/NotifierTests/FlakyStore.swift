// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

@testable import Notifier

/// A store whose commits fail when told to: before they reach the database, or after.
final class FlakyStore: UpdateStore {
    struct Refused: Error {}

    enum Failure {
        /// Nothing is written.
        case before
        /// All is written, and nobody learns of it.
        case after
    }

    private let store: DatabaseUpdateStore
    var failure: Failure?
    private(set) var commits = 0

    init(_ store: DatabaseUpdateStore) { self.store = store }

    func load() throws -> [WidgetID: WidgetPosition] { try store.load() }

    func commit(_ commits: [UpdateCommit]) throws {
        self.commits += 1
        let failure = commits.isEmpty ? nil : failure
        if failure == .before { throw Refused() }
        try store.commit(commits)
        if failure == .after { throw Refused() }
    }

    func updates(of widget: WidgetID, from: SequenceNumber) throws -> [StoredUpdate] {
        try store.updates(of: widget, from: from)
    }

    func lastUpdate(of widget: WidgetID) throws -> StoredUpdate? { try store.lastUpdate(of: widget) }
}
