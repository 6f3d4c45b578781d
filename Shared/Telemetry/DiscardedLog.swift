// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// A log handler that discards all entries.
public struct DiscardedLog: LogHandler {
    public init() {}

    public func write(_ entry: LogEntry) {}
}
