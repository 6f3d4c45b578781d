// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

public import Foundation
import Synchronization
import WebServer

/// An HTTP origin with scripted behaviour: it serves feeds with HTTP validators, changes the feeds step by step, delays
/// or fails answers, and counts requests.
///
/// Initially, `/blog.xml` (RSS) and `/news.atom` (Atom) serve the two scripted feeds of ``FeedScript``, and each
/// ``DemoDocument`` is served at its path. Other paths answer 404 until content is set for them. The query of a URL is
/// ignored. `GET /requests` returns the numbers of requests for all paths as JSON. May be used from any thread.
public final class ScriptedOrigin: Sendable {
    private struct State {
        var pages: [String: OriginPage] = [:]
        var gates: [String: [CheckedContinuation<Void, Never>]] = [:]
        var waiters: [Int: Waiter] = [:]
        var nextWaiter = 0
        var isStopping = false
        var inProgress = 0
        var maximumConcurrent = 0
    }

    /// A caller that waits until a number of requests for a path have arrived.
    private struct Waiter {
        var path: String
        var count: Int
        var continuation: CheckedContinuation<Bool, Never>
    }

    /// The counts for one path in the answer to `GET /requests`.
    ///
    /// `count` is the number of all requests. `maximumConcurrent` is the maximum number of requests in progress at the
    /// same time. `notModified` is the number of requests that were answered with the status 304.
    private struct Counts: Encodable {
        var count: Int
        var maximumConcurrent: Int
        var notModified: Int
    }

    private let state: Mutex<State>
    private let listeningPort = Atomic<Int>(0)

    /// The address that the origin listens on.
    public let host: String
    public var port: Int { listeningPort.load(ordering: .relaxed) }

    fileprivate init(host: String, start: Int) {
        self.host = host
        var pages = [
            "/blog.xml": OriginPage(content: .script(.blog(start: start), .rss)),
            "/news.atom": OriginPage(content: .script(.news(start: start), .atom)),
        ]
        for document in DemoDocument.allCases {
            pages[document.rawValue] = OriginPage(content: .document(document, start: start))
        }
        state = Mutex(State(pages: pages))
    }

    public func url(_ path: String) -> String {
        "http://\(host.contains(":") ? "[\(host)]" : host):\(port)\(path)"
    }

    // MARK: Content

    /// Serves the same body at a path until the content of the path is changed.
    public func serve(_ path: String, body: String, contentType: String = "application/rss+xml; charset=utf-8") {
        serve(path, body: Data(body.utf8), contentType: contentType)
    }

    public func serve(_ path: String, body: Data, contentType: String = "application/rss+xml; charset=utf-8") {
        change(path) { $0.serve(body, contentType: contentType) }
    }

    /// Serves an RSS feed of `itemCount` posts at a path.
    ///
    /// From each answer to the next, one new post is added at the top, and the oldest post is removed.
    public func serveChanging(_ path: String, itemCount: Int = 10) {
        change(path) { $0.content = .changing(itemCount: itemCount, .rss) }
    }

    /// Serves the answers at a path one after another, byte for byte; the last answer is repeated.
    public func serveScript(_ path: String, _ answers: [ScriptedAnswer]) {
        change(path) { page in
            page.content = .answers(answers)
            page.step = 0
        }
    }

    /// Makes a path answer with a status and headers instead of its content; a status of nil restores the content.
    public func setStatus(_ path: String, _ status: Int?, headers: [String: String] = [:]) {
        change(path) { page in
            page.statusOverride = status.map { status in
                (status, headers.sorted { $0.key < $1.key }.map { WebHeader($0.key, $0.value) })
            }
        }
    }

    /// Delays each answer of a path by `delay`, from the next request on.
    public func setDelay(_ path: String, _ delay: Duration) {
        change(path) { $0.delay = delay }
    }

    /// Holds back every answer of a path until `release` is called for this path.
    ///
    /// The content and the status of such an answer are determined after the call of `release`.
    public func hold(_ path: String) {
        change(path) { $0.isHeld = true }
    }

    public func release(_ path: String) {
        let gates = state.withLock { state in
            state.pages[path]?.isHeld = false
            return state.gates.removeValue(forKey: path) ?? []
        }
        for gate in gates { gate.resume() }
    }

    // MARK: Recorded requests

    /// Returns the recorded requests for a path, in the order of their arrival.
    public func requests(_ path: String) -> [RecordedRequest] {
        state.withLock { $0.pages[path]?.requests ?? [] }
    }

    /// Returns the maximum number of requests for a path that were in progress at the same time.
    public func maximumConcurrent(_ path: String) -> Int {
        state.withLock { $0.pages[path]?.maximumConcurrent ?? 0 }
    }

    /// The maximum number of requests that were in progress at the same time, on all paths together.
    public var maximumConcurrent: Int { state.withLock(\.maximumConcurrent) }

    /// The total number of requests for all paths.
    public var requestCount: Int { state.withLock { $0.pages.values.reduce(0) { $0 + $1.count } } }

