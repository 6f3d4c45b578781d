// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import WidgetSchema

/// Queue lengths and times of a socket; each is set before it binds or connects, because libzmq ignores most of them
/// later.
package struct SocketSettings: Hashable, Sendable {
    /// Messages that may wait for one peer; the newest are dropped beyond it.
    ///
    /// 0 is without limit.
    package var sendLimit: Int32 = BusLimits.sendQueue
    /// Messages from one peer that may wait for the thread; beyond it the peer's sending stalls.
    package var receiveLimit: Int32 = BusLimits.receiveQueue
    /// The time for which a closed socket still sends, in milliseconds.
    package var linger: Int32 = 500
    /// A ping when nothing else was sent, in milliseconds.
    package var heartbeatInterval: Int32 = 2000
    /// Silence after which a connection counts as dead, in milliseconds.
    package var heartbeatTimeout: Int32 = 6000
    /// The time that a peer has for its handshake, in milliseconds.
    package var handshakeTimeout: Int32 = 5000
    /// The first pause before connecting again, in milliseconds; it doubles up to the maximum.
    package var reconnectInterval: Int32 = 100
    package var maximumReconnectInterval: Int32 = 5000
    /// Connections that may wait to be accepted.
    package var backlog: Int32 = 1024

    package init() {}
}

/// The limits of queues and messages.
public enum BusLimits {
    /// Messages that may wait in a publisher while the bus is away.
    public static let sendQueue: Int32 = 10_000
    /// Messages of one peer that may wait for a client's thread.
    public static let receiveQueue: Int32 = 10_000
    /// Messages that the bus keeps for one subscriber that does not keep up; it loses the newest beyond.
    public static let subscriberQueue: Int32 = 10_000
    /// Messages of one publisher that may wait in the bus; beyond it that publisher's own queue fills.
    public static let publisherQueue: Int32 = 100_000
    /// Messages that the bus keeps for one asker or one service.
    public static let requestQueue: Int32 = 10_000
    /// The most messages that are taken from a socket before the others have their turn.
    public static let batch = 4096
    /// The longest topic, in bytes.
    public static let topic = 256
    /// The memory of the bus, in bytes: from half of it on, the connections of senders are ended; at the limit the bus
    /// exits.
    public static let memory = 1 << 30
    /// The longest subscription, in bytes.
    public static let subscription = 256
    /// The largest error answer, in bytes; a larger answer is a result.
    public static let errorAnswer = 4096
    /// The largest heartbeat, in bytes.
    public static let heartbeat = MessageLimits.clientFrame
}
