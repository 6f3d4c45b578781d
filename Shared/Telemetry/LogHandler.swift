// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// A destination of log entries.
///
/// Any thread may call a handler, including service threads that must not wait. A handler must return soon, even if its
/// destination is slow or closed.
public protocol LogHandler: Sendable {
    func write(_ entry: LogEntry)
}
