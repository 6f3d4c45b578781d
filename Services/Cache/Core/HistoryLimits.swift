// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// How much of the past the store keeps: of each widget the newest cycle always, and the others as far as all of these
/// allow.
///
/// Who asks for what is not kept any more gets one range instead, up to the oldest cycle that is.
struct HistoryLimits: Hashable, Sendable {
    static let defaultAge: Int64 = 7 * 24 * 3_600_000

    /// Cycles of a widget.
    var cycles = 64
    /// In milliseconds; looked at once an hour.
    var age = defaultAge
    /// The contents of a source's kept cycles, in bytes, each counted once.
    var contentBytes = 256 * 1024
}
