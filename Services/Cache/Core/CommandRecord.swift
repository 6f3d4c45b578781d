// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// The key of a command counter: one is stored for each client and widget.
struct CommandKey: Codable, Hashable, Sendable {
    /// `client/NAME` for commands and `push/NAME` for pushes, whose counters are separate.
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

/// The last command or push of a client for a widget.
struct CommandRecord: Codable, Hashable, Sendable {
    var counter: UInt64
    /// The cycle that the command made; nil while its fetch is in flight.
    var sequence: SequenceNumber?
    var at: Instant
    /// The digest of a push's body; nil for commands, and if the client gave none.
    var bodyDigest: ContentDigest?
}
