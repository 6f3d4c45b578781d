// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The cause of a cycle.
public enum Cause: String, Codable, CaseIterable, Sendable {
    case start
    /// A fetch ended, or a command asked for an update at a time at which the source may not be fetched.
    case refresh
    case interaction
    case push
    /// A time came at which the widget may look different without new content, such as midnight.
    case clock
    /// The configuration of the displays or the widget changed.
    case configuration
    /// The widget was removed; this is its last cycle.
    case removed
}
