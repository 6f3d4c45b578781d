// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Locking

/// A socket between a client and a PostgreSQL server that can lose the server's answer to a COMMIT.
final class Relay: Sendable {
    private struct State {
        var cutsNext = false
        var beforeCut: (@Sendable () -> Void)?
        var cuts = 0
    }

    /// The folder of the socket.
    let folder: String
    private let target: String
    private let listener: Int32
    private let state = Lock(State())

    /// The number of connections that were cut.
    var cuts: Int { state.withLock(\.cuts) }

    init(to target: String) throws {
        folder = "/tmp/tidings-relay-\(getpid())-\(UInt32.random(in: 0...UInt32.max))"
        self.target = target
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        self.listener = listener
        let path = folder + "/.s.PGSQL.5432"
        guard Self.withAddress(path, { bind(listener, $0, $1) }) == 0, listen(listener, 8) == 0 else {
            throw POSIXError(.init(rawValue: errno) ?? .EIO)
        }
        Thread.detachNewThread { [weak self] in
            while true {
                let client = accept(listener, nil, nil)
                guard client >= 0 else { return }
                self?.serve(client)
            }
        }
    }

    deinit {
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Loses the next answer to a COMMIT, with its connection, after `action`.
    func cutAtNextCommit(_ action: (@Sendable () -> Void)? = nil) {
        state.withLock { state in
            state.cutsNext = true
            state.beforeCut = action
        }
    }

    private func serve(_ client: Int32) {
        let server = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        guard Self.withAddress(target, { connect(server, $0, $1) }) == 0 else {
            close(client)
            close(server)
            return
        }
        Thread.detachNewThread {
            Self.copy(from: client, to: server) { _ in true }
            shutdown(server, Int32(SHUT_WR))
        }
        Thread.detachNewThread { [weak self] in
            Self.copy(from: server, to: client) { bytes in self?.passes(bytes) ?? true }
            shutdown(client, Int32(SHUT_RDWR))
            shutdown(server, Int32(SHUT_RDWR))
        }
    }

    /// The tag of the answer to a COMMIT; the server sends it once the transaction is durable.
    private static let commitTag = Data("COMMIT\0".utf8)

    private func passes(_ bytes: Data) -> Bool {
        guard bytes.range(of: Self.commitTag) != nil else { return true }
        let action: (@Sendable () -> Void)?? = state.withLock { state in
            guard state.cutsNext else { return .none }
            state.cutsNext = false
            return .some(state.beforeCut)
        }
        guard let action else { return true }
        action?()
        state.withLock { $0.cuts += 1 }
        return false
    }

    private static func copy(from source: Int32, to target: Int32, while passes: (Data) -> Bool) {
        var buffer = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = read(source, &buffer, buffer.count)
            guard count > 0, passes(Data(buffer[..<count])) else { return }
            var sent = 0
            while sent < count {
                let rest = Array(buffer[sent..<count])
                let written = send(target, rest, rest.count, Int32(MSG_NOSIGNAL))
                guard written > 0 else { return }
                sent += written
            }
        }
    }

    private static func withAddress(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                body(pointer, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}
