// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// How a client presents itself and how much it holds open.
package struct HTTPClientConfiguration: Sendable, Hashable {
    package static let defaultMaximumConnections = 256

    /// Sent with every request that brings no `User-Agent` of its own: `Name/Version (+address)`.
    package var userAgent: String
    package var proxy: HTTPProxy
    /// Connections that are open at a time, idle ones included; further transfers wait, and their deadline runs.
    package var maximumConnections: Int

    package init(
        userAgent: String,
        proxy: HTTPProxy = .environment,
        maximumConnections: Int = defaultMaximumConnections
    ) {
        self.userAgent = userAgent
        self.proxy = proxy
        self.maximumConnections = maximumConnections
    }
}
