// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The totals of a server since its start.
package struct WebServerCounts: Sendable, Hashable {
    /// Connections that are open now.
    package var connections = 0
    /// Streams that are open now.
    package var streams = 0
    /// Connections that were closed because their client had too many.
    package var clientLimit = 0
    /// Connections that were closed because a request was not complete in time.
    package var requestTimeouts = 0
    /// Bodies that were larger than allowed.
    package var oversizedBodies = 0
    /// Streams that were closed because their reader took nothing.
    package var stalledStreams = 0
}
