// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import CMicroHTTPD
import Foundation
import Synchronization

/// An HTTP/1.1 server with asynchronous handlers and streams, which serves all connections on one thread.
///
/// A connection is suspended while its handler works (`MHD_suspend_connection`), so a handler may take any time without
/// blocking a thread. The creator of a server must call `stop()`; `withWebServer` does this automatically.
package final class HTTPServer: Sendable {
    package typealias Handler = @Sendable (WebRequest) async -> WebResponse

    package let host: String
    /// The port that the server listens on; if 0 was requested, the system chose it.
    package let port: Int

    private let core: ServerCore
    private let watcher: StreamWatcher
    private let context: Unmanaged<ServerContext>
    // Safe: after the initializer, only `stop()` uses the pointer, and only once.
    nonisolated(unsafe) private let daemon: OpaquePointer
    private let isStopped = Atomic<Bool>(false)

    package convenience init(
        host: String = "127.0.0.1",
        port: Int = 0,
        limits: WebServerLimits = WebServerLimits(),
        handler: @escaping Handler
    ) throws(WebServerError) {
        try self.init(host: host, port: port, limits: limits) { _ in
            .accepted { request in .later { await handler(request) } }
        }
    }

    package convenience init(
        host: String = "127.0.0.1",
        port: Int = 0,
        limits: WebServerLimits = WebServerLimits(),
        admit: @escaping WebResponder.Admit
    ) throws(WebServerError) {
        try self.init(host: host, port: port, limits: limits, responder: WebResponder(admit))
    }

    package init(
        host: String = "127.0.0.1",
        port: Int = 0,
        limits: WebServerLimits = WebServerLimits(),
        responder: WebResponder
    ) throws(WebServerError) {
        let name = "\(host):\(port)"
        guard let address = ListenAddress(host: host, port: port) else {
            throw WebServerError(call: "inet_pton", errno: EINVAL, address: name)
        }
        let core = ServerCore(limits: limits, responder: responder)
        guard let watcher = StreamWatcher(onTick: { core.tick($0, now: $1) }) else {
            throw WebServerError(call: "epoll_create1", errno: errno, address: name)
        }
        let context = Unmanaged.passRetained(ServerContext(core: core, watcher: watcher))
        errno = 0
        let daemon = address.withSocketAddress { socketAddress in
            tidings_mhd_start(
                address.isIPv6 ? 1 : 0,
                socketAddress,
                serverCallbacks(context.toOpaque()),
                UInt32(limits.maximumConnections),
                UInt32(clamping: limits.idleTimeout.components.seconds),
                limits.maximumHeaderBytes
            )
        }
        guard let daemon else {
            let code = errno
            context.release()
            throw WebServerError(call: "MHD_start_daemon", errno: code, address: name)
        }
        self.core = core
        self.watcher = watcher
        self.context = context
        self.daemon = daemon
        self.host = host
        self.port = Int(tidings_mhd_port(daemon))
        let thread = Thread { watcher.run() }
        thread.name = "web-streams"
        thread.start()
    }

    /// The current numbers of connections and streams, and the totals since the start.
    package var counts: WebServerCounts {
        var counts = core.counts
        counts.streams = watcher.count
        return counts
    }

    /// Refuses new connections, ends the streams, waits for running handlers, and closes all connections.
    ///
    /// A request whose handler does not answer within ``WebServerLimits/handlerDrainTimeout`` is answered with 503. A
    /// second call returns at once.
    package func stop() async {
        await withCheckedContinuation { continuation in
            // Stopping waits for the end of the server's thread, so it must not block a thread of Swift's cooperative
            // pool.
            let thread = Thread {
                self.stopAndWait()
                continuation.resume()
            }
            thread.start()
        }
    }

    /// Stops the server like ``stop()``, and blocks the calling thread until it has stopped.
    package func stopAndWait() {
        guard !isStopped.exchange(true, ordering: .acquiringAndReleasing) else { return }
        let listener = MHD_quiesce_daemon(daemon)
        // The socket is closed only after the server's thread has ended, because that thread may still use it.
        if listener >= 0 { shutdown(listener, Int32(SHUT_RDWR)) }
        core.stopTakingRequests(watcher)
        MHD_stop_daemon(daemon)
        if listener >= 0 { close(listener) }
        watcher.stop()
        context.release()
    }
}

/// Runs `body` with a running server, and stops the server when `body` has returned or thrown.
package func withWebServer<Value>(
    _ server: HTTPServer,
    _ body: (HTTPServer) async throws -> Value
) async throws -> Value {
    do {
        let value = try await body(server)
        await server.stop()
        return value
    } catch {
        await server.stop()
        throw error
    }
}
