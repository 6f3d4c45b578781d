// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import WebServer

/// The server closes a connection without a whole request after four seconds.
private let limits = {
    var limits = WebServerLimits()
    (limits.idleTimeout, limits.requestTimeout) = (.seconds(4), .seconds(4))
    return limits
}()
private let server = try? HTTPServer(limits: limits) { head in
    head.path.hasPrefix("/refused")
        ? .refused(WebResponse(status: 404, text: "none\n"))
        : .accepted { request in .now(WebResponse(text: "\(request.body.count)\n")) }
}

/// Fuzzes the bytes of HTTP connections, as the gateway's server reads them.
///
/// Checks that each answer is an HTTP answer and no failure, and that the server answers the next client.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    var answer = exchange(UnsafeRawBufferPointer(start: start, count: count))[...]
    let interim = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)
    if answer.starts(with: interim) { answer = answer.dropFirst(interim.count) }
    if !answer.isEmpty {
        precondition(answer.starts(with: Array("HTTP/1.1 ".utf8)))
        let status = Int(String(decoding: answer.dropFirst(9).prefix(3), as: UTF8.self)) ?? 0
        precondition((200...431).contains(status) || status == 501 || status == 505)
    }
    let next = Array("GET / HTTP/1.1\r\nHost: x\r\n\r\n".utf8).withUnsafeBytes { exchange($0) }
    precondition(next.starts(with: Array("HTTP/1.1 200 ".utf8)))
    return 0
}

/// Sends all bytes of a connection, and returns what comes until its end.
private func exchange(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
    guard let server else { fatalError("the server does not start") }
    let connection = connect(to: server.port)
    defer { close(connection) }
    var sent = 0
    while sent < bytes.count {
        let rest = UnsafeRawBufferPointer(rebasing: bytes[sent...])
        let written = uninterrupted { send(connection, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL)) }
        guard written > 0 else { break }
        sent += written
    }
    // libmicrohttpd overlooks the end of a connection that arrives together with its last bytes, and waits for its
    // timeout.
    var arrival = pollfd(fd: connection, events: Int16(POLLIN), revents: 0)
    _ = uninterrupted { Int(poll(&arrival, 1, 20)) }
    shutdown(connection, Int32(SHUT_WR))
    var answer: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 4096)
    while true {
        let read = uninterrupted { recv(connection, &piece, piece.count, 0) }
        guard read > 0 else { return answer }
        answer += piece.prefix(read)
    }
}

/// Returns the socket of a new connection.
private func connect(to port: Int) -> Int32 {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    while true {
        let connection = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(connection, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        if status == 0 { return connection }
        guard errno == EINTR else { fatalError("cannot connect: \(String(cString: strerror(errno)))") }
        close(connection)
    }
}

/// Repeats a call that a signal of libFuzzer's timer has interrupted.
private func uninterrupted(_ call: () -> Int) -> Int {
    while true {
        let result = call()
        guard result < 0, errno == EINTR else { return result }
    }
}
