// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The way in which a child process ended.
public enum ChildEnd: Hashable, Sendable, CustomStringConvertible {
    case exit(Int32)
    case signal(Int32)
    /// The process could not be started; the number is an `errno`.
    case notStarted(Int32)

    /// Creates the value from the status that `waitpid` returned.
    public init(status: Int32) {
        let signal = status & 0x7F
        self = signal == 0 ? .exit((status >> 8) & 0xFF) : .signal(signal)
    }

    public var description: String {
        switch self {
        case .exit(let status): "exit status \(status)"
        case .signal(let number): "signal \(number)"
        case .notStarted(let errno): "could not be started (errno \(errno))"
        }
    }
}
