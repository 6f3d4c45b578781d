// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import CMicroHTTPD
import Foundation
import Glibc
import Synchronization

/// An HTTP/1.1 server with asynchronous handlers: one thread for all connections, none for a handler that waits.
///
/// A connection is suspended while its handler works (`MHD_suspend_connection`), so a handler may take as long as it
/// likes. Whoever creates a server calls `stop()`; `withWebServer` does.
package final class WebServer: Sendable {
    package typealias Handler = @Sendable (WebRequest) async -> WebResponse

    package let host: String
    /// The port that the server listens on, chosen by the system where 0 was asked for.
    package let port: Int

    private let core: ServerCore
    // Safe: used by `stop()` alone after the start, once.
    nonisolated(unsafe) private let daemon: OpaquePointer
    private let isStopped = Atomic<Bool>(false)

    package init(
        host: String = "127.0.0.1",
        port: Int = 0,
        limits: WebServerLimits = WebServerLimits(),
        handler: @escaping Handler
    ) throws(WebServerError) {
        let name = "\(host):\(port)"
        guard let address = ListenAddress(host: host, port: port) else {
            throw WebServerError(call: "inet_pton", errno: EINVAL, address: name)
        }
        let core = ServerCore(limits: limits, handler: handler)
        let context = Unmanaged.passRetained(core)
        errno = 0
        let daemon = address.withSocketAddress { socketAddress in
            tidings_mhd_start(
                address.isIPv6 ? 1 : 0,
                socketAddress,
                handleRequest,
                context.toOpaque(),
                requestCompleted,
                context.toOpaque(),
                UInt32(limits.maximumConnections),
                UInt32(limits.idleSeconds),
                limits.maximumHeaderBytes
            )
        }
        guard let daemon else {
            let code = errno
            context.release()
            throw WebServerError(call: "MHD_start_daemon", errno: code, address: name)
        }
        self.core = core
        self.daemon = daemon
        self.host = host
        self.port = Int(tidings_mhd_port(daemon))
    }

    /// Frees the port, answers what is under way with 503 and closes all connections; a second call returns at once.
    package func stop() async {
        guard !isStopped.exchange(true, ordering: .acquiringAndReleasing) else { return }
        await withCheckedContinuation { continuation in
            // Stopping joins the server's thread: not a wait for the cooperative pool.
            let thread = Thread {
                let listener = MHD_quiesce_daemon(self.daemon)
                if listener >= 0 { close(listener) }
                self.core.stopTakingRequests()
                MHD_stop_daemon(self.daemon)
                Unmanaged.passUnretained(self.core).release()
                continuation.resume()
            }
            thread.start()
        }
    }
}

/// Runs `body` with a server that listens before it starts and has stopped when this returns.
package func withWebServer<Value>(
    host: String = "127.0.0.1",
    port: Int = 0,
    limits: WebServerLimits = WebServerLimits(),
    handler: @escaping WebServer.Handler,
    _ body: (WebServer) async throws -> Value
) async throws -> Value {
    let server = try WebServer(host: host, port: port, limits: limits, handler: handler)
    do {
        let value = try await body(server)
        await server.stop()
        return value
    } catch {
        await server.stop()
        throw error
    }
}

/// What the server's thread and the handlers' tasks share.
private final class ServerCore: Sendable {
    private struct State {
        var isStopping = false
        var exchanges: [ObjectIdentifier: Exchange] = [:]
    }

    let limits: WebServerLimits
    private let handler: WebServer.Handler
    private let state = Mutex(State())
    /// Signalled when the last exchange is over while the server stops.
    private let drained = DispatchSemaphore(value: 0)
    /// How long stopping waits for clients to take their last answer.
    private static let drainMilliseconds = 1000

    init(limits: WebServerLimits, handler: @escaping WebServer.Handler) {
        self.limits = limits
        self.handler = handler
    }

    /// Starts the handler of a suspended connection.
    func begin(_ exchange: Exchange) {
        let isStopping = state.withLock { state in
            state.exchanges[ObjectIdentifier(exchange)] = exchange
            return state.isStopping
        }
        if isStopping { exchange.abandon() } else { exchange.begin(handler) }
    }

    /// The answer was sent, or the client has gone.
    func end(_ exchange: Exchange) {
        let isDrained = state.withLock { state in
            state.exchanges[ObjectIdentifier(exchange)] = nil
            return state.isStopping && state.exchanges.isEmpty
        }
        if isDrained { drained.signal() }
    }

    /// Abandons the suspended connections and waits until their answers are out.
    ///
    /// The server's thread cannot end before they are resumed. Blocks.
    func stopTakingRequests() {
        let exchanges = state.withLock { state in
            state.isStopping = true
            return Array(state.exchanges.values)
        }
        for exchange in exchanges { exchange.abandon() }
        if !exchanges.isEmpty { _ = drained.wait(timeout: .now() + .milliseconds(Self.drainMilliseconds)) }
    }
}

/// A numeric address and a port as the system wants them.
private struct ListenAddress {
    let isIPv6: Bool
    private var storage = sockaddr_storage()

