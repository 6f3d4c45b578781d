// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Locking
import WidgetSchema

/// The state that the server's thread, the watcher's thread and the handlers' tasks share.
final class ServerCore: Sendable {
    private struct State {
        var isStopping = false
        var exchanges: [ObjectIdentifier: Exchange] = [:]
        var connections: [ObjectIdentifier: WebConnection] = [:]
        var connectionsOfClient: [String: Int] = [:]
        /// The bytes of the bodies of all requests that are not answered yet, and those of each client.
        var bodyBytes = 0
        var bodyBytesOfClient: [String: Int] = [:]
        var counts = WebServerCounts()
    }

    let limits: WebServerLimits
    private let responder: WebResponder
    private let state = Lock(State())
    /// The semaphore that is signalled when the last exchange of a stopping server has ended.
    private let drained = DispatchSemaphore(value: 0)

    init(limits: WebServerLimits, responder: WebResponder) {
        self.limits = limits
        self.responder = responder
    }

    var counts: WebServerCounts { state.withLock(\.counts) }

    // MARK: Connections

    /// Returns a Boolean value that indicates whether a client may open a further connection.
    ///
    /// `client` is the numeric address of the client. If the client already has the maximum number of connections,
    /// this method counts the rejection and returns false. An accepted connection is counted by `opened`.
    func accepts(_ client: String) -> Bool {
        let limit = limits.maximumConnectionsPerClient
        guard limit > 0 else { return true }
        return state.withLock { state in
            guard state.connectionsOfClient[client, default: 0] >= limit else { return true }
            state.counts.rejectedByClientLimit += 1
            return false
        }
    }

    func opened(client: String, socket: Int32) -> WebConnection {
        let connection = WebConnection(client: client, socket: socket, deadline: requestDeadline)
        state.withLock { state in
            state.connections[ObjectIdentifier(connection)] = connection
            state.connectionsOfClient[client, default: 0] += 1
            state.counts.connections += 1
        }
        return connection
    }

    /// Removes a connection.
    ///
    /// Must be called before the socket is closed: once it is closed, a new connection may get the same descriptor.
    func closed(_ connection: WebConnection) {
        state.withLock { state in
            guard state.connections.removeValue(forKey: ObjectIdentifier(connection)) != nil else { return }
            state.counts.connections -= 1
            let rest = state.connectionsOfClient[connection.client, default: 1] - 1
            state.connectionsOfClient[connection.client] = rest > 0 ? rest : nil
        }
    }

    /// The time by which headers or a body must be complete if a client starts to send them now, in monotonic
    /// milliseconds.
    var requestDeadline: Int64 { monotonicMilliseconds() + limits.requestTimeout.wholeMilliseconds }

    /// Ends the stalled streams, and shuts down each connection that has not brought a complete request by its deadline.
    ///
    /// A stream is stalled if its reader has taken no bytes for `stallTimeout` while bytes are pending. `now` is the
    /// monotonic time in milliseconds.
    func tick(_ streams: [WebStream], now: Int64) {
        let stalledSince = now - limits.stallTimeout.wholeMilliseconds
        var stalled = 0
        for stream in streams where stream.isStalled(since: stalledSince, now: now) {
            stream.end(.stalled)
            stalled += 1
        }
        // `closed` waits for this lock, so no socket is closed while the loop uses it.
        state.withLock { state in
            state.counts.stalledStreams += stalled
            for connection in state.connections.values where connection.isOverdue(at: now) {
                // Once its socket is shut down, the server's thread ends the request.
                if connection.isWithinRequest { state.counts.requestTimeouts += 1 }
                connection.setDeadline(WebConnection.noDeadline)
                connection.shutDown()
            }
        }
    }

    // MARK: Bodies

    /// Reserves bytes of the budgets for a body that grows from `old` to `new` bytes; ``release(_:)`` returns them.
    ///
    /// If the body is too large, or a budget is used up, reserves nothing, counts the refusal, and returns its reason. A body
    /// that is discarded (its maximum is 0) needs no bytes of the budgets.
    func reserve(_ terms: BodyTerms, growing old: Int, to new: Int) -> WebRefusal? {
        state.withLock { state in
            if let refusal = terms.refusal(ofBodyOf: new) {
                state.counts.oversizedBodies += 1
                return refusal
            }
            guard terms.maximumBytes > 0 else { return nil }
            let added = new - old
            let ofClient = state.bodyBytesOfClient[terms.client, default: 0] + added
            let isOfClient = ofClient > limits.maximumBodyBytesOfClient
            guard !isOfClient, state.bodyBytes + added <= limits.maximumBodyBytesInAll else {
                state.counts.refusedBodies += 1
                return isOfClient ? .tooManyBodiesOfClient : .tooManyBodies
            }
            state.bodyBytes += added
            state.bodyBytesOfClient[terms.client] = ofClient
            return nil
        }
    }

