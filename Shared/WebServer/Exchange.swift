// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import CMicroHTTPD
import Foundation
import Synchronization

/// One request and its answer.
///
/// The server's thread collects the request; a task answers it.
final class Exchange: Sendable {
    private struct State {
        var request: WebRequest
        var response: WebResponse?
        var task: Task<Void, Never>?
    }

    private let state: Mutex<State>
    private let maximumBodyBytes: Int
    // Safe: the connection lives until the server's thread reports the request as completed, and it does not before the
    // one call that resumes it, which is libmicrohttpd's thread-safe one.
    nonisolated(unsafe) private let connection: OpaquePointer

    init(request: WebRequest, connection: OpaquePointer, maximumBodyBytes: Int) {
        state = Mutex(State(request: request))
        self.connection = connection
        self.maximumBodyBytes = maximumBodyBytes
    }

    var request: WebRequest { state.withLock { $0.request } }

    var response: WebResponse? { state.withLock { $0.response } }

    /// Takes a piece of the body; says whether the limit allows it.
    func receive(body bytes: UnsafeRawBufferPointer) -> Bool {
        state.withLock { state in
            guard state.request.body.count + bytes.count <= maximumBodyBytes else { return false }
            state.request.body.append(contentsOf: bytes)
            return true
        }
    }

    /// Runs the handler in a task of its own; the connection must be suspended.
    func begin(_ handler: @escaping WebServer.Handler) {
        let request = self.request
        let task = Task { answer(await handler(request)) }
        let isAbandoned = state.withLock { state in
            state.task = task
            return state.response != nil
        }
        if isAbandoned { task.cancel() }
    }

    /// Gives the answer and wakes the connection; only the first answer counts.
    func answer(_ response: WebResponse) {
        let isFirst = state.withLock { state in
            guard state.response == nil else { return false }
            state.response = response
            return true
        }
        if isFirst { MHD_resume_connection(connection) }
    }

    /// Answers in the handler's place, and tells the handler by cancelling its task.
    func abandon() {
        answer(WebResponse(status: 503, text: "The server stops.\n"))
        state.withLock { $0.task }?.cancel()
    }
}
