// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The result of one cycle, named as in `NCUpdateResult`.
public enum UpdateResult: String, Codable, CaseIterable, Sendable {
    /// At least one display shows something different.
    case newData
    /// Nothing visible changed, or the widget has no content yet.
    ///
    /// If an attempt to get new content failed, the result is ``failed`` instead.
    case noData
    /// An attempt to get new content failed; either nothing visible changed, or the widget has no content yet.
    ///
    /// If the widget has content, the last good content stays visible.
    case failed
}
