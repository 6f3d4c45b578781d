// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import CZeroMQ
package import Foundation

/// A buffer that receives the frames of one message and forwards them, without copying or allocating.
///
/// One buffer is used for many messages, one after the other. Each frame is a `zmq_msg_t`. The buffer does not move
/// these values in memory, because libzmq stores the bytes of a short frame inside them.
package struct FrameBuffer: ~Copyable {
    /// The maximum number of frames of a message that can be forwarded.
    ///
    /// If a message has more frames, the buffer receives all of them, keeps only some, and sets `isOverfull`.
    package static let capacity = 256

    private let slots: UnsafeMutablePointer<zmq_msg_t>
    /// The number of frames in the buffer; `capacity` if the last received message had more frames.
    package private(set) var count = 0
    /// A Boolean value that indicates whether the last received message had more frames than `capacity`; such a message
    /// must not be forwarded.
    package private(set) var isOverfull = false

    package init() {
        slots = .allocate(capacity: Self.capacity)
        for index in 0..<Self.capacity { zmq_msg_init(slots + index) }
    }

    deinit {
        for index in 0..<Self.capacity { zmq_msg_close(slots + index) }
        slots.deallocate()
    }

    /// Receives one whole message without blocking; returns false if no message has arrived.
    ///
    /// If `wholeMessage` is false, receives one frame, even if the message has more. An XPUB needs this: libzmq handles
    /// each frame as a subscription of its own.
    package mutating func receive(
        from socket: borrowing ZeroMQSocket,
        wholeMessage: Bool = true
    ) throws(ZeroMQError) -> Bool {
        count = 0
        isOverfull = false
        socket.progress.mayBeReadable = true
        var more = true
        while more {
            // The frames of a message arrive together, so only the first one can be missing.
            let slot = slots + min(count, Self.capacity - 1)
            if zmq_msg_recv(slot, socket.handle, ZMQ_DONTWAIT) == -1 {
                switch zmq_errno() {
                case EINTR: continue
                case EAGAIN where count == 0:
                    socket.progress.mayBeReadable = false
                    return false
                default: throw ZeroMQError(call: "zmq_msg_recv", place: "\(socket.kind)")
                }
            }
            more = wholeMessage && zmq_msg_more(slot) != 0
            if count == Self.capacity { isOverfull = true } else { count += 1 }
        }
        return true
    }

    /// Sends the frames of the last received message to `socket` without copying them.
    ///
    /// The buffer is empty afterwards, even if `socket` did not accept the message.
    package mutating func forward(
        to socket: borrowing ZeroMQSocket
    ) throws(ZeroMQError) -> ZeroMQSocket.Sending {
        defer { count = 0 }
        for index in 0..<count {
            let flags = ZMQ_DONTWAIT | (index < count - 1 ? ZMQ_SNDMORE : 0)
            let outcome = try socket.sending { zmq_msg_send(slots + index, socket.handle, flags) }
            if outcome != .sent { return outcome }
        }
        return .sent
    }

    package func size(_ index: Int) -> Int {
        precondition(index < count, "the message has \(count) frames")
        return zmq_msg_size(slots + index)
    }

    /// Calls `body` with the bytes of a frame, which are valid only during the call.
    package func withBytes<Result>(_ index: Int, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        precondition(index < count, "the message has \(count) frames")
        let slot = slots + index
        return body(UnsafeRawBufferPointer(start: zmq_msg_data(slot), count: zmq_msg_size(slot)))
    }

    /// Returns the descriptor of the connection that sent a frame; nil if libzmq does not know it.
    ///
    /// The connection may have ended since then, and its descriptor may belong to another connection.
    package func descriptor(_ index: Int) -> Int32? {
        precondition(index < count, "the message has \(count) frames")
        let descriptor = zmq_msg_get(slots + index, ZMQ_SRCFD)
        return descriptor < 0 ? nil : descriptor
    }

    /// Returns the number that `ConnectionNumbers` gave the connection that sent a frame; nil if it has none.
    package func connectionNumber(_ index: Int) -> UInt64? {
        precondition(index < count, "the message has \(count) frames")
        return zmq_msg_gets(slots + index, "User-Id").flatMap { UInt64(String(cString: $0)) }
    }

    /// Returns the address of the peer that sent a frame, without the port; nil if libzmq does not know it.
    package func peerAddress(_ index: Int) -> String? {
        precondition(index < count, "the message has \(count) frames")
        return zmq_msg_gets(slots + index, "Peer-Address").map { String(cString: $0) }
    }

    /// Returns a copy of a frame.
    package func data(_ index: Int) -> Data {
        withBytes(index) { Data($0) }
    }

    /// Returns copies of the frames from `first` on.
    package func data(from first: Int) -> [Data] {
        first < count ? (first..<count).map { data($0) } : []
    }
}
