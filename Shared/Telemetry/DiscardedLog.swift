// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// Keeps nothing.
public struct DiscardedLog: LogHandler {
    public init() {}

    public func write(_ entry: LogEntry) {}
}
