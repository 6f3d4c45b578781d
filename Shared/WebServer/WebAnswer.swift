// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// A responder's decision about a request.
package enum WebAnswer: Sendable {
    /// The response is known.
    ///
    /// The server's thread sends it without suspending the connection.
    case now(WebResponse)
    /// The response takes time. The connection is suspended while the closure runs in a task of its own.
    case later(@Sendable () async -> WebResponse)
}
