// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// What a person's commands have set on a widget; it survives restarts.
public struct InteractionState: Codable, Hashable, Sendable {
    /// Whether "Show more" was chosen (family `todayClassic`).
    public var expanded: Bool

    public init(expanded: Bool = false) {
        self.expanded = expanded
    }
}
