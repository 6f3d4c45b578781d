// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import Foundation
internal import Locking
internal import Telemetry
internal import WidgetSchema

/// The socket on which a client publishes at one bus, and the messages that wait for its first connection.
///
/// Any thread may publish: a message is then sent without waiting until the client's thread wakes up. The client's
/// thread waits for `descriptor` and then calls `readSubscriptions`.
// Safe: each use of the socket and of the variables holds `lock`. libzmq allows several threads to use a socket if a full
// fence lies between their uses (zmq(7)), and a lock is one.
final class BusPublisher: @unchecked Sendable {
    /// The index of the bus in the configured addresses.
    let number: Int
    /// The descriptor that becomes ready when the socket may have something to read; see `SocketProgress`.
    let descriptor: Int32

    private let lock = Lock(())
    /// The socket; nil after `close`.
    private var socket: ZeroMQSocket?
    private var frames = FrameBuffer()
    /// Messages that were published before the first connection.
    private var held: [(topic: Topic, frames: [Data])] = []
    private var isConnected = false
    private let maximumHeld: Int
    private let heldLimit: Counter

    /// Creates a publisher that owns `socket`.
    init(_ number: Int, _ configuration: BusConfiguration, _ socket: consuming ZeroMQSocket) {
        self.number = number
        descriptor = socket.descriptor
        maximumHeld = configuration.maximumHeld
        heldLimit = configuration.metrics.limit("bus.messagesHeld")
        self.socket = consume socket
    }

    /// Sends a message if the publisher has been connected to the bus at least once.
    ///
    /// Otherwise, the message is held, or dropped if too many are held. Returns true if the bus has subscribed, as it
    /// does on each new connection; the caller must then tell the client's core. Does nothing after `close`.
    func publish(_ topic: Topic, _ frames: [Data]) throws(ZeroMQError) -> Bool {
        try lock.withLock { _ throws(ZeroMQError) in
            if isConnected {
                try send(topic, frames)
                // Sending also takes what libzmq has for the socket's thread, so the descriptor may not become ready.
                return try readWhileLocked()
            }
            if held.count < maximumHeld { held.append((topic, frames)) } else { heldLimit.increment() }
            return false
        }
    }

    /// Reads what the bus has sent; returns true if the bus has subscribed.
    ///
    /// The messages that waited for the first connection are then sent.
    func readSubscriptions() throws(ZeroMQError) -> Bool {
        try lock.withLock { _ throws(ZeroMQError) in try readWhileLocked() }
    }

    /// Closes the socket; libzmq then continues to send pending messages for at most `BusConfiguration.linger`.
    func close() {
        var closing: ZeroMQSocket?
        lock.withLock { _ in
            swap(&closing, &socket)
            held = []
        }
        // The socket is closed here, without the lock: the last one of a context closes as slowly as its linger.
    }

    // MARK: With the lock

    private func readWhileLocked() throws(ZeroMQError) -> Bool {
        var hasSubscribed = false
        // Until nothing is left: only then does the descriptor become ready again.
        while try socket?.receive(&frames) ?? false {
            guard frames.count == 1, frames.data(0) == BusFrames.subscribeToEverything else { continue }
            hasSubscribed = true
        }
        guard hasSubscribed else { return false }
        isConnected = true
        for (topic, frames) in held { try send(topic, frames) }
        held = []
        return true
    }

    private func send(_ topic: Topic, _ frames: [Data]) throws(ZeroMQError) {
        // An XPUB socket drops messages above its limit silently, and never blocks.
        _ = try socket?.send([Data(topic.text.utf8)] + frames)
    }
}