    init?(host: String, port: Int) {
        guard let port = UInt16(exactly: port) else { return nil }
        let host = host == "localhost" ? "127.0.0.1" : host
        var ipv4 = sockaddr_in()
        var ipv6 = sockaddr_in6()
        if inet_pton(AF_INET, host, &ipv4.sin_addr) == 1 {
            isIPv6 = false
            ipv4.sin_family = sa_family_t(AF_INET)
            ipv4.sin_port = port.bigEndian
            withUnsafeMutableBytes(of: &storage) { $0.storeBytes(of: ipv4, as: sockaddr_in.self) }
        } else if inet_pton(AF_INET6, host, &ipv6.sin6_addr) == 1 {
            isIPv6 = true
            ipv6.sin6_family = sa_family_t(AF_INET6)
            ipv6.sin6_port = port.bigEndian
            withUnsafeMutableBytes(of: &storage) { $0.storeBytes(of: ipv6, as: sockaddr_in6.self) }
        } else {
            return nil
        }
    }

    func withSocketAddress<Value>(_ body: (UnsafePointer<sockaddr>) -> Value) -> Value {
        withUnsafePointer(to: storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0) }
        }
    }
}

// MARK: What libmicrohttpd calls, on its thread

/// Called when the headers are there, for each piece of the body, at its end, and after the connection was resumed.
private let handleRequest: MHD_AccessHandlerCallback = {
    context,
    connection,
    url,
    method,
    _,
    uploadData,
    uploadSize,
    exchangeContext in
    guard let context, let connection, let url, let method, let uploadSize, let exchangeContext else { return .NO }
    let core = Unmanaged<ServerCore>.fromOpaque(context).takeUnretainedValue()
    guard let known = exchangeContext.pointee else {
        let exchange = Exchange(
            request: requestHead(connection, method: String(cString: method), path: String(cString: url)),
            connection: connection,
            maximumBodyBytes: core.limits.maximumBodyBytes
        )
        let announced = exchange.request.header("Content-Length").flatMap { UInt64($0) } ?? 0
        if announced > UInt64(core.limits.maximumBodyBytes) {
            return queue(WebResponse(status: 413, text: "The body is too large.\n"), connection)
        }
        exchangeContext.pointee = Unmanaged.passRetained(exchange).toOpaque()
        return .YES
    }
    let exchange = Unmanaged<Exchange>.fromOpaque(known).takeUnretainedValue()
    if uploadSize.pointee > 0 {
        let piece = UnsafeRawBufferPointer(start: uploadData, count: uploadSize.pointee)
        uploadSize.pointee = 0
        return exchange.receive(body: piece) ? .YES : .NO
    }
    if let response = exchange.response { return queue(response, connection) }
    // Suspended first: the answer may come before this function returns.
    MHD_suspend_connection(connection)
    core.begin(exchange)
    return .YES
}

private let requestCompleted: MHD_RequestCompletedCallback = { context, _, exchangeContext, _ in
    guard let context, let known = exchangeContext?.pointee else { return }
    let exchange = Unmanaged<Exchange>.fromOpaque(known).takeRetainedValue()
    exchangeContext?.pointee = nil
    Unmanaged<ServerCore>.fromOpaque(context).takeUnretainedValue().end(exchange)
}

private final class FieldCollector {
    var fields: [(name: String, value: String)] = []
}

private func requestHead(_ connection: OpaquePointer, method: String, path: String) -> WebRequest {
    WebRequest(
        method: method,
        path: path,
        query: fields(connection, .GET_ARGUMENT_KIND),
        headers: fields(connection, .HEADER_KIND).map { WebHeader($0.name, $0.value) }
    )
}

private func fields(_ connection: OpaquePointer, _ kind: MHD_ValueKind) -> [(name: String, value: String)] {
    let collector = FieldCollector()
    let collect: MHD_KeyValueIterator = { context, _, name, value in
        guard let context, let name else { return .YES }
        let collector = Unmanaged<FieldCollector>.fromOpaque(context).takeUnretainedValue()
        collector.fields.append((String(cString: name), value.map { String(cString: $0) } ?? ""))
        return .YES
    }
    MHD_get_connection_values(connection, kind, collect, Unmanaged.passUnretained(collector).toOpaque())
    return collector.fields
}

private func queue(_ response: WebResponse, _ connection: OpaquePointer) -> MHD_Result {
    let body = response.describesBody ? response.body : Data()
    let message = body.withUnsafeBytes { bytes in
        MHD_create_response_from_buffer(
            bytes.count,
            UnsafeMutableRawPointer(mutating: bytes.baseAddress),
            .RESPMEM_MUST_COPY
        )
    }
    guard let message else { return .NO }
    defer { MHD_destroy_response(message) }
    for header in response.headers {
        // A header that libmicrohttpd refuses (a line break in it) must not go out in half: no answer is better.
        guard MHD_add_response_header(message, header.name, header.value) == .YES else { return .NO }
    }
    return MHD_queue_response(connection, UInt32(response.status), message)
}
