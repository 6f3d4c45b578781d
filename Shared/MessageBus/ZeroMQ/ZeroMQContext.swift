// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import CZeroMQ
internal import Glibc

/// The I/O thread and the memory that sockets share.
///
/// Each socket keeps its context alive; the last one that lets go waits here until what is pending is sent, at most
/// for the sockets' linger.
package final class ZeroMQContext: Sendable {
    // Safe: libzmq's contexts are thread safe; the handle is set once and ended in deinit, when no socket is left.
    nonisolated(unsafe) let handle: UnsafeMutableRawPointer

    package init() throws(ZeroMQError) {
        guard let handle = zmq_ctx_new() else { throw ZeroMQError(call: "zmq_ctx_new", place: "context") }
        self.handle = handle
    }

    deinit {
        while zmq_ctx_term(handle) == -1 && zmq_errno() == EINTR {}
    }
}
