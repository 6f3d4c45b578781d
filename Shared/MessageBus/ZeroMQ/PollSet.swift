// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import CZeroMQ
internal import Glibc

/// A set of sockets and descriptors to wait for.
///
/// The sockets must outlive the set, so the function that runs the loop owns the sockets and the set.
///
/// `zmq_poll` asks each socket twice at each wake-up, and each question is a system call. This set waits for the
/// descriptors of the sockets instead (`ZMQ_FD`), and asks only the sockets that may have something new.
package struct PollSet: ~Copyable {
    /// The index of a socket or flag in the set.
    package struct Index: Hashable, Sendable {
        fileprivate let number: Int
    }

    private struct Entry {
        /// The socket; nil for a flag and for a descriptor that was added alone.
        let socket: UnsafeMutableRawPointer?
        let progress: SocketProgress?
        var waitsForRoom = false
        var canRead = false

        /// A Boolean value that indicates whether the socket must be asked before a wait, because its descriptor may not
        /// become ready.
        var mustAsk: Bool { waitsForRoom || progress?.mayBeReadable ?? false }
    }

    private var entries: [Entry] = []
    private var descriptors: [pollfd] = []

    package init() {}

    package mutating func add(_ socket: borrowing ZeroMQSocket) -> Index {
        add(Entry(socket: socket.handle, progress: socket.progress), socket.descriptor)
    }

    package mutating func add(_ flag: EventFlag) -> Index {
        add(descriptor: flag.descriptor)
    }

    /// Adds a descriptor that another object owns; it must outlive the set.
    package mutating func add(descriptor: Int32) -> Index {
        add(Entry(socket: nil, progress: nil), descriptor)
    }

    private mutating func add(_ entry: Entry, _ descriptor: Int32) -> Index {
        entries.append(entry)
        descriptors.append(pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0))
        return Index(number: entries.count - 1)
    }

    /// Sets whether the method `wait` also returns when the socket with this index can send a message.
    ///
    /// If `wanted` is false, this socket ends `wait` only when it has received a message. The other sockets and flags
    /// of the set are not affected.
    package mutating func waitForRoom(_ index: Index, _ wanted: Bool) {
        entries[index.number].waitsForRoom = wanted
    }

    /// Waits until a socket or flag of the set is ready, for at most `milliseconds`; a negative value means no limit.
    ///
    /// If a signal interrupts the thread, the wait ends early, and no socket or flag counts as ready.
    package mutating func wait(milliseconds: Int) throws(ZeroMQError) {
        for index in entries.indices { entries[index].canRead = false }
        var isReady = false
        for index in entries.indices where entries[index].mustAsk { isReady = try ask(index) || isReady }
        // A descriptor is also ready if a socket has only internal work. The wait then continues for the rest of the
        // time.
        let end = milliseconds < 0 ? nil : ContinuousClock.now + .milliseconds(milliseconds)
        var remaining = milliseconds
        while true {
            let count = poll(&descriptors, nfds_t(descriptors.count), isReady ? 0 : Int32(clamping: remaining))
            guard count >= 0 else {
                guard errno == EINTR else { throw ZeroMQError(call: "poll", code: errno, place: "poll") }
                return
            }
            guard count > 0 else { return }
            for index in descriptors.indices where descriptors[index].revents != 0 {
                isReady = try ask(index) || isReady
            }
            if isReady { return }
            if let end { remaining = max(0, (end - .now).millisecondsRoundedUp) }
        }
    }

    /// Asks a socket whether it is ready, and sets `canRead`.
    ///
    /// An entry without a socket is only asked when its descriptor is ready; it can then be read. Returns true if the
    /// caller of `wait` has something to do.
    private mutating func ask(_ index: Int) throws(ZeroMQError) -> Bool {
        guard let socket = entries[index].socket else {
            entries[index].canRead = true
            return true
        }
        var events: Int32 = 0
        var size = MemoryLayout<Int32>.size
        while zmq_getsockopt(socket, ZMQ_EVENTS, &events, &size) == -1 {
            guard zmq_errno() == EINTR else { throw ZeroMQError(call: "zmq_getsockopt", place: "poll") }
        }
        entries[index].canRead = events & ZMQ_POLLIN != 0
        entries[index].progress?.mayBeReadable = entries[index].canRead
        return entries[index].canRead || entries[index].waitsForRoom && events & ZMQ_POLLOUT != 0
    }

    package func canRead(_ index: Index) -> Bool { entries[index.number].canRead }
}
