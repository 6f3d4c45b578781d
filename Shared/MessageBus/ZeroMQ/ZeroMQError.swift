// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import CZeroMQ

/// An error of a call to libzmq: the called function, the endpoint or kind of socket, and the error number.
public struct ZeroMQError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The C function, such as `zmq_bind`.
    public let call: String
    /// The value of `zmq_errno`, such as `EADDRINUSE`.
    public let code: Int32
    /// The endpoint of the call, or the kind of its socket if the call has no endpoint.
    public let place: String

    package init(call: String, code: Int32, place: String) {
        self.call = call
        self.code = code
        self.place = place
    }

    /// Creates the error of the libzmq call that has just failed on this thread.
    init(call: String, place: String) {
        self.init(call: call, code: zmq_errno(), place: place)
    }

    public var description: String {
        "\(place): \(zmq_strerror(code).map { String(cString: $0) } ?? "unknown error") (\(call), error \(code))"
    }
}
