// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import CZeroMQ
package import Foundation
package import WidgetSchema

/// One ZeroMQ socket, closed when it goes out of scope.
///
/// It is not Sendable: only one thread may use it, or several threads that exclude each other (`BusPublisher`). One
/// thread must keep polling it even if there is nothing to send: libzmq adds new peers, and renews the subscriptions
/// after a reconnect, only while a thread calls a function of libzmq for the socket.
package struct ZeroMQSocket: ~Copyable {
    package enum Kind: Sendable {
        case xpub
        case xsub
        case sub
        case router
        case dealer
        case pair

        var number: Int32 {
            switch self {
            case .xpub: ZMQ_XPUB
            case .xsub: ZMQ_XSUB
            case .sub: ZMQ_SUB
            case .router: ZMQ_ROUTER
            case .dealer: ZMQ_DEALER
            case .pair: ZMQ_PAIR
            }
        }
    }

    /// The result of an attempt to send; other failures are thrown as errors.
    package enum Sending: Hashable, Sendable {
        case sent
        /// The peer's queue is full, or no peer is connected yet.
        case wouldBlock
        /// The socket is a router, and no connected peer has the routing id in the first frame.
        case unreachable
    }

    package let kind: Kind
    let handle: UnsafeMutableRawPointer
    let progress = SocketProgress()
    private let context: ZeroMQContext

    package init(_ kind: Kind, in context: ZeroMQContext, settings: SocketSettings) throws(ZeroMQError) {
        guard let handle = zmq_socket(context.handle, kind.number) else {
            throw ZeroMQError(call: "zmq_socket", place: "\(kind)")
        }
        self.kind = kind
        self.handle = handle
        self.context = context
        // These calls fail only through a programming error: the options exist and the values are in range.
        set(ZMQ_LINGER, settings.linger)
        set(ZMQ_SNDHWM, settings.sendLimit)
        set(ZMQ_RCVHWM, settings.receiveLimit)
        set(ZMQ_HEARTBEAT_IVL, settings.heartbeatInterval)
        set(ZMQ_HEARTBEAT_TIMEOUT, settings.heartbeatTimeout)
        set(ZMQ_HEARTBEAT_TTL, settings.peerTimeout)
        set(ZMQ_HANDSHAKE_IVL, settings.handshakeTimeout)
        set(ZMQ_RECONNECT_IVL, settings.reconnectInterval)
        set(ZMQ_RECONNECT_IVL_MAX, settings.maximumReconnectInterval)
        set(ZMQ_BACKLOG, settings.backlog)
        set(ZMQ_RCVBUF, settings.receiveBuffer)
        if settings.numbersConnections { setDomain("numbered") }
        switch kind {
        // All subscriptions and unsubscriptions are delivered, not only the first and the last one of each prefix.
        case .xpub: set(ZMQ_XPUB_VERBOSER, 1)
        case .router: set(ZMQ_ROUTER_MANDATORY, 1)
        // Without a connection, libzmq must not queue requests: `ClientCore` keeps them, and can still remove them.
        case .dealer: set(ZMQ_IMMEDIATE, 1)
        case .sub, .xsub, .pair: break
        }
    }

    deinit {
        zmq_close(handle)
    }

    /// The descriptor that becomes ready when libzmq has work for the socket's thread; see `SocketProgress`.
    var descriptor: Int32 {
        var descriptor: Int32 = -1
        var size = MemoryLayout<Int32>.size
        // The call fails only for a closed socket or context.
        let result = zmq_getsockopt(handle, ZMQ_FD, &descriptor, &size)
        precondition(result == 0, "\(kind) has no descriptor")
        return descriptor
    }

    private func set(_ option: Int32, _ value: Int32) {
        let result = withUnsafePointer(to: value) { zmq_setsockopt(handle, option, $0, MemoryLayout<Int32>.size) }
        precondition(result == 0, "\(kind) refused option \(option) with value \(value)")
    }

    private func setDomain(_ name: String) {
        var name = name
        let result = name.withUTF8 { zmq_setsockopt(handle, ZMQ_ZAP_DOMAIN, $0.baseAddress, $0.count) }
        precondition(result == 0, "\(kind) refused a domain")
    }

    /// Listens on an endpoint and returns that endpoint; if its port is 0, the result has the port that the system
    /// chose.
    ///
    /// A frame larger than `maximumFrame` bytes ends the connection; the peer may connect again. Only listeners have
    /// this limit, because a connecting socket with the limit would never reconnect.
    package func bind(to endpoint: Endpoint, maximumFrame: Int) throws(ZeroMQError) -> Endpoint {
        let limit = Int64(maximumFrame)
        let limited = withUnsafePointer(to: limit) {
            zmq_setsockopt(handle, ZMQ_MAXMSGSIZE, $0, MemoryLayout<Int64>.size)
        }
        precondition(limited == 0, "\(kind) refused a limit of \(maximumFrame) bytes")
        prepare(for: endpoint)
        progress.mayBeReadable = true
        guard zmq_bind(handle, endpoint.description) == 0 else {
            throw ZeroMQError(call: "zmq_bind", place: endpoint.description)
        }
        guard case .tcp(let host, port: 0) = endpoint else { return endpoint }
        let bound = try lastEndpoint(endpoint)
        guard let port = bound.split(separator: ":").last.flatMap({ UInt16($0) }) else {
            throw ZeroMQError(call: "zmq_getsockopt", code: EINVAL, place: bound)
        }
        return .tcp(host: host, port: port)
    }

    /// Listens at the endpoint `inproc://NAME`, for sockets of the same `ZeroMQContext`.
    func bind(inProcess name: String) throws(ZeroMQError) {
        progress.mayBeReadable = true
        let endpoint = "inproc://\(name)"
        guard zmq_bind(handle, endpoint) == 0 else { throw ZeroMQError(call: "zmq_bind", place: endpoint) }
    }

    private func lastEndpoint(_ endpoint: Endpoint) throws(ZeroMQError) -> String {
        var name = [CChar](repeating: 0, count: 256)
        var size = name.count
        guard zmq_getsockopt(handle, ZMQ_LAST_ENDPOINT, &name, &size) == 0 else {
            throw ZeroMQError(call: "zmq_getsockopt", place: endpoint.description)
        }
        return String(decoding: name.prefix(while: { $0 != 0 }).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Starts to connect in the background, and retries until the connection succeeds.
    package func connect(to endpoint: Endpoint) throws(ZeroMQError) {
        prepare(for: endpoint)
        progress.mayBeReadable = true
        guard zmq_connect(handle, endpoint.description) == 0 else {
            throw ZeroMQError(call: "zmq_connect", place: endpoint.description)
        }
    }

    private func prepare(for endpoint: Endpoint) {
        if case .tcp(let host, _) = endpoint, host.hasPrefix("[") { set(ZMQ_IPV6, 1) }
    }

    /// Subscribes to the topics that begin with `prefix`.
    package func subscribe(to prefix: String) {
        change(ZMQ_SUBSCRIBE, prefix)
    }

    package func unsubscribe(from prefix: String) {
        change(ZMQ_UNSUBSCRIBE, prefix)
    }

    private func change(_ option: Int32, _ prefix: String) {
        var prefix = prefix
        progress.mayBeReadable = true
        let result = prefix.withUTF8 { zmq_setsockopt(handle, option, $0.baseAddress, $0.count) }
        precondition(result == 0, "\(kind) refused a subscription")
    }

    /// Returns a socket that receives a message when this socket makes or loses a connection; see `ConnectionEvent`.
    ///
    /// libzmq reports the connections at the endpoint `inproc://NAME`. `name` is the last part of this endpoint
    /// and must be unique within the socket's `ZeroMQContext`.
    package func connectionEvents(name: String = "connection-events") throws(ZeroMQError) -> ZeroMQSocket {
        try events(ZMQ_EVENT_HANDSHAKE_SUCCEEDED | ZMQ_EVENT_DISCONNECTED, name: name)
    }

    /// Returns a socket that receives a message when this listening socket accepts or loses a connection.
    ///
    /// libzmq reports the connections at the endpoint `inproc://NAME`. `name` is the last part of this endpoint
    /// and must be unique within the socket's `ZeroMQContext`.
    func acceptedConnectionEvents(name: String) throws(ZeroMQError) -> ZeroMQSocket {
        try events(ZMQ_EVENT_ACCEPTED | ZMQ_EVENT_DISCONNECTED, name: name)
    }

    private func events(_ kinds: Int32, name: String) throws(ZeroMQError) -> ZeroMQSocket {
        let endpoint = "inproc://\(name)"
        guard zmq_socket_monitor(handle, endpoint, kinds) == 0 else {
            throw ZeroMQError(call: "zmq_socket_monitor", place: endpoint)
        }
        let pair = try ZeroMQSocket(.pair, in: context, settings: SocketSettings())
        guard zmq_connect(pair.handle, endpoint) == 0 else { throw ZeroMQError(call: "zmq_connect", place: endpoint) }
        return pair
    }

    /// Receives one whole message into `frames` without blocking; returns false if no message has arrived.
    package func receive(_ frames: inout FrameBuffer) throws(ZeroMQError) -> Bool { try frames.receive(from: self) }

    /// Sends copies of the frames as one message, without blocking.
    package func send(_ frames: [Data]) throws(ZeroMQError) -> Sending {
        precondition(!frames.isEmpty, "a message has a frame")
        for (index, frame) in frames.enumerated() {
            let flags = ZMQ_DONTWAIT | (index < frames.count - 1 ? ZMQ_SNDMORE : 0)
            let outcome = try sending {
                frame.withUnsafeBytes { zmq_send(handle, $0.baseAddress, $0.count, flags) }
            }
            // A queue takes a message as a whole: only its first frame can be rejected.
            if outcome != .sent { return outcome }
        }
        return .sent
    }

    func sending(_ call: () -> Int32) throws(ZeroMQError) -> Sending {
        progress.mayBeReadable = true
        while call() == -1 {
            switch zmq_errno() {
            case EINTR: continue
            case EAGAIN: return .wouldBlock
            case EHOSTUNREACH: return .unreachable
            default: throw ZeroMQError(call: "zmq_send", place: "\(kind)")
            }
        }
        return .sent
    }
}