    /// Frees the body of a request that was answered or refused.
    func release(_ exchange: Exchange) {
        let (bytes, client) = exchange.takeBody()
        guard bytes > 0 else { return }
        state.withLock { state in
            state.bodyBytes -= bytes
            let rest = state.bodyBytesOfClient[client, default: bytes] - bytes
            state.bodyBytesOfClient[client] = rest > 0 ? rest : nil
        }
    }

    // MARK: Requests

    /// Asks the responder about a request whose headers have arrived; returns the response if its body is not to be read.
    ///
    /// A request whose headers are not valid (`isValid`), or whose body has no clear end, is refused without asking. After the
    /// response to such a request, the connection must be closed.
    func admit(_ head: WebRequest, isValid: Bool, _ exchange: Exchange) -> (response: WebResponse, closes: Bool)? {
        exchange.receive(head: head)
        guard isValid else {
            // The headers are not what the client meant, so the response must not depend on them.
            var nameless = head
            nameless.headers = []
            let detail = "A line has a NUL, bare CR or LF, is folded, or has a name or value with invalid characters."
            return (response(to: .malformed(detail), nameless), true)
        }
        if let refusal = RequestFraming.refusal(of: head) { return (response(to: refusal, head), true) }
        switch responder.admit(head) {
        case .refused(let response): return (response, false)
        case .accepted(let client, let maximum, let respond):
            let maximumBytes = min(maximum ?? .max, limits.maximumBodyBytes)
            let terms = BodyTerms(client: client ?? head.client, maximumBytes: maximumBytes)
            let announced = head.header("Content-Length").map { Int($0) ?? .max } ?? 0
            if let refusal = terms.refusal(ofBodyOf: announced) {
                state.withLock { $0.counts.oversizedBodies += 1 }
                return (response(to: refusal, head), false)
            }
            exchange.accept(terms, respond)
            return nil
        }
    }

    /// Returns the response to a request that the server refuses.
    func response(to refusal: WebRefusal, _ request: WebRequest) -> WebResponse { responder.refuse(request, refusal) }

    /// Asks for the answer to a complete request; returns true if the response is available immediately.
    ///
    /// If a handler creates the response later, this method calls `suspend` to suspend the connection, starts the
    /// handler, and returns false.
    func respond(_ exchange: Exchange, suspend: () -> Void) -> Bool {
        switch exchange.respond() {
        case nil: return false
        case .now(let response):
            exchange.answerNow(response)
            release(exchange)
            return true
        case .later(let handler):
            // The connection must be suspended first, because the handler may answer before this function returns.
            suspend()
            let isStopping = state.withLock { state in
                state.exchanges[ObjectIdentifier(exchange)] = exchange
                return state.isStopping
            }
            if isStopping {
                abandon(exchange)
            } else {
                exchange.begin { [self] in
                    let response = await handler()
                    release(exchange)
                    return response
                }
            }
            return false
        }
    }

    /// Answers 503 if the handler has not answered yet, because the server stops.
    private func abandon(_ exchange: Exchange) {
        guard let request = exchange.request, exchange.response == nil else { return }
        exchange.abandon(response(to: .stopping, request))
    }

    /// Removes an exchange whose answer was sent or whose client is gone.
    func end(_ exchange: Exchange) {
        release(exchange)
        let isDrained = state.withLock { state in
            state.exchanges.removeValue(forKey: ObjectIdentifier(exchange)) != nil && state.isStopping
                && state.exchanges.isEmpty
        }
        if isDrained { drained.signal() }
    }

    /// Ends all streams of `watcher`, and waits until the answers of the running handlers are sent.
    ///
    /// If this takes longer than `handlerDrainTimeout`, answers 503 in place of the handlers that still run, and waits
    /// for at most `drainTimeout` until these answers are sent. A stream whose headers are sent later than the start of
    /// this call ends immediately.
    ///
    /// After this call, a connection is suspended only during a callback of libmicrohttpd. This method must be called
    /// before `MHD_stop_daemon`, which aborts the process if a connection is suspended. Blocks the calling thread.
    func stopTakingRequests(_ watcher: StreamWatcher) {
        watcher.stopAcceptingStreams()
        for stream in watcher.streams { stream.finish(.serverStopped) }
        let isIdle = state.withLock { state in
            state.isStopping = true
            return state.exchanges.isEmpty
        }
        let handlerTime = DispatchTimeInterval.milliseconds(Int(limits.handlerDrainTimeout.wholeMilliseconds))
        if !isIdle, drained.wait(timeout: .now() + handlerTime) == .timedOut {
            let left = state.withLock { Array($0.exchanges.values) }
            for exchange in left { abandon(exchange) }
            let clientTime = DispatchTimeInterval.milliseconds(Int(limits.drainTimeout.wholeMilliseconds))
            if !left.isEmpty { _ = drained.wait(timeout: .now() + clientTime) }
        }
        for stream in watcher.streams { stream.end(.serverStopped) }
    }
}
