// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import CZeroMQ

/// Says which call to libzmq failed, where, and with which error number.
public struct ZeroMQError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The C function, `zmq_bind`.
    public let call: String
    /// The number of `zmq_errno`, `EADDRINUSE`.
    public let code: Int32
    /// The endpoint, or the kind of socket.
    public let place: String

    package init(call: String, code: Int32, place: String) {
        self.call = call
        self.code = code
        self.place = place
    }

    /// The error of the call that this thread made last.
    init(call: String, place: String) {
        self.init(call: call, code: zmq_errno(), place: place)
    }

    public var description: String {
        "\(place): \(zmq_strerror(code).map { String(cString: $0) } ?? "unknown error") (\(call), error \(code))"
    }
}
