// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// A destination of log entries.
///
/// It is called on any thread, including service threads that must not wait: a handler must return soon, whatever the
/// state of its destination.
public protocol LogHandler: Sendable {
    func write(_ entry: LogEntry)
}
