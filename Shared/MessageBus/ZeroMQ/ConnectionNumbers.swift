// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import CZeroMQ
internal import Foundation

/// The numbers of the connections of a listening socket, which their messages carry (`FrameBuffer/connectionNumber`).
///
/// The settings of the socket must have `numbersConnections`. libzmq then asks this handler about each connection before
/// it completes the handshake (ZAP, rfc.zeromq.org/spec/27). The handler accepts all, each with a number of its own as user
/// id. A later connection has a higher number. There can be one handler in each `ZeroMQContext`.
///
/// Must be used only on one thread.
package struct ConnectionNumbers: ~Copyable {
    /// The socket that receives libzmq's questions.
    package let requests: ZeroMQSocket
    /// The highest number so far.
    package private(set) var last: UInt64 = 0
    private var frames = FrameBuffer()

    package init(in context: ZeroMQContext) throws(ZeroMQError) {
        requests = try Self.listen(in: context)
    }

    private static func listen(in context: ZeroMQContext) throws(ZeroMQError) -> ZeroMQSocket {
        let socket = try ZeroMQSocket(.router, in: context, settings: SocketSettings())
        try socket.bind(inProcess: "zeromq.zap.01")
        return socket
    }

    /// Receives the next question without blocking; returns false if there is none.
    package mutating func receive() throws(ZeroMQError) -> Bool { try frames.receive(from: requests) }

    /// Accepts the connection of the last question, with the next number.
    package mutating func accept() throws(ZeroMQError) {
        // The frames are the routing id, an empty one, the version, the id of the question, and what it asks.
        guard frames.count >= 4 else { return }
        last += 1
        let texts = ["200", "OK", "\(last)", ""].map { Data($0.utf8) }
        // If the connection has ended meanwhile, nobody receives the answer.
        _ = try requests.send([frames.data(0), Data(), frames.data(2), frames.data(3)] + texts)
    }
}
