// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import CMicroHTTPD
import Foundation
import Locking

/// One request and its answer.
///
/// The server's thread collects the request. The response is set by the same thread, or later by a task.
final class Exchange: Sendable {
    private struct State {
        var request: WebRequest?
        var terms: BodyTerms?
        /// The closure that answers the complete request; nil unless the request was accepted.
        var respond: (@Sendable (WebRequest) -> WebAnswer)?
        var response: WebResponse?
        var task: Task<Void, Never>?
        /// The bytes of the body that count for the server's budgets.
        var reservedBytes = 0
        /// The bytes of the body that have arrived.
        var receivedBytes = 0
        /// The reason why the body is not accepted.
        var refusal: WebRefusal?
        /// A Boolean value that indicates whether the response was sent before the body.
        var isAnsweredEarly = false
    }

    /// The result of receiving a piece of the body.
    enum BodyStep {
        case taken
        /// The body is not accepted; the rest is read and discarded, so that the client can receive the response.
        case discarded
        /// The body is larger than twice the limit; the server closes the connection instead of reading the rest.
        case refused
    }

    /// The request's target as it was sent.
    let target: String
    /// The addresses of the target's bytes in the buffer of the connection.
    let targetAddresses: Range<UInt>
    private let state = Lock(State())
    // Safe: libmicrohttpd frees the connection only after the request is completed, and completes a suspended request
    // only after it is resumed. It is resumed once, with a call that libmicrohttpd declares thread-safe.
    nonisolated(unsafe) private let connection: OpaquePointer

    init(target: UnsafePointer<CChar>, connection: OpaquePointer) {
        self.target = String(cString: target)
        let start = UInt(bitPattern: target)
        targetAddresses = start..<(start + UInt(strlen(target)))
        self.connection = connection
    }

    /// The request; nil before its headers have arrived.
    var request: WebRequest? { state.withLock { $0.request } }

    var response: WebResponse? { state.withLock { $0.response } }

    /// Sets the request, without its body, when the headers have arrived.
    func receive(head: WebRequest) { state.withLock { $0.request = head } }

    /// Sets the terms of the body, and the closure that answers the complete request.
    func accept(_ terms: BodyTerms, _ respond: @escaping @Sendable (WebRequest) -> WebAnswer) {
        state.withLock { ($0.terms, $0.respond) = (terms, respond) }
    }

    /// Appends a piece of the body, or discards the body if it is not accepted.
    ///
    /// At most `discardable` bytes are read of a body that is not accepted. `reserve` returns the reason if a body may not grow
    /// from the first to the second number of bytes; it must not use the exchange.
    func receive(
        body bytes: UnsafeRawBufferPointer,
        discardable: Int,
        reserve: (BodyTerms, Int, Int) -> WebRefusal?
    ) -> BodyStep {
        state.withLock { state in
            let old = state.receivedBytes
            state.receivedBytes += bytes.count
            if let terms = state.terms, state.refusal == nil {
                state.refusal = reserve(terms, old, state.receivedBytes)
                if state.refusal == nil {
                    guard terms.maximumBytes > 0 else { return .taken }
                    state.request?.body.append(contentsOf: bytes)
                    state.reservedBytes += bytes.count
                    return .taken
                }
                state.request?.body = Data()
            }
            return state.receivedBytes <= discardable ? .discarded : .refused
        }
    }

    /// The reason why the body was not accepted.
    var refusal: WebRefusal? { state.withLock { $0.refusal } }

    /// A Boolean value that indicates whether the response was sent before the body; the connection closes after the body.
    var isAnsweredEarly: Bool { state.withLock { $0.isAnsweredEarly } }

    /// Records that a response was sent before the body.
    func answerEarly(_ response: WebResponse) {
        state.withLock { ($0.response, $0.isAnsweredEarly) = (response, true) }
    }

    /// Forgets the body, and returns its client and its bytes that count for the server's budgets.
    ///
    /// Later calls return no bytes.
    func takeBody() -> (reserved: Int, client: String) {
        state.withLock { state in
            defer { state.reservedBytes = 0 }
            state.request?.body = Data()
            return (state.reservedBytes, state.terms?.client ?? "")
        }
    }

    /// Returns the answer to the complete request; nil if its headers have not arrived.
    func respond() -> WebAnswer? {
        let (request, respond) = state.withLock { ($0.request, $0.respond) }
        guard let request else { return nil }
        return respond?(request)
    }

    /// Sets a response that is available immediately.
    ///
    /// Must not be called after the connection was suspended, because this method does not resume it.
    func answerNow(_ response: WebResponse) { state.withLock { $0.response = response } }

    /// Runs `handler` in its own task, which passes the response to `answer`.
    ///
    /// The caller must suspend the connection before this call, because `answer` resumes it.
    func begin(_ handler: @escaping @Sendable () async -> WebResponse) {
        let task = Task { answer(await handler()) }
        let isAbandoned = state.withLock { state in
            state.task = task
            return state.response != nil
        }
        if isAbandoned { task.cancel() }
    }

    /// Sets the response and resumes the connection; later responses are discarded.
    func answer(_ response: WebResponse) {
        let isFirst = state.withLock { state in
            guard state.response == nil else { return false }
            state.response = response
            // Under the lock, so that the connection is already resumed when `abandon` finds a response and returns:
            // after that call, the server's thread may be stopped.
            MHD_resume_connection(connection)
            return true
        }
        if !isFirst, case .stream(let stream) = response.content {
            // This response is not sent, so its stream has no reader.
            stream.end(.serverStopped)
        }
    }

    /// Sets the response if the handler has not answered yet, and cancels the handler's task.
    func abandon(_ response: WebResponse) {
        answer(response)
        state.withLock { $0.task }?.cancel()
    }
}
