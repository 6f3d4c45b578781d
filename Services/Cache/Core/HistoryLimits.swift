// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The limits of the stored history.
///
/// The newest cycle of each widget is always kept, others as far as all limits allow.
///
/// A request for older cycles is answered with one range up to the oldest cycle that is kept.
struct HistoryLimits: Hashable, Sendable {
    static let defaultAge: Int64 = 7 * 24 * 3_600_000

    /// Cycles of a widget.
    var cycles = 64
    /// In milliseconds; looked at once an hour.
    var age = defaultAge
    /// The contents of a source's kept cycles, in bytes, each counted once.
    var contentBytes = 256 * 1024
}
