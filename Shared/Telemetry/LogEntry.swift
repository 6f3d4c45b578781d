// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

public import Foundation

/// One entry of the log: a time, a level, a label, a fixed message, and named values.
public struct LogEntry: Sendable {
    public typealias Metadata = [LogKey: any CustomStringConvertible & Sendable]

    public var time: Date
    public var level: LogLevel
    /// The service or the command that wrote the entry.
    public var label: String
    /// The fixed sentence of the entry; the variable values are in `metadata`.
    public var message: String
    public var metadata: Metadata = [:]
}
