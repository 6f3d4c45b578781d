// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import CZeroMQ
internal import Glibc

/// The connections that a listening socket has accepted, with a way to end them.
///
/// libzmq buffers a message until the last frame has arrived, and limits only the size of each frame. So a peer that
/// sends endless frames makes libzmq use unlimited memory. When a connection ends, libzmq drops the unfinished message;
/// well-behaved peers reconnect.
///
/// Must be used only on the socket's thread.
package struct AcceptedConnections: ~Copyable {
    private let events: ZeroMQSocket
    /// The descriptors of the open connections.
    package private(set) var descriptors: Set<Int32> = []
    private var frames = FrameBuffer()

    /// Starts to watch a listening socket; connections that were accepted before are not included.
    ///
    /// libzmq reports the connections at the endpoint `inproc://NAME`. `name` is the last part of this endpoint
    /// and must be unique within the socket's `ZeroMQContext`.
    package init(of socket: borrowing ZeroMQSocket, name: String) throws(ZeroMQError) {
        events = try socket.acceptedConnectionEvents(name: name)
    }

    /// Updates the set of open connections: reads which connections were accepted or have ended since the last call.
    ///
    /// Calls `ended` with the descriptor of each connection that has ended; a later connection may have the same one.
    /// Returns true if a connection was accepted or has ended.
    @discardableResult
    package mutating func update(ended: (Int32) -> Void = { _ in }) throws(ZeroMQError) -> Bool {
        var hasChanged = false
        while try frames.receive(from: events) {
            guard frames.count > 0 else { continue }
            let event = frames.withBytes(0) { bytes -> (kind: Int32, descriptor: Int32)? in
                guard bytes.count >= 6 else { return nil }
                return (
                    Int32(bytes.loadUnaligned(as: UInt16.self)),
                    bytes.loadUnaligned(fromByteOffset: 2, as: Int32.self)
                )
            }
            guard let event else { continue }
            switch event.kind {
            case ZMQ_EVENT_ACCEPTED: descriptors.insert(event.descriptor)
            case ZMQ_EVENT_DISCONNECTED:
                descriptors.remove(event.descriptor)
                ended(event.descriptor)
            default: continue
            }
            hasChanged = true
        }
        return hasChanged
    }

    /// Ends all connections and returns their number.
    ///
    /// libzmq still owns the descriptors: this function shuts them down, and libzmq closes them when it notices.
    package mutating func endAll() throws(ZeroMQError) -> Int {
        try update()
        for descriptor in descriptors { shutdown(descriptor, Int32(SHUT_RDWR)) }
        return descriptors.count
    }
}
