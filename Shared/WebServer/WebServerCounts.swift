// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The current numbers of connections and streams of a server, and the totals since its start.
package struct WebServerCounts: Sendable, Hashable {
    /// The number of open connections.
    package var connections = 0
    /// The number of open streams.
    package var streams = 0
    /// The number of connections that were closed because their client had too many connections.
    package var rejectedByClientLimit = 0
    /// The number of connections that were closed because a request was not complete in time.
    package var requestTimeouts = 0
    /// The number of request bodies that exceeded the maximum size.
    package var oversizedBodies = 0
    /// The number of request bodies that were not accepted because the client, or all clients, were sending too many.
    package var refusedBodies = 0
    /// The number of streams that were closed because their reader accepted no bytes for too long.
    package var stalledStreams = 0
}
