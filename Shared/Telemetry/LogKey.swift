// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The name of a value in a log entry.
///
/// All modules share one list, so that the same value has the same name everywhere. The names of an entry's own fields
/// (`time`, `level`, `logger`, `message`) are reserved.
public enum LogKey: String, Sendable, CaseIterable, Comparable {
    // The subject.
    case client
    case destination
    case device
    case first
    case sequence
    case source
    case widget
    case widgets

    // The result.
    case changed
    case digest
    case error
    case reason
    case result
    case state
    case status

    // The place.
    case address
    case endpoint
    case file
    case instance
    case path
    case peer
    case process
    case request
    case service
    case topic
    case url

    // Amounts and times.
    case bytes
    case count
    case cycles
    case dropped
    case limit
    case microseconds
    case milliseconds
    case seconds
    case until

    // The process.
    case signal
    case term
    case version

    public static func < (left: LogKey, right: LogKey) -> Bool { left.rawValue < right.rawValue }
}
