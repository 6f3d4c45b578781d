// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

public import Foundation

/// One line of the log: an instant, a weight, who speaks, a fixed sentence, and the values that belong to it.
public struct LogEntry: Sendable {
    public typealias Metadata = [LogKey: any CustomStringConvertible & Sendable]

    public var time: Date
    public var level: LogLevel
    /// The service or command that logs.
    public var label: String
    /// A sentence that never varies, so that it can be searched for; what varies is in `metadata`.
    public var message: String
    public var metadata: Metadata

    public init(time: Date, level: LogLevel, label: String, message: String, metadata: Metadata = [:]) {
        self.time = time
        self.level = level
        self.label = label
        self.message = message
        self.metadata = metadata
    }

    /// The text of one value, `nil` where the entry has none of that name.
    public subscript(key: LogKey) -> String? { metadata[key]?.description }
}
