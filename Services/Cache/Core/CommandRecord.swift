// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// Whose command on what: one counter is remembered for each.
struct CommandKey: Codable, Hashable, Sendable {
    /// `client/NAME` for commands, `push/NAME` for pushes: each client has a counter of its own for each.
    var client: String
    var widget: WidgetID

    init(client: String, widget: WidgetID) {
        self.client = client
        self.widget = widget
    }

    init(_ request: CommandRequest) {
        self.init(client: "client/\(request.client)", widget: request.widget)
    }

    init(_ request: PushRequest) {
        self.init(client: "push/\(request.client)", widget: request.widget)
    }
}

/// The last command of a client on a widget.
struct CommandRecord: Codable, Hashable, Sendable {
    var counter: UInt64
    /// The cycle it made; nil while its fetch is on the way.
    var sequence: SequenceNumber?
    var at: Instant
    /// The digest of a push's body; nil if the client gave none.
    var bodyDigest: ContentDigest?
}
