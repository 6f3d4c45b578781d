// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import MessageBus
internal import WidgetSchema

/// A message of a subscriber: the byte 1 to subscribe or 0 to unsubscribe, followed by a prefix of topics.
struct SubscriptionFrame: Hashable {
    let subscribes: Bool
    let prefix: [UInt8]

    /// Reads a frame; the result is nil if it is not a subscription.
    init?(_ bytes: UnsafeRawBufferPointer) {
        guard let first = bytes.first, first <= 1, bytes.count <= BusLimits.subscription else { return nil }
        subscribes = first == 1
        prefix = Array(bytes.dropFirst())
    }

    /// The topic that the bus publishes as confirmation; nil if the frame does not subscribe to the readiness topic.
    var confirmation: Topic? {
        guard subscribes, prefix.first == UInt8(ascii: "~") else { return nil }
        let topic = Topic(String(decoding: prefix, as: UTF8.self))
        return topic.readyNonce == nil ? nil : topic
    }
}
