// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The state that a socket shares with the `PollSet` that waits for it.
///
/// The descriptor of a socket is edge-triggered (`ZMQ_FD` in zmq_getsockopt(3)): libzmq makes it ready when it passes
/// work to the socket's thread, and no longer ready when a function of libzmq takes this work. Sending and receiving take
/// such work, too. So after a call, messages can be waiting although the descriptor is not ready.
final class SocketProgress {
    /// A Boolean value that indicates whether a message may be waiting although the descriptor is not ready.
    ///
    /// It is false only if libzmq has said that no message is waiting, and no other call for the socket has followed.
    var mayBeReadable = true
}
