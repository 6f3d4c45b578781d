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
