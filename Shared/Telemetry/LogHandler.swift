// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The destination of log entries.
///
/// Called from any thread, also from service threads that must not wait: a handler returns soon, whatever the state of
/// what it writes to.
public protocol LogHandler: Sendable {
    func write(_ entry: LogEntry)
}
