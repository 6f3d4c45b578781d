// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The cause of a cycle.
public enum Cause: String, Codable, CaseIterable, Sendable {
    case start
    case refresh
    case interaction
    case push
    /// A midnight, or an entry of a timeline.
    case clock
    /// The displays or the widget's definition changed.
    case configuration
    /// The widget's last cycle.
    case removed
}
