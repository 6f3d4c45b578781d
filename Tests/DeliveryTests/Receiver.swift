// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Locking
import TestSupport
import WebServer

/// A web server on this machine that records what it gets; the test says what it answers.
final class Receiver: Sendable {
    struct Request: Sendable {
        var path: String
        var headers: [String: String]
        var body: Data
    }

    private struct State {
        var requests: [Request] = []
        /// The next answers; after the last one, the status is 204.
        var answers: [(status: Int, headers: [String: String])] = []
        var waiters: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Lock(State())
    private let onRequest: @Sendable () -> Void

    fileprivate init(onRequest: @escaping @Sendable () -> Void) { self.onRequest = onRequest }

    var requests: [Request] { state.withLock(\.requests) }

    func answer(with answers: [(status: Int, headers: [String: String])]) { state.withLock { $0.answers = answers } }

    /// Waits until so many requests have arrived.
    func wait(for count: Int) async {
        await withCheckedContinuation { continuation in
            let isDone = state.withLock { state in
                if state.requests.count >= count { return true }
                state.waiters.append((count, continuation))
                return false
            }
            if isDone { continuation.resume() }
        }
    }

    fileprivate func handle(_ request: WebRequest) -> WebResponse {
        onRequest()
        let headers = Dictionary(request.headers.map { ($0.name.lowercased(), $0.value) }) { "\($0), \($1)" }
        let (answer, done) = state.withLock { state in
            if request.method == "POST" {
                state.requests.append(Request(path: request.path, headers: headers, body: request.body))
            }
            let count = state.requests.count
            let done = state.waiters.filter { $0.count <= count }
            state.waiters.removeAll { $0.count <= count }
            let answer = state.answers.isEmpty ? (status: 204, headers: [:]) : state.answers.removeFirst()
            return (answer, done)
        }
        for waiter in done { waiter.continuation.resume() }
        return WebResponse(
            status: answer.status,
            headers: answer.headers.map { WebHeader($0.key, $0.value) },
            body: Data()
        )
    }
}

/// Runs `body` with a receiver and its address; `onRequest` is called before each answer.
func withReceiver<Value>(
    onRequest: @escaping @Sendable () -> Void = {},
    _ body: (Receiver, String) async throws -> Value
) async throws -> Value {
    let receiver = Receiver(onRequest: onRequest)
    let server = try HTTPServer(host: "127.0.0.1", port: 0) { request in receiver.handle(request) }
    return try await withWebServer(server) { server in
        try await body(receiver, "http://127.0.0.1:\(server.port)")
    }
}
