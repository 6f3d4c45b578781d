// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import MessageBus
import WidgetSchema

/// A message for one peer of the request port.
struct Delivery: Hashable, Sendable {
    enum Content: Hashable, Sendable {
        /// An answer to a requester; the associated value contains the frames of the answer, without the requester's
        /// routing id.
        case answer([Data])
        /// The delivery is a request to an instance.
        ///
        /// The value has all data that the bus needs to send the request to another instance if the chosen instance is
        /// gone.
        case request(PendingRequest)
        /// The delivery repeats the answer to the last heartbeat of an instance, because another connection registers the
        /// same instance.
        ///
        /// The answer changes nothing at the instance. If it cannot be delivered, the connection of the instance has
        /// ended, and the other one gets the registration.
        case probe(heartbeat: Data, registration: PendingRequest)
    }

    /// The peer's routing id, which the router socket assigned.
    var peer: Data
    var content: Content

    init(to peer: Data, _ content: Content) {
        self.peer = peer
        self.content = content
    }

    /// The JSON of an answer without a value, which can always be encoded.
    private static let done = (try? WireJSON.encode(Answer.result(Done()))) ?? Data()

    /// A Boolean value that indicates whether the bus must know that the delivery has succeeded.
    var isProbe: Bool { if case .probe = content { true } else { false } }

    /// The frames to send on the router socket; the first one is the peer's routing id.
    var frames: [Data] {
        switch content {
        case .answer(let frames): [peer] + frames
        case .probe(let heartbeat, _): [peer, heartbeat, Self.done]
        case .request(let request):
            [
                peer, Data([BusFrames.routeMark]) + request.tag + request.requester, request.id, request.json,
                Data((request.requesterInstance?.description ?? "").utf8),
            ]
        }
    }
}

/// A request that is being forwarded to an instance.
struct PendingRequest: Hashable, Sendable {
    var requester: Data
    var target: RequestTarget
    var id: Data
    var json: Data
    /// The beginning of the route, which identifies the instance that gets the request; see ``RouteTags``.
    var tag = Data()
    /// The service and the instance that registered on the requester's connection; nil if none registered.
    var requesterInstance: RequestTarget?
}
