// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import HTTPTransport

/// The way in which a request reaches a push service; a test answers without a network.
protocol PushTransport: Sendable {
    /// Starts a request, and calls `completion` exactly once, on any thread.
    func send(_ request: HTTPRequest, whenDone completion: @escaping HTTPClient.Completion)
}

extension HTTPClient: PushTransport {
    func send(_ request: HTTPRequest, whenDone completion: @escaping Completion) {
        start(request, completion: completion)
    }
}
