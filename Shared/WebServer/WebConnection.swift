// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Glibc
import Synchronization

/// One accepted connection: its peer, its socket, and when the request that it is sending must be complete.
final class WebConnection: Sendable {
    let client: String
    let socket: Int32
    /// Monotonic milliseconds; `noDeadline` while a handler works or a response is sent.
    private let deadline: Atomic<Int64>

    static let noDeadline = Int64.max

    init(client: String, socket: Int32, deadline: Int64) {
        self.client = client
        self.socket = socket
        self.deadline = Atomic(deadline)
    }

    func setDeadline(_ deadline: Int64) { self.deadline.store(deadline, ordering: .relaxed) }

    func isOverdue(at now: Int64) -> Bool { deadline.load(ordering: .relaxed) <= now }

    /// Has the server see the end of the connection; the socket stays open until the server closes it.
    func shutDown() { _ = Glibc.shutdown(socket, Int32(SHUT_RDWR)) }
}

/// Monotonic time in milliseconds.
func monotonicMilliseconds() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
}
