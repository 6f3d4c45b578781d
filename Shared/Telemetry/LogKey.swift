// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The name of a value in a log entry.
///
/// All modules share one list, so that the same value has the same name everywhere. The names of an entry's own fields
/// (`time`, `level`, `logger`, `message`) are reserved.
public enum LogKey: String, Sendable, CaseIterable, Comparable {
    // The subject.
    case client
    case command
    case counter
    case display
    case displays
    case first
    case kind
    case lease
    case leases
    case sequence
    case source
    case widget
    case widgets

    // The result.
    case attempt
    case behind
    case cause
    case changed
    case code
    case digest
    case errno
    case error
    case outcome
    case reason
    case result
    case state
    case status

    // The place.
    case address
    case column
    case endpoint
    case file
    case host
    case instance
    case line
    case path
    case peer
    case port
    case process
    case publish
    case request
    case service
    case subscribe
    case topic
    case url
    case variable

    // Amounts and times.
    case batch
    case bytes
    case count
    case cycles
    case dropped
    case limit
    case messages
    case microseconds
    case milliseconds
    case next
    case position
    case records
    case seconds

    // The process.
    case exitStatus
    case format
    case signal
    case suggestion
    case term
    case token
    case version

    public static func < (left: LogKey, right: LogKey) -> Bool { left.rawValue < right.rawValue }
}
