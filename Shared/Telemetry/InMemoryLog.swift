// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Synchronization

/// A log handler that keeps all entries in memory, for tests.
public final class InMemoryLog: LogHandler {
    private let kept = Mutex<[LogEntry]>([])

    public init() {}

    public func write(_ entry: LogEntry) {
        kept.withLock { $0.append(entry) }
    }

    /// All entries so far, in the order of their arrival.
    public var entries: [LogEntry] { kept.withLock { $0 } }

    /// Returns the entries whose message is `message`.
    public func entries(saying message: String) -> [LogEntry] { entries.filter { $0.message == message } }
}
