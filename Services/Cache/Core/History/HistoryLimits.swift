// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The limits of the stored history.
///
/// The newest cycle of each widget is always kept. Older cycles are kept while all of these limits allow it. If a
/// replay requests cycles that were removed, the first cycle in the answer stands for them, too: its range of sequence
/// numbers is extended to include theirs.
struct HistoryLimits: Hashable, Sendable {
    /// The maximum number of stored cycles of each widget, including the newest cycle.
    var cycles: Int
    /// The maximum age of a cycle; each widget's cycles are checked once an hour.
    var age: Duration
    /// The maximum total size of the contents in the stored cycles of one source, in bytes.
    ///
    /// A content that several cycles share counts once.
    var contentBytes: Int
}
