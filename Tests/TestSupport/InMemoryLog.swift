// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Locking
package import Telemetry

/// A log handler that keeps all entries in memory.
package final class InMemoryLog: LogHandler {
    private let kept = Lock<[LogEntry]>([])

    package init() {}

    package func write(_ entry: LogEntry) {
        kept.withLock { $0.append(entry) }
    }

    /// All entries so far, in the order of their arrival.
    package var entries: [LogEntry] { kept.withLock { $0 } }

    /// Returns the entries whose message is `message`.
    package func entries(saying message: String) -> [LogEntry] { entries.filter { $0.message == message } }
}

extension LogEntry {
    /// The text of the value with the key `key`; nil if the entry contains no such value.
    package subscript(key: LogKey) -> String? { metadata[key]?.description }
}
