// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The permissions that a token can grant to a client of the gateway.
package enum AccessScope: String, Codable, Sendable, CaseIterable {
    /// The permission to read pictures, layouts, events and history.
    case read
    /// The permission to send commands to widgets.
    case act
    /// The permission to push content.
    case push
    /// The permission to read and change the configuration.
    case admin
}
