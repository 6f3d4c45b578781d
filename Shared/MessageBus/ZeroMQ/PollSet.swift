// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import CZeroMQ

/// A set of sockets and descriptors to wait for.
///
/// The sockets must outlive the set, so the function that runs the loop owns the sockets and the set.
package struct PollSet: ~Copyable {
    /// The index of a socket or flag in the set.
    package struct Index: Hashable, Sendable {
        fileprivate let number: Int
    }

    private var items: [zmq_pollitem_t] = []

    package init() {}

    package mutating func add(_ socket: borrowing ZeroMQSocket) -> Index {
        items.append(zmq_pollitem_t(socket: socket.handle, fd: 0, events: Int16(ZMQ_POLLIN), revents: 0))
        return Index(number: items.count - 1)
    }

    package mutating func add(_ flag: EventFlag) -> Index {
        items.append(zmq_pollitem_t(socket: nil, fd: flag.descriptor, events: Int16(ZMQ_POLLIN), revents: 0))
        return Index(number: items.count - 1)
    }

    /// Sets whether the method `wait` also returns when the socket with this index can send a message.
    ///
    /// If `wanted` is false, this socket ends `wait` only when it has received a message. The other sockets and flags
    /// of the set are not affected.
    package mutating func waitForRoom(_ index: Index, _ wanted: Bool) {
        items[index.number].events = Int16(wanted ? ZMQ_POLLIN | ZMQ_POLLOUT : ZMQ_POLLIN)
    }

    /// Waits until a socket or flag of the set is ready, for at most `milliseconds`; a negative value means no limit.
    ///
    /// If a signal interrupts the thread, the wait ends early, and no socket or flag counts as ready.
    package mutating func wait(milliseconds: Int) throws(ZeroMQError) {
        guard zmq_poll(&items, Int32(items.count), milliseconds) == -1 else { return }
        for index in items.indices { items[index].revents = 0 }
        guard zmq_errno() == EINTR else { throw ZeroMQError(call: "zmq_poll", place: "poll") }
    }

    package func canRead(_ index: Index) -> Bool { items[index.number].revents & Int16(ZMQ_POLLIN) != 0 }
}
