// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// A note of whether a socket can have events that its descriptor does not show.
///
/// The descriptor of a ZeroMQ socket becomes readable when another thread sends a command to the socket, such as "a
/// message has arrived". Each call of libzmq for the socket may take these commands, and the descriptor then stays
/// unreadable although the socket has events (zmq_getsockopt(3), `ZMQ_FD`). So the events must be read after the last
/// call, before a thread waits for the descriptor.
///
/// Only the socket's thread uses the note.
final class SocketActivity {
    /// A Boolean value that indicates whether the socket's events must be read before a wait for its descriptor.
    ///
    /// The value is false if the last call of libzmq for the socket took all commands, and left nothing to read.
    var needsCheck = true
}
