// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import CMicroHTTPD
import Glibc
import Locking

/// A response body without a fixed end, for server-sent events.
///
/// libmicrohttpd sends the headers, and the connection is suspended. After that, `write` sends to the socket directly,
/// on the caller's thread and without blocking. If the socket does not accept all bytes at once, the server's watcher
/// sends the rest later. The watcher also detects that the reader is gone, which libmicrohttpd 0.9 does not do for a
/// suspended connection.
package final class WebStream: Sendable {
    /// The result of sending a chunk.
    package enum WriteResult: Sendable, Hashable {
        /// The kernel accepted the whole chunk.
        case sent
        /// The chunk is stored, because the headers are not sent yet or the socket does not accept all bytes.
        ///
        /// `onDrained` is called when all stored chunks are sent.
        case waiting
        /// The chunk was rejected, because too many bytes are pending.
        case full
        /// The chunk was rejected, because the stream has ended or `finish` was called.
        case closed
    }

    /// The reason why a stream ended.
    package enum End: String, Sendable, CaseIterable {
        /// The owner called `finish`.
        case finished
        /// The reader closed its connection.
        case readerGone
        /// The reader accepted no bytes for too long.
        case stalled
        /// The server was stopped.
        case serverStopped
    }

    private struct State {
        var socket: Int32 = -1
        // The suspended connection; nil before the headers are sent, and after the connection is resumed.
        var connection: OpaquePointer?
        var watcher: StreamWatcher?
        var isChunked = true
        var pending: [WebChunk] = []
        /// The number of bytes that were already sent from the first pending chunk.
        var sentOfFirst = 0
        var pendingBytes = 0
        var isFinishing = false
        var end: End?
        /// The time from which a stall of the reader is counted, in monotonic milliseconds.
        ///
        /// It is set when the reader takes bytes, and when a chunk is added while no other chunk is pending.
        var lastProgress: Int64 = 0
        /// The number of bytes in the kernel that the reader had not taken at the last look.
        var untaken: Int32 = 0
    }

    /// The size of a socket's send buffer in bytes; the kernel allows twice as many, for its own records.
    ///
    /// The kernel's own limit is 4 MB, so that a slow reader would get minutes-old updates.
    private static let sendBuffer: Int32 = 16 * 1024
    /// The number of bytes not yet on their way from which on a socket accepts no more.
    private static let unsentBytes: Int32 = 8 * 1024

    /// The default maximum number of pending bytes of a stream.
    package static let defaultMaximumPendingBytes = 4 * 1024 * 1024

    // Safe: the connection is used only under the lock and before it is resumed, with calls that libmicrohttpd declares
    // thread-safe.
    private struct Guarded: @unchecked Sendable { var state = State() }

    private let guarded = Lock(Guarded())
    private let maximumPendingBytes: Int
    private let onDrained: @Sendable (WebStream) -> Void
    private let onEnd: @Sendable (WebStream, End) -> Void

    /// Creates a stream that stores chunks until the headers of its response are sent.
    ///
    /// `onDrained` is called whenever the headers and all pending chunks are sent. `onEnd` is called once, when the
    /// stream ends. Both may be called on any thread, so a call of `onDrained` may arrive after the call of `onEnd`.
    /// They may use the stream, because its lock is not held during the call.
    package init(
        maximumPendingBytes: Int = defaultMaximumPendingBytes,
        onDrained: @escaping @Sendable (WebStream) -> Void = { _ in },
        onEnd: @escaping @Sendable (WebStream, End) -> Void = { _, _ in }
    ) {
        self.maximumPendingBytes = maximumPendingBytes
        self.onDrained = onDrained
        self.onEnd = onEnd
    }

    /// A Boolean value that indicates whether a chunk would be sent immediately.
    package var isDrained: Bool {
        guarded.withLock { $0.state.end == nil && $0.state.connection != nil && $0.state.pending.isEmpty }
    }

    package var isEnded: Bool { guarded.withLock { $0.state.end != nil } }

    /// Sends a chunk, stores it until the reader accepts it, or rejects it; returns which of these was done.
    @discardableResult
    package func write(_ chunk: WebChunk) -> WriteResult {
        let (result, isGone) = guarded.withLock { guarded -> (WriteResult, Bool) in
            guard guarded.state.end == nil, !guarded.state.isFinishing else { return (.closed, false) }
            if !guarded.state.pending.isEmpty, guarded.state.pendingBytes + chunk.count > maximumPendingBytes {
                return (.full, false)
            }
            if guarded.state.pending.isEmpty { guarded.state.lastProgress = monotonicMilliseconds() }
            guarded.state.pending.append(chunk)
            guarded.state.pendingBytes += chunk.count
            guard guarded.state.connection != nil, guarded.state.pending.count == 1 else { return (.waiting, false) }
            guard flush(&guarded.state) else { return (.closed, true) }
            if guarded.state.pending.isEmpty { return (.sent, false) }
            guarded.state.watcher?.awaitRoom(self, socket: guarded.state.socket)
            return (.waiting, false)
        }
        if isGone { end(.readerGone) }
        return result
    }

    /// Ends the stream after all pending chunks are sent.
    package func finish() { finish(.finished) }

    func finish(_ reason: End) {
        let isDue = guarded.withLock { guarded -> Bool in
            guard guarded.state.end == nil else { return false }
            guarded.state.isFinishing = true
            return guarded.state.connection != nil && guarded.state.pending.isEmpty
        }
        if isDue { end(reason) }
    }

    // MARK: What the server calls

    /// Suspends `connection`, and sends the chunks of the stream to its socket from then on.
    ///
    /// Returns true if the connection was suspended. If the stream has already ended, or ends during this call, the
    /// connection is not suspended, and the function returns false. A stream ends during this call if it has nothing
    /// left to send, if its reader is gone, or if `watcher` rejects it because the server stops. `isChunked` is true if
    /// chunks are sent in the chunked transfer coding; it is false for HTTP/1.0, which does not have this coding.
    ///
    /// Must be called after the headers were sent. Must be called on libmicrohttpd's thread, because only that thread
    /// may suspend a connection.
    func attach(_ connection: OpaquePointer, socket: Int32, isChunked: Bool, watcher: StreamWatcher) -> Bool {
        let (isAttached, isDrained, end) = guarded.withLock { guarded -> (Bool, Bool, End?) in
            guard guarded.state.end == nil else { return (false, false, nil) }
            // The kernel may still hold the headers back, because libmicrohttpd expects that a body follows.
            Self.set(IPPROTO_TCP, TCP_CORK, 0, of: socket)
            Self.set(IPPROTO_TCP, TCP_NODELAY, 1, of: socket)
            Self.set(Int(SOL_SOCKET), SO_SNDBUF, Self.sendBuffer, of: socket)
            Self.set(IPPROTO_TCP, TCP_NOTSENT_LOWAT, Self.unsentBytes, of: socket)
            guarded.state.socket = socket
            guarded.state.isChunked = isChunked
            guard flush(&guarded.state) else { return (false, false, .readerGone) }
            let hasPending = !guarded.state.pending.isEmpty
            let isFinished = guarded.state.isFinishing && !hasPending
            guard !isFinished, watcher.add(self, socket: socket, awaitsRoom: hasPending) else {
                sendEndOfBody(guarded.state)
                return (false, false, isFinished ? .finished : .serverStopped)
            }
            // The watcher waits for the lock of this stream, so it cannot resume the connection before this line.
            MHD_suspend_connection(connection)
            guarded.state.connection = connection
            guarded.state.watcher = watcher
            return (true, !hasPending, nil)
        }
        if let end { self.end(end) }
        if isAttached, isDrained { onDrained(self) }
        return isAttached
    }

    /// Sends pending chunks; called by the watcher when the socket accepts bytes again.
    func socketHasRoom() {
        let (isDrained, end) = guarded.withLock { guarded -> (Bool, End?) in
            guard guarded.state.end == nil, guarded.state.connection != nil, !guarded.state.pending.isEmpty else {
                return (false, nil)
            }
            guard flush(&guarded.state) else { return (false, .readerGone) }
            guard guarded.state.pending.isEmpty else { return (false, nil) }
            guarded.state.watcher?.awaitNothing(self, socket: guarded.state.socket)
            return (true, guarded.state.isFinishing ? .finished : nil)
        }
        if let end { return self.end(end) }
        if isDrained { onDrained(self) }
    }

    /// Returns whether chunks are pending and the reader has taken no bytes since `instant`; both times are in monotonic
    /// milliseconds.
    ///
    /// Must be called regularly, because it compares what the kernel still has with the last call.
    func isStalled(since instant: Int64, now: Int64) -> Bool {
        guarded.withLock { guarded in
            guard guarded.state.connection != nil, !guarded.state.pending.isEmpty else { return false }
            var untaken: Int32 = 0
            // A reader of few bytes may take minutes until the socket accepts more.
            if ioctl(guarded.state.socket, UInt(TIOCOUTQ), &untaken) == 0 {
                if untaken < guarded.state.untaken { guarded.state.lastProgress = now }
                guarded.state.untaken = untaken
            }
            return guarded.state.lastProgress < instant
        }
    }

    /// Ends the stream now, and drops its pending chunks.
    ///
    /// The connection is resumed, and libmicrohttpd closes it.
    func end(_ reason: End) {
        let isFirst = guarded.withLock { guarded -> Bool in
            guard guarded.state.end == nil else { return false }
            guarded.state.end = reason
            if let connection = guarded.state.connection {
                if reason != .readerGone { sendEndOfBody(guarded.state) }
                // The connection is resumed first: a stopping server waits only for the streams that the watcher knows.
                // The socket stays open, because libmicrohttpd's thread needs the lock before it closes it.
                MHD_resume_connection(connection)
                guarded.state.connection = nil
                guarded.state.watcher?.remove(self, socket: guarded.state.socket)
            }
            guarded.state.pending = []
            guarded.state.pendingBytes = 0
            guarded.state.watcher = nil
            return true
        }
        if isFirst { onEnd(self, reason) }
    }

    /// Sends as many pending bytes as the socket accepts; returns false if the reader is gone.
    private func flush(_ state: inout State) -> Bool {
        while let chunk = state.pending.first {
            let length = chunk.wire(chunked: state.isChunked).count
            let sent = send(chunk, from: state.sentOfFirst, state)
            if sent < 0 { return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR }
            if sent > 0 { state.lastProgress = monotonicMilliseconds() }
            state.sentOfFirst += sent
            guard state.sentOfFirst == length else { return true }
            state.pending.removeFirst()
            state.pendingBytes -= chunk.count
            state.sentOfFirst = 0
        }
        return true
    }

    /// Sends the last chunk of a chunked body (RFC 9112, section 7.1) if all chunks of the stream are sent.
    ///
    /// Without the last chunk, a reader takes the body for truncated.
    private func sendEndOfBody(_ state: State) {
        if state.pending.isEmpty, state.isChunked { send(.end, from: 0, state) }
    }

    private static func set(_ level: Int, _ option: Int32, _ value: Int32, of socket: Int32) {
        var value = value
        setsockopt(socket, Int32(level), option, &value, socklen_t(MemoryLayout<Int32>.size))
    }

    @discardableResult
    private func send(_ chunk: WebChunk, from offset: Int, _ state: State) -> Int {
        let wire = chunk.wire(chunked: state.isChunked)
        guard let base = wire.baseAddress else { return 0 }
        let flags = Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)
        return Glibc.send(state.socket, base + offset, wire.count - offset, flags)
    }
}
