// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The result of one cycle, named as in `NCUpdateResult`.
public enum UpdateResult: String, Codable, CaseIterable, Sendable {
    /// At least one display shows something different.
    case newData
    /// The attempt succeeded and nothing visible changed, or there is nothing to show yet.
    case noData
    /// The attempt failed and nothing visible changed; the last good content stays visible.
    case failed
}
