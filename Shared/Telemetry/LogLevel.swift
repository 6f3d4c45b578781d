// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The severity of a log entry, from `trace` (every step) to `error` (a person must act).
public enum LogLevel: String, Sendable, CaseIterable, Comparable, CustomStringConvertible {
    case trace
    case debug
    case info
    case notice
    case warning
    case error

    public var description: String { rawValue }

    private var rank: Int {
        switch self {
        case .trace: 0
        case .debug: 1
        case .info: 2
        case .notice: 3
        case .warning: 4
        case .error: 5
        }
    }

    public static func < (left: LogLevel, right: LogLevel) -> Bool { left.rank < right.rank }
}
