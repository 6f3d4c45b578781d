// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import CZeroMQ

/// A change of a monitored socket's connection.
package enum ConnectionEvent: Hashable, Sendable {
    case connected
    case disconnected

    /// Creates an event from the first frame of a libzmq monitor's message.
    ///
    /// The frame contains the event's number in 16 bits, then its value in 32 bits, in host byte order. The result is
    /// nil if the number is missing, or if the event is neither a completed handshake (`connected`) nor a lost
    /// connection (`disconnected`).
    package init?(_ frame: UnsafeRawBufferPointer) {
        guard frame.count >= MemoryLayout<UInt16>.size else { return nil }
        switch Int32(frame.loadUnaligned(as: UInt16.self)) {
        case ZMQ_EVENT_HANDSHAKE_SUCCEEDED: self = .connected
        case ZMQ_EVENT_DISCONNECTED: self = .disconnected
        default: return nil
        }
    }
}
