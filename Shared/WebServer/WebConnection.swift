// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import CMicroHTTPD
import Glibc
import Synchronization

/// One accepted connection: its peer, its socket, and the time by which the current request must be complete.
final class WebConnection: Sendable {
    let client: String
    let socket: Int32
    /// The deadline of the current request in monotonic milliseconds.
    ///
    /// While a handler works or a response is sent, the value is ``noDeadline``.
    private let deadline: Atomic<Int64>

    /// A Boolean value that indicates whether the first line of a request has arrived, and the request is not complete.
    ///
    /// Browsers open connections ahead, and keep them after a response; these have a deadline, too.
    private let hasRequest = Atomic(false)

    static let noDeadline = Int64.max

    init(client: String, socket: Int32, deadline: Int64) {
        self.client = client
        self.socket = socket
        self.deadline = Atomic(deadline)
    }

    func setDeadline(_ deadline: Int64) { self.deadline.store(deadline, ordering: .relaxed) }

    func setHasRequest(_ hasRequest: Bool) { self.hasRequest.store(hasRequest, ordering: .relaxed) }

    var isWithinRequest: Bool { hasRequest.load(ordering: .relaxed) }

    func isOverdue(at now: Int64) -> Bool { deadline.load(ordering: .relaxed) <= now }

    /// Shuts the socket down, so that the server notices the end of the connection.
    ///
    /// The server then closes the socket.
    func shutDown() { _ = Glibc.shutdown(socket, Int32(SHUT_RDWR)) }
}

/// Returns the monotonic time in milliseconds.
func monotonicMilliseconds() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
}