    /// Waits until at least `count` requests for a path have arrived since the origin started, and returns true.
    ///
    /// Returns false if the requests do not arrive within the duration `deadline` after the call. Also returns false if
    /// the task is cancelled or the origin stops.
    public func waitForRequests(_ path: String, count: Int, deadline: Duration) async -> Bool {
        let number = state.withLock { state in
            state.nextWaiter += 1
            return state.nextWaiter
        }
        let timer = Task {
            try await Task.sleep(for: deadline)
            giveUp(number)
        }
        defer { timer.cancel() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let answer: Bool? = state.withLock { state in
                    if (state.pages[path]?.count ?? 0) >= count { return true }
                    // If the task is cancelled or the origin stops before the wait begins, nothing would resume the
                    // continuation.
                    if Task.isCancelled || state.isStopping { return false }
                    state.waiters[number] = Waiter(path: path, count: count, continuation: continuation)
                    return nil
                }
                if let answer { continuation.resume(returning: answer) }
            }
        } onCancel: {
            giveUp(number)
        }
    }

    // MARK: Serving

    fileprivate func listen(on port: Int) {
        listeningPort.store(port, ordering: .relaxed)
    }

    fileprivate func answer(_ request: WebRequest) async -> WebResponse {
        if request.path == "/requests" { return counts() }
        let path = request.path
        let (number, delay, isHeld) = arrive(request)
        if isHeld { await passGate(path) }
        if delay > .zero { try? await Task.sleep(for: delay) }
        return state.withLock { state in
            var page = state.pages[path] ?? OriginPage()
            let response = page.answer(request)
            page.finished(number, status: response.status)
            state.inProgress -= 1
            state.pages[path] = page
            return response
        }
    }

    /// Resumes all requests that wait for `release`, and all callers of `waitForRequests`.
    fileprivate func stop() {
        let (gates, waiters) = state.withLock { state in
            state.isStopping = true
            defer {
                state.gates = [:]
                state.waiters = [:]
            }
            return (state.gates.values.flatMap { $0 }, Array(state.waiters.values))
        }
        for gate in gates { gate.resume() }
        for waiter in waiters { waiter.continuation.resume(returning: false) }
    }

    private func change(_ path: String, _ body: (inout OriginPage) -> Void) {
        state.withLock { body(&$0.pages[path, default: OriginPage()]) }
    }

    private func arrive(_ request: WebRequest) -> (number: Int, delay: Duration, isHeld: Bool) {
        let record = RecordedRequest(
            path: request.path,
            method: request.method,
            headers: Dictionary(
                request.headers.map { ($0.name.lowercased(), $0.value) },
                uniquingKeysWith: { "\($0), \($1)" }
            ),
            receivedAt: .now
        )
        let (place, waiters) = state.withLock { state in
            var page = state.pages[request.path] ?? OriginPage()
            let number = page.arrived(record)
            state.inProgress += 1
            state.maximumConcurrent = max(state.maximumConcurrent, state.inProgress)
            state.pages[request.path] = page
            let ready = state.waiters.filter { _, waiter in
                waiter.path == request.path && waiter.count <= page.count
            }
            for key in ready.keys { state.waiters[key] = nil }
            let place = (number, page.delay, page.isHeld)
            return (place, Array(ready.values))
        }
        for waiter in waiters { waiter.continuation.resume(returning: true) }
        return place
    }

    private func passGate(_ path: String) async {
        await withCheckedContinuation { continuation in
            let isOpen = state.withLock { state in
                guard state.pages[path]?.isHeld == true, !state.isStopping else { return true }
                state.gates[path, default: []].append(continuation)
                return false
            }
            if isOpen { continuation.resume() }
        }
    }

    private func giveUp(_ number: Int) {
        let waiter = state.withLock { $0.waiters.removeValue(forKey: number) }
        waiter?.continuation.resume(returning: false)
    }

    private func counts() -> WebResponse {
        let counts = state.withLock { state in
            state.pages.filter { $0.value.count > 0 }.mapValues { page in
                Counts(
                    count: page.count,
                    maximumConcurrent: page.maximumConcurrent,
                    notModified: page.notModified
                )
            }
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let body = try? encoder.encode(["paths": counts]) else { return WebResponse(status: 500) }
        return WebResponse(headers: [WebHeader("Content-Type", "application/json")], body: body)
    }
}

/// Runs `body` with an origin that is listening.
///
/// The dates in feeds and documents are relative to `start`, in seconds since 1970. `host` is a numeric address; by
/// default, only this machine can reach the origin. If `port` is 0, the system selects a free port.
public func withDemoOrigin<Value>(
    host: String = "127.0.0.1",
    port: Int = 0,
    start: Int = FeedScript.defaultStart,
    _ body: (ScriptedOrigin) async throws -> Value
) async throws -> Value {
    let origin = ScriptedOrigin(host: host, start: start)
    let server = try HTTPServer(host: host, port: port) { request in await origin.answer(request) }
    return try await withWebServer(server) { server in
        origin.listen(on: server.port)
        defer { origin.stop() }
        return try await body(origin)
    }
}
