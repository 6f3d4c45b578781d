// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// Whose command on what: one counter is remembered for each.
struct CommandKey: Codable, Hashable, Sendable {
    var client: String
    var widget: WidgetID
}

/// The last command of a client on a widget.
struct CommandRecord: Codable, Hashable, Sendable {
    var counter: UInt64
    /// The cycle it made; nil while its fetch is on the way.
    var sequence: SequenceNumber?
    var at: Instant
}
