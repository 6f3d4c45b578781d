// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The access that a token grants at the gateway.
package enum AccessScope: String, Codable, Sendable, CaseIterable {
    /// Pictures, layouts, events, history.
    case read
    /// Commands to widgets.
    case act
    /// New content for pushed widgets.
    case push
    /// The configuration.
    case admin
}
