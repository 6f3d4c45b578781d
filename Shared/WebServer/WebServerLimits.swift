// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The limits of a server.
package struct WebServerLimits: Sendable, Hashable {
    /// The maximum size of the body of a request that needs none; a larger body is answered with 413.
    package static let maximumIgnoredBodyBytes = 4 * 1024

    /// The maximum number of open connections.
    ///
    /// A further connection waits in the listen queue of the kernel until an open connection closes.
    package var maximumConnections = 1024
    /// The maximum number of open connections from one IP address; further connections are closed.
    ///
    /// 0 means no limit.
    package var maximumConnectionsPerClient = 0
    /// The maximum size of a request's body in bytes; a request with a larger body is answered with 413.
    package var maximumBodyBytes = 1024 * 1024
    /// The maximum size in bytes of all bodies of one client whose requests are not answered yet; further ones get 429.
    package var maximumBodyBytesOfClient = 16 * 1024 * 1024
    /// The maximum size in bytes of all bodies of requests that are not answered yet; further ones get 503.
    package var maximumBodyBytesInAll = 64 * 1024 * 1024
    /// The maximum total size of a request's first line and headers, in bytes; a larger request is answered with 431 or
    /// 414.
    ///
    /// libmicrohttpd also stores its parsing state in this space, so the real maximum is a little lower.
    package var maximumHeaderBytes = 64 * 1024
    /// The maximum time without traffic on a connection; then the server closes the connection.
    ///
    /// The server rounds this value down to whole seconds; 0 seconds means no limit. The time during which a handler
    /// works is not counted. The limit does not apply to a connection on which a ``WebStream`` is sent.
    package var idleTimeout = Duration.seconds(60)
    /// The maximum time until a request is complete, even if its bytes arrive steadily.
    ///
    /// It applies separately to the headers and to the body. For the headers, the time starts when the connection opens
    /// or when the previous response ends. For the body, it starts when the headers have arrived.
    package var requestTimeout = Duration.seconds(60)
    /// The maximum time for which the reader of a stream may take no bytes while bytes are pending.
    package var stallTimeout = Duration.seconds(120)
    /// The maximum time that a stopping server waits for the answers of running handlers.
    ///
    /// After this time, the server answers 503 to the requests whose handlers are still running.
    package var handlerDrainTimeout = Duration.zero
    /// The maximum time that a stopping server waits until its answers with the status 503 are sent.
    ///
    /// The time starts when ``handlerDrainTimeout`` is over.
    package var drainTimeout = Duration.seconds(1)

    package init() {}
}
