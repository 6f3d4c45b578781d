// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import CMicroHTTPD
import Glibc
import Locking

/// The thread that watches the sockets of streams, and the deadlines of connections.
///
/// It sends the bytes that a socket did not accept at once, detects readers that are gone, and calls `onTick` once a
/// second.
final class StreamWatcher: Sendable {
    /// The closure that is called once a second with all streams and the monotonic time in milliseconds.
    typealias OnTick = @Sendable ([WebStream], Int64) -> Void

    private struct State {
        var streams: [Int32: WebStream] = [:]
        var acceptsStreams = true
        var isStopped = false
    }

    private static let readerGone = EPOLLRDHUP.rawValue | EPOLLHUP.rawValue | EPOLLERR.rawValue
    private static let tickMilliseconds: Int64 = 1000
    private static let maximumEvents = 256
    /// The value that epoll reports in place of a socket if the descriptor `wake` is ready; no socket has this number.
    private static let wakeSocket: Int32 = -1

    private let state = Lock(State())
    private let poll: Int32
    private let wake: Int32
    private let onTick: OnTick

    /// Creates a watcher; returns nil and sets `errno` if the process has no descriptors left.
    init?(onTick: @escaping OnTick) {
        self.onTick = onTick
        poll = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard poll >= 0 else { return nil }
        wake = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        // The deinitializer runs, and closes `poll`: all properties have a value.
        guard wake >= 0 else { return nil }
        var event = epoll_event(events: EPOLLIN.rawValue, data: epoll_data_t(fd: Self.wakeSocket))
        epoll_ctl(poll, EPOLL_CTL_ADD, wake, &event)
    }

    deinit {
        if wake >= 0 { close(wake) }
        close(poll)
    }

    var count: Int { state.withLock(\.streams.count) }

    // MARK: Called with a stream's lock held

    /// Starts to watch a stream and returns true, or returns false if `stopAcceptingStreams` was called.
    func add(_ stream: WebStream, socket: Int32, awaitsRoom: Bool) -> Bool {
        let isAccepted = state.withLock { state in
            if state.acceptsStreams { state.streams[socket] = stream }
            return state.acceptsStreams
        }
        if isAccepted { change(EPOLL_CTL_ADD, socket, awaitsRoom: awaitsRoom) }
        return isAccepted
    }

    func awaitRoom(_ stream: WebStream, socket: Int32) { change(EPOLL_CTL_MOD, socket, awaitsRoom: true) }

    func awaitNothing(_ stream: WebStream, socket: Int32) { change(EPOLL_CTL_MOD, socket, awaitsRoom: false) }

    func remove(_ stream: WebStream, socket: Int32) {
        var event = epoll_event()
        epoll_ctl(poll, EPOLL_CTL_DEL, socket, &event)
        _ = state.withLock { $0.streams.removeValue(forKey: socket) }
    }

    private func change(_ operation: Int32, _ socket: Int32, awaitsRoom: Bool) {
        let events = EPOLLRDHUP.rawValue | (awaitsRoom ? EPOLLOUT.rawValue : 0)
        var event = epoll_event(events: events, data: epoll_data_t(fd: socket))
        epoll_ctl(poll, operation, socket, &event)
    }

    // MARK: The thread

    var streams: [WebStream] { state.withLock { Array($0.streams.values) } }

    /// Makes `add` reject all later streams.
    func stopAcceptingStreams() { state.withLock { $0.acceptsStreams = false } }

    /// Makes `run` return.
    func stop() {
        state.withLock { $0.isStopped = true }
        var one: UInt64 = 1
        _ = write(wake, &one, MemoryLayout<UInt64>.size)
    }

    /// Watches the sockets on the calling thread, and returns after `stop` was called.
    func run() {
        var events = [epoll_event](repeating: epoll_event(), count: Self.maximumEvents)
        var nextTick = monotonicMilliseconds() + Self.tickMilliseconds
        while !state.withLock(\.isStopped) {
            let timeout = Int32(clamping: max(0, nextTick - monotonicMilliseconds()))
            let count = epoll_wait(poll, &events, Int32(events.count), timeout)
            for event in events.prefix(Int(max(0, count))) { handle(event) }
            let now = monotonicMilliseconds()
            guard now >= nextTick else { continue }
            nextTick = now + Self.tickMilliseconds
            onTick(streams, now)
        }
    }

    private func handle(_ event: epoll_event) {
        let socket = event.data.fd
        guard socket != Self.wakeSocket else {
            var value: UInt64 = 0
            _ = read(wake, &value, MemoryLayout<UInt64>.size)
            return
        }
        guard let stream = state.withLock({ $0.streams[socket] }) else { return }
        if event.events & Self.readerGone != 0 {
            stream.end(.readerGone)
        } else if event.events & EPOLLOUT.rawValue != 0 {
            stream.socketHasRoom()
        }
    }
}
