// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import CZeroMQ
package import Foundation

/// Holds the frames of one message between receiving and sending it on, without copying or allocating.
///
/// Made once for a loop. Its frames stay where they are in memory: a short body lies inside `zmq_msg_t` itself.
package struct FrameBuffer: ~Copyable {
    /// The most frames of a message that is kept; a message with more is taken off the wire and marked.
    package static let capacity = 256

    private let slots: UnsafeMutablePointer<zmq_msg_t>
    /// The number of frames of the last received message, at most the capacity.
    package private(set) var count = 0
    /// A Boolean value that indicates whether the message had more frames than the buffer holds; it must not be
    /// forwarded.
    package private(set) var isOverfull = false

    package init() {
        slots = .allocate(capacity: Self.capacity)
        for index in 0..<Self.capacity { zmq_msg_init(slots + index) }
    }

    deinit {
        for index in 0..<Self.capacity { zmq_msg_close(slots + index) }
        slots.deallocate()
    }

    /// Takes one whole message; false when there is none.
    package mutating func receive(from socket: borrowing ZeroMQSocket) throws(ZeroMQError) -> Bool {
        count = 0
        isOverfull = false
        var more = true
        while more {
            // Frames of one message arrive together, so that only the first can be missing.
            let slot = slots + min(count, Self.capacity - 1)
            if zmq_msg_recv(slot, socket.handle, ZMQ_DONTWAIT) == -1 {
                switch zmq_errno() {
                case EINTR: continue
                case EAGAIN where count == 0: return false
                default: throw ZeroMQError(call: "zmq_msg_recv", place: "\(socket.kind)")
                }
            }
            more = zmq_msg_more(slot) != 0
            if count == Self.capacity { isOverfull = true } else { count += 1 }
        }
        return true
    }

    /// Sends the message on; its frames move, and the buffer is empty then.
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

    /// Lends the bytes of a frame, for as long as `body` runs.
    package func withBytes<Result>(_ index: Int, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        precondition(index < count, "the message has \(count) frames")
        let slot = slots + index
        return body(UnsafeRawBufferPointer(start: zmq_msg_data(slot), count: zmq_msg_size(slot)))
    }

    /// A copy of a frame.
    package func data(_ index: Int) -> Data {
        withBytes(index) { Data($0) }
    }

    /// Copies of the frames from `first` on.
    package func data(from first: Int) -> [Data] {
        first < count ? (first..<count).map { data($0) } : []
    }
}
