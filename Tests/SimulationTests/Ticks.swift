// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The batches of a process that its deadline has caused.
struct Ticks {
    /// The number of consecutive idle batches, one each millisecond, after which the process counts as stuck.
    private static let limit = 1000

    /// The time of the last batch; -1 if there was none.
    private(set) var last: Int64 = -1
    private var idleInARow = 0

    /// Notes a batch; it is idle if it has no input.
    mutating func note(at now: Int64, isIdle: Bool) {
        idleInARow = isIdle && now - last == 1 ? idleInARow + 1 : 0
        last = now
    }

    /// A Boolean value that indicates whether the deadline stays in the past, so that a real process would use a
    /// processor without doing anything.
    var areEndless: Bool { idleInARow >= Self.limit }
}
