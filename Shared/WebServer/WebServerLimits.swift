// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// The limits of a server.
package struct WebServerLimits: Sendable, Hashable {
    package static let defaultMaximumConnections = 1024
    package static let defaultMaximumConnectionsPerClient = 0
    package static let defaultMaximumBodyBytes = 1024 * 1024
    package static let defaultMaximumBodyBytesOfClient = 16 * 1024 * 1024
    package static let defaultMaximumBodyBytesInAll = 64 * 1024 * 1024
    /// The maximum size of the body of a request that needs none; a larger body is answered with 413.
    package static let maximumIgnoredBodyBytes = 4 * 1024
    package static let defaultMaximumHeaderBytes = 64 * 1024
    package static let defaultIdleTimeout = Duration.seconds(60)
    package static let defaultRequestTimeout = Duration.seconds(60)
    package static let defaultStallTimeout = Duration.seconds(120)
    package static let defaultHandlerDrainTimeout = Duration.zero
    package static let defaultDrainTimeout = Duration.seconds(1)

    /// The maximum number of open connections.
    ///
    /// A further connection waits in the listen queue of the kernel until an open connection closes.
    package var maximumConnections: Int
    /// The maximum number of open connections from one IP address; further connections are closed.
    ///
    /// 0 means no limit.
    package var maximumConnectionsPerClient: Int
    /// The maximum size of a request's body in bytes; a request with a larger body is answered with 413.
    package var maximumBodyBytes: Int
    /// The maximum size in bytes of all bodies of one client whose requests are not answered yet; further ones get 429.
    package var maximumBodyBytesOfClient: Int
    /// The maximum size in bytes of all bodies of requests that are not answered yet; further ones get 503.
    package var maximumBodyBytesInAll: Int
    /// The maximum total size of a request's first line and headers, in bytes; a larger request is answered with 431 or
    /// 414.
    ///
    /// libmicrohttpd also stores its parsing state in this space, so the real maximum is a little lower.
    package var maximumHeaderBytes: Int
    /// The maximum time without traffic on a connection; then the server closes the connection.
    ///
    /// The server rounds this value down to whole seconds; 0 seconds means no limit. The time during which a handler
    /// works is not counted. The limit does not apply to a connection on which a ``WebStream`` is sent.
    package var idleTimeout: Duration
    /// The maximum time until a request is complete, even if its bytes arrive steadily.
    ///
    /// It applies separately to the headers and to the body. For the headers, the time starts when the connection opens
    /// or when the previous response ends. For the body, it starts when the headers have arrived.
    package var requestTimeout: Duration
    /// The maximum time for which the reader of a stream may take no bytes while bytes are pending.
    package var stallTimeout: Duration
    /// The maximum time that a stopping server waits for the answers of running handlers.
    ///
    /// After this time, the server answers 503 to the requests whose handlers are still running.
    package var handlerDrainTimeout: Duration
    /// The maximum time that a stopping server waits until its answers with the status 503 are sent.
    ///
    /// The time starts when ``handlerDrainTimeout`` is over.
    package var drainTimeout: Duration

    package init(
        maximumConnections: Int = defaultMaximumConnections,
        maximumConnectionsPerClient: Int = defaultMaximumConnectionsPerClient,
        maximumBodyBytes: Int = defaultMaximumBodyBytes,
        maximumBodyBytesOfClient: Int = defaultMaximumBodyBytesOfClient,
        maximumBodyBytesInAll: Int = defaultMaximumBodyBytesInAll,
        maximumHeaderBytes: Int = defaultMaximumHeaderBytes,
        idleTimeout: Duration = defaultIdleTimeout,
        requestTimeout: Duration = defaultRequestTimeout,
        stallTimeout: Duration = defaultStallTimeout,
        handlerDrainTimeout: Duration = defaultHandlerDrainTimeout,
        drainTimeout: Duration = defaultDrainTimeout
    ) {
        self.maximumConnections = maximumConnections
        self.maximumConnectionsPerClient = maximumConnectionsPerClient
        self.maximumBodyBytes = maximumBodyBytes
        self.maximumBodyBytesOfClient = maximumBodyBytesOfClient
        self.maximumBodyBytesInAll = maximumBodyBytesInAll
        self.maximumHeaderBytes = maximumHeaderBytes
        self.idleTimeout = idleTimeout
        self.requestTimeout = requestTimeout
        self.stallTimeout = stallTimeout
        self.handlerDrainTimeout = handlerDrainTimeout
        self.drainTimeout = drainTimeout
    }
}
