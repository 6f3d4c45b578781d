// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The kinds of access to the gateway that a token grants.
package enum AccessScope: String, Codable, Sendable, CaseIterable {
    /// Reads pictures, layouts, events and history.
    case read
    /// Sends commands to widgets.
    case act
    /// Pushes content.
    case push
    /// Reads and changes the configuration.
    case admin
}
