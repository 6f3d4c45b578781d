// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The cause of a cycle.
public enum Cause: String, Codable, CaseIterable, Sendable {
    case start
    case refresh
    case interaction
    case push
    /// The time changed: a midnight, or an entry of a timeline.
    case clock
    /// The configuration of the displays or the widget changed.
    case configuration
    /// The widget was removed; this is its last cycle.
    case removed
}
