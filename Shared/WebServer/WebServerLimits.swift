// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The limits of a server.
package struct WebServerLimits: Sendable, Hashable {
    package static let defaultMaximumConnections = 1024
    package static let defaultMaximumConnectionsPerClient = 0
    package static let defaultMaximumBodyBytes = 1024 * 1024
    package static let defaultMaximumHeaderBytes = 64 * 1024
    package static let defaultIdleSeconds = 60
    package static let defaultRequestSeconds = 60
    package static let defaultStallSeconds = 30
    package static let defaultHandlerDrainMilliseconds = 0
    package static let defaultDrainMilliseconds = 1000

    /// Connections at a time; further ones wait to be accepted.
    package var maximumConnections: Int
    /// Connections of one peer address at a time; further ones are closed.
    ///
    /// 0: no limit.
    package var maximumConnectionsPerClient: Int
    /// A larger body is answered with 413.
    package var maximumBodyBytes: Int
    /// Memory for the request line and all headers of one connection; larger ones are answered with 431 or 414.
    package var maximumHeaderBytes: Int
    /// The maximum time of silence on a connection; the time of a handler does not count.
    package var idleSeconds: Int
    /// The time within which a request must be complete, however steadily its bytes drip.
    ///
    /// Counted for the headers from the connection's start or the end of the last response, and again for the body.
    package var requestSeconds: Int
    /// The maximum time for which a stream's reader may accept no bytes while some wait for it.
    package var stallSeconds: Int
    /// The maximum time that a stopping server waits for handlers before it answers 503 in their place.
    package var handlerDrainMilliseconds: Int
    /// The maximum time that a stopping server then waits for clients to receive their last response.
    package var drainMilliseconds: Int

    package init(
        maximumConnections: Int = defaultMaximumConnections,
        maximumConnectionsPerClient: Int = defaultMaximumConnectionsPerClient,
        maximumBodyBytes: Int = defaultMaximumBodyBytes,
        maximumHeaderBytes: Int = defaultMaximumHeaderBytes,
        idleSeconds: Int = defaultIdleSeconds,
        requestSeconds: Int = defaultRequestSeconds,
        stallSeconds: Int = defaultStallSeconds,
        handlerDrainMilliseconds: Int = defaultHandlerDrainMilliseconds,
        drainMilliseconds: Int = defaultDrainMilliseconds
    ) {
        self.maximumConnections = maximumConnections
        self.maximumConnectionsPerClient = maximumConnectionsPerClient
        self.maximumBodyBytes = maximumBodyBytes
        self.maximumHeaderBytes = maximumHeaderBytes
        self.idleSeconds = idleSeconds
        self.requestSeconds = requestSeconds
        self.stallSeconds = stallSeconds
        self.handlerDrainMilliseconds = handlerDrainMilliseconds
        self.drainMilliseconds = drainMilliseconds
    }
}
