// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import CZeroMQ
internal import Glibc

/// The I/O thread and the memory that sockets share.
///
/// Each socket keeps its context alive. Releasing the last reference blocks until pending messages are sent, at most
/// for the sockets' linger time.
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
