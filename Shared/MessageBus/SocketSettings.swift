// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import WidgetSchema

/// The queue limits and timeouts of a socket.
///
/// They are set before the socket binds or connects, because libzmq ignores most later changes.
package struct SocketSettings: Hashable, Sendable {
    /// The maximum number of messages that wait for one peer; 0 means no limit.
    ///
    /// When this number is reached, some kinds of sockets drop further messages, and the others reject them.
    package var sendLimit: Int32 = BusLimits.sendQueue
    /// The maximum number of unread messages from one peer; when it is reached, further messages wait at the peer.
    package var receiveLimit: Int32 = BusLimits.receiveQueue
    /// The maximum time for which a closed socket continues to send, in milliseconds.
    package var linger: Int32 = 500
    /// The interval between two pings, in milliseconds.
    package var heartbeatInterval: Int32 = 2000
    /// The time without traffic after a ping, in milliseconds, after which a connection counts as dead.
    package var heartbeatTimeout: Int32 = 6000
    /// The time without traffic after a ping, in milliseconds, after which the peer ends the connection.
    ///
    /// Must be longer than `heartbeatInterval`: on a quiet connection, a peer that sends no pings receives nothing else.
    package var peerTimeout: Int32 = 6000
    /// The timeout for a peer's handshake, in milliseconds.
    package var handshakeTimeout: Int32 = 5000
    /// The first pause before a reconnect, in milliseconds.
    ///
    /// Each further pause is twice as long, up to `maximumReconnectInterval`.
    package var reconnectInterval: Int32 = 100
    package var maximumReconnectInterval: Int32 = 5000
    /// The maximum number of connections that wait to be accepted.
    package var backlog: Int32 = 1024
    /// The size of the kernel's buffer for the bytes from one peer; -1 means the default of the system.
    package var receiveBuffer: Int32 = -1
    /// A Boolean value that indicates whether each connection gets a number from `ConnectionNumbers`.
    ///
    /// Peers that speak ZMTP 1 or 2 are then rejected: libzmq does not tell which connection sent their messages.
    package var numbersConnections = false

    package init() {}

    /// The settings of a listening socket.
    ///
    /// Clients of this project ping the listener, so a listener pings rarely: for clients that send no pings, and for
    /// connections that end after a message.
    package static var listener: SocketSettings {
        var settings = SocketSettings()
        settings.heartbeatInterval = 10_000
        settings.peerTimeout = 16_000
        return settings
    }
}

/// The limits of queues and messages.
public enum BusLimits {
    /// The maximum number of messages that wait in a publisher while the bus is unreachable.
    public static let sendQueue: Int32 = 10_000
    /// The maximum number of unread messages from one peer in each socket of a client or of the bus.
    ///
    /// When this maximum is reached, further messages wait at the peer. The bus's socket for publishers has the limit
    /// `publisherQueue` instead.
    public static let receiveQueue: Int32 = 10_000
    /// The maximum number of messages that the bus keeps for one slow subscriber; newer ones are lost.
    public static let subscriberQueue: Int32 = 10_000
    /// The maximum number of messages from one publisher that wait in the bus; further messages wait in the publisher.
    public static let publisherQueue: Int32 = 100_000
    /// The maximum number of requests and answers that the bus keeps for one requester or service instance.
    ///
    /// When this maximum is reached, the bus drops further answers, and rejects further requests with the error
    /// `unavailable`.
    ///
    /// Clients have the same maximum for the messages that wait to be sent on their request socket. They drop further
    /// messages.
    public static let requestQueue: Int32 = 10_000
    /// The maximum number of messages taken from one socket before the other sockets are served.
    public static let batch = 4096
    /// The maximum length of a topic, in bytes.
    public static let topic = 256
    /// The default memory limit of the bus, in bytes.
    ///
    /// At half of the limit, the bus ends the connections of senders; at the limit, the bus exits.
    public static let memory = 1 << 30
    /// The maximum size of a frame that subscribes to a topic prefix, in bytes.
    public static let subscription = 256
    /// The default of the maximum number of subscriptions of one connection.
    public static let subscriptions = 1000
    /// The default of the maximum size of the prefixes to which one connection subscribes, in bytes.
    public static let subscriptionBytes = 64 << 10
    /// The default of the maximum number of subscriptions of all connections.
    ///
    /// Such prefixes of 64 random bytes use 300 MB of memory.
    public static let subscriptionsOfAll = 128_000
    /// The size of the kernel's buffer for the subscriptions of one connection, in bytes.
    ///
    /// libzmq still adds the subscriptions in this buffer after the bus has ended their connection.
    public static let subscriptionBuffer: Int32 = 16 << 10
    /// The maximum number of messages of the bus itself that wait to be published.
    public static let ownMessages = 10_000
    /// The maximum size of an answer that contains an error, in bytes.
    ///
    /// The requester's client treats a larger answer as a result, without decoding it.
    public static let errorAnswer = 4096
    /// The maximum size of a heartbeat, in bytes.
    public static let heartbeat = MessageLimits.clientFrame
}
