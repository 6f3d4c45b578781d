// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Locking
import Synchronization

/// A client for HTTP/1.1 and HTTP/2 with many concurrent transfers, which reuses connections.
///
/// May be used from any thread. There are two sets of connections: one for requests that may reach private networks and
/// one for all other requests. They are separate because an address is checked only when a connection is opened. Each
/// set has its own thread, which starts with the first request. Cookies, `.netrc` and stored credentials are not used.
package final class HTTPClient: Sendable {
    /// The closure that receives the result of a transfer.
    ///
    /// It is called exactly once and must not block. It runs on a thread of the client or, if the client has already
    /// stopped, on the thread that starts the transfer.
    package typealias Completion = @Sendable (Result<HTTPResponse, HTTPFailure>) -> Void

    private struct Loops {
        var guarded: TransferLoop?
        var unguarded: TransferLoop?
        var isStopped = false
    }

    private let configuration: HTTPClientConfiguration
    private let loops = Lock(Loops())
    private let lastNumber = Atomic<UInt64>(0)

    fileprivate init(configuration: HTTPClientConfiguration) {
        self.configuration = configuration
    }

    /// Starts a transfer; its total deadline is counted from this call.
    @discardableResult
    package func start(_ request: HTTPRequest, completion: @escaping Completion) -> TransferID {
        let id = TransferID(
            number: lastNumber.wrappingAdd(1, ordering: .relaxed).newValue,
            allowsPrivateNetworks: request.allowPrivateNetworks
        )
        if let loop = loop(allowsPrivateNetworks: request.allowPrivateNetworks) {
            loop.start(id, request, completion)
        } else {
            completion(.failure(.clientStopped(request.url)))
        }
        return id
    }

    /// Ends a transfer with the failure `cancelled`, unless it has already ended.
    package func cancel(_ id: TransferID) {
        let loop = loops.withLock { id.allowsPrivateNetworks ? $0.unguarded : $0.guarded }
        loop?.cancel(id)
    }

    /// Sends a request and waits for the answer; cancelling the task cancels the transfer.
    package func fetch(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPResponse {
        let started = Lock<TransferID?>(nil)
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let id = start(request) { continuation.resume(returning: $0) }
                started.withLock { $0 = id }
                // If the task was cancelled before this line, the handler found no transfer to cancel.
                if Task.isCancelled { cancel(id) }
            }
        } onCancel: {
            if let id = started.withLock({ $0 }) { cancel(id) }
        }
        return try result.get()
    }

    private func loop(allowsPrivateNetworks: Bool) -> TransferLoop? {
        loops.withLock { loops in
            guard !loops.isStopped else { return nil }
            let set: WritableKeyPath<Loops, TransferLoop?> = allowsPrivateNetworks ? \.unguarded : \.guarded
            // A loop closes itself after an error of libcurl's multi handle, and the next transfer gets another one.
            if let loop = loops[keyPath: set], !loop.isClosed { return loop }
            let name = allowsPrivateNetworks ? "http-private" : "http"
            loops[keyPath: set] = TransferLoop(configuration: configuration, name: name)
            return loops[keyPath: set]
        }
    }

    fileprivate func stop() async {
        let running = takeLoops()
        for loop in running {
            await withCheckedContinuation { continuation in
                loop.stop { continuation.resume() }
            }
        }
    }

    fileprivate func stopAndWait() {
        let running = takeLoops()
        let closed = DispatchSemaphore(value: 0)
        for loop in running {
            loop.stop { closed.signal() }
        }
        for _ in running { closed.wait() }
    }

    private func takeLoops() -> [TransferLoop] {
        loops.withLock { loops in
            defer { loops = Loops(isStopped: true) }
            return [loops.guarded, loops.unguarded].compactMap { $0 }
        }
    }
}

/// Runs `body` with a new client, and stops the client before returning the result or throwing the error of `body`.
///
/// Transfers that are still in flight at the end of `body` are cancelled, and their completions are called.
package func withHTTPClient<Value>(
    configuration: HTTPClientConfiguration,
    _ body: (HTTPClient) async throws -> Value
) async rethrows -> Value {
    let client = HTTPClient(configuration: configuration)
    do {
        let value = try await body(client)
        await client.stop()
        return value
    } catch {
        await client.stop()
        throw error
    }
}

/// Runs `body` with a new client, and blocks the calling thread until the client has stopped.
///
/// Must not be called from async code.
@available(*, noasync)
package func withHTTPClient<Value>(
    configuration: HTTPClientConfiguration,
    _ body: (HTTPClient) throws -> Value
) rethrows -> Value {
    let client = HTTPClient(configuration: configuration)
    defer { client.stopAndWait() }
    return try body(client)
}
