// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// What a server accepts.
package struct WebServerLimits: Sendable, Hashable {
    package static let defaultMaximumConnections = 1024
    package static let defaultMaximumBodyBytes = 1024 * 1024
    package static let defaultMaximumHeaderBytes = 64 * 1024
    package static let defaultIdleSeconds = 60

    /// Connections at a time; further ones wait to be accepted.
    package var maximumConnections: Int
    /// A larger body is answered with 413, or its connection is closed where the size was not announced.
    package var maximumBodyBytes: Int
    /// Memory for the request line and all headers of one connection; larger ones are answered with 431 or 414.
    package var maximumHeaderBytes: Int
    /// How long a connection may be silent; a handler at work does not count.
    package var idleSeconds: Int

    package init(
        maximumConnections: Int = defaultMaximumConnections,
        maximumBodyBytes: Int = defaultMaximumBodyBytes,
        maximumHeaderBytes: Int = defaultMaximumHeaderBytes,
        idleSeconds: Int = defaultIdleSeconds
    ) {
        self.maximumConnections = maximumConnections
        self.maximumBodyBytes = maximumBodyBytes
        self.maximumHeaderBytes = maximumHeaderBytes
        self.idleSeconds = idleSeconds
    }
}
