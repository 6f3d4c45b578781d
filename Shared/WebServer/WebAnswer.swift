// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The answer of a responder: a response, or a closure that creates the response later.
package enum WebAnswer: Sendable {
    /// The response is available immediately.
    ///
    /// The server's thread sends it without suspending the connection.
    case now(WebResponse)
    /// The response is not available yet.
    ///
    /// The connection is suspended while the closure runs in its own task and creates the response.
    case later(@Sendable () async -> WebResponse)
}

/// The decision about a request whose headers have arrived.
package enum WebAdmission: Sendable {
    /// The response does not depend on the body, which is discarded.
    case refused(WebResponse)
    /// The body is read, and the closure answers the complete request.
    ///
    /// `client` is the address whose bodies count together; nil for the peer of the connection, which may be a proxy.
    /// `maximumBodyBytes` is the maximum size of the body; nil for the maximum of the server. If it is 0, the request needs no
    /// body: up to ``WebServerLimits/maximumIgnoredBodyBytes`` bytes are read and discarded. The closure is called on the
    /// server's thread and must not block.
    case accepted(
        client: String? = nil,
        maximumBodyBytes: Int? = nil,
        _ respond: @Sendable (WebRequest) -> WebAnswer
    )
}
