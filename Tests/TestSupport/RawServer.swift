// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Locking

/// A TCP server that sends exactly the given bytes, for origins that violate HTTP.
///
/// Loopback only. Each connection has a thread, which reads the head of a request, runs `answer`, and closes the
/// connection.
public final class RawServer: Sendable {
    /// One accepted connection, on its own thread.
    public struct Connection: Sendable {
        /// The request line and headers as received.
        public let requestHead: String
        fileprivate let socket: RawSocket

        /// Sends all bytes; returns false if the peer is gone.
        public func send(_ bytes: [UInt8]) -> Bool { socket.send(bytes) }
        public func send(_ text: String) -> Bool { send(Array(text.utf8)) }

        /// Waits until the peer closes or sends more; returns false after `milliseconds`.
        public func waitForPeer(milliseconds: Int32) -> Bool { socket.waitForPeer(milliseconds: milliseconds) }

        /// Reads the head of the next request; if the peer closes, returns what has arrived.
        public func receiveHead() -> String { RawServer.receiveHead(socket.descriptor) }
    }

    public let port: Int
    private let listener: Int32
    private let open = Lock<(descriptors: Set<Int32>, isStopping: Bool)>(([], false))
    private let answer: @Sendable (Connection) -> Void

    fileprivate init(answer: @escaping @Sendable (Connection) -> Void) throws {
        self.answer = answer
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in.loopback(0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = self.listener
        let bound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(listener, address, length) == 0 && listen(listener, 512) == 0
                    && getsockname(listener, address, &length) == 0
            }
        }
        port = Int(UInt16(bigEndian: address.sin_port))
        guard bound else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        let thread = Thread { self.acceptAll() }
        thread.name = "raw-server"
        thread.start()
    }

    fileprivate func stop() {
        open.withLock { open in
            open.isStopping = true
            for descriptor in open.descriptors { shutdown(descriptor, Int32(SHUT_RDWR)) }
        }
        shutdown(listener, Int32(SHUT_RDWR))
    }

    private func acceptAll() {
        while true {
            let descriptor = accept(listener, nil, nil)
            if descriptor < 0 {
                if errno == EINTR || errno == ECONNABORTED { continue }
                break
            }
            let isStopping = open.withLock { open in
                if !open.isStopping { open.descriptors.insert(descriptor) }
                return open.isStopping
            }
            guard !isStopping else {
                close(descriptor)
                break
            }
            let thread = Thread { self.serve(descriptor) }
            thread.name = "raw-connection"
            thread.start()
        }
        close(listener)
    }

    private func serve(_ descriptor: Int32) {
        let connection = RawSocket(descriptor: descriptor)
        answer(Connection(requestHead: Self.receiveHead(descriptor), socket: connection))
        open.withLock { _ = $0.descriptors.remove(descriptor) }
        close(descriptor)
    }

    private static func receiveHead(_ descriptor: Int32) -> String {
        var head: [UInt8] = []
        var byte: UInt8 = 0
        while head.count < 1 << 20, !head.ends(with: "\r\n\r\n"), recv(descriptor, &byte, 1, 0) == 1 {
            head.append(byte)
        }
        return String(decoding: head, as: UTF8.self)
    }
}

extension [UInt8] {
    fileprivate func ends(with text: String) -> Bool { suffix(text.utf8.count).elementsEqual(text.utf8) }
}

/// Runs `body` with a raw server, and shuts down all its connections at the end.
public func withRawServer<Value>(
    answer: @escaping @Sendable (RawServer.Connection) -> Void,
    _ body: (RawServer) async throws -> Value
) async throws -> Value {
    let server = try RawServer(answer: answer)
    defer { server.stop() }
    return try await body(server)
}
