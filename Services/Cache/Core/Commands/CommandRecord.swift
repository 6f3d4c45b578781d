// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// A pair of a client and a widget, used as the key of a ``CommandRecord``.
struct CommandKey: Codable, Hashable, Comparable, Sendable {
    /// The client's name with a prefix: `client/NAME` for commands, and `push/NAME` for pushes.
    ///
    /// Because of the prefixes, a client has separate records for its last command and for its last push.
    var client: String
    var widget: WidgetID

    static func < (left: CommandKey, right: CommandKey) -> Bool {
        (left.client, left.widget) < (right.client, right.widget)
    }
}

extension CommandKey {
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
    /// The sequence number of the cycle that completed the command or push; nil while a command waits for a fetch.
    var sequence: SequenceNumber?
    var at: Instant
    /// The digest of a push's body; nil for commands, and for pushes whose client sent no digest.
    var bodyDigest: ContentDigest?
}
