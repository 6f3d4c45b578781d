// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import CommandLineTool
package import Foundation
import Locking
import Synchronization
import WebServer

/// An HTTP origin with scripted behaviour: it serves feeds with HTTP validators, changes the feeds step by step, delays
/// or fails answers, and records requests.
///
/// Each path answers 404 until content is set for it. The query of a URL is ignored. May be used from any thread.
package final class ScriptedOrigin: Sendable {
    private struct Page {
        /// The served content, and the counts of all requests, also of those that are answered otherwise.
        var origin = OriginPage { _ in nil }
        /// The number of changes of the content by `serve`.
        var revision = 0
        /// The answers in place of the content, of which the last one is repeated; nil if the content is served.
        var answers: [ScriptedAnswer]? = [ScriptedAnswer(status: 404, body: "There is nothing here.\n")]
        /// The number of requests that got one of `answers`.
        var answered = 0
        /// The answer in place of the content and of `answers`.
        var status: ScriptedAnswer?
        var delay: Duration = .zero
        var isHeld = false
        /// The first requests, up to `maximumRecords`.
        var requests: [RecordedRequest] = []

        mutating func answer(_ request: WebRequest) -> WebResponse {
            if let status { return status.response }
            guard let answers, let last = answers.last else { return origin.answer(request) }
            defer { answered += 1 }
            return (answers.dropFirst(answered).first ?? last).response
        }
    }

    private struct State {
        var pages: [String: Page] = [:]
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

    /// The maximum number of requests that are recorded for a path; after this number, requests are only counted.
    private static let maximumRecords = 100_000
    /// The date of the first revision of each page, in seconds since 1970: Sunday, 16 November 2025, 08:00 UTC.
    private static let start = 1_763_280_000

    private let state = Lock(State())
    private let listeningPort = Atomic<Int>(0)

    package var port: Int { listeningPort.load(ordering: .relaxed) }

    package func url(_ path: String) -> String {
        "http://127.0.0.1:\(port)\(path)"
    }

    // MARK: Content

    /// Serves the same body at a path until the content of the path is changed.
    package func serve(_ path: String, body: String, contentType: String = "application/rss+xml; charset=utf-8") {
        serve(path, body: Data(body.utf8), contentType: contentType)
    }

    package func serve(_ path: String, body: Data, contentType: String = "application/rss+xml; charset=utf-8") {
        change(path) { page in
            let lastChange = Self.start + page.revision
            page.revision += 1
            page.answers = nil
            page.origin.content = { _ in
                OriginPage.Content(body: body, contentType: contentType, lastChange: lastChange)
            }
        }
    }

    /// Serves an RSS feed of `itemCount` posts at a path.
    ///
    /// From each answer to the next, one new post is added at the top, and the oldest post is removed.
    package func serveChanging(_ path: String, itemCount: Int = 10) {
        change(path) { page in
            page.answers = nil
            page.origin.content = { step in
                let items = (step..<(step + itemCount)).reversed().map {
                    "<item><guid>post-\($0)</guid><title>Post \($0)</title><link>https://tidings.example/\($0)</link></item>"
                }
                let feed = "<rss version=\"2.0\"><channel><title>Changes</title>\(items.joined())</channel></rss>"
                return OriginPage.Content(body: Data(feed.utf8), contentType: "application/rss+xml; charset=utf-8")
            }
        }
    }

    /// Serves the answers at a path one after another, byte for byte; the last answer is repeated.
    package func serveScript(_ path: String, _ answers: [ScriptedAnswer]) {
        change(path) { page in
            page.answers = answers
            page.answered = 0
        }
    }

    /// Makes a path answer with a status and headers instead of its content; a status of nil restores the content.
    package func setStatus(_ path: String, _ status: Int?, headers: [String: String] = [:]) {
        change(path) { $0.status = status.map { ScriptedAnswer(status: $0, headers: headers) } }
    }

    /// Delays each answer of a path by `delay`, from the next request on.
    package func setDelay(_ path: String, _ delay: Duration) {
        change(path) { $0.delay = delay }
    }

    /// Holds back every answer of a path until `release` is called for this path.
    ///
    /// The content and the status of such an answer are determined after the call of `release`.
    package func hold(_ path: String) {
        change(path) { $0.isHeld = true }
    }

    package func release(_ path: String) {
        let gates = state.withLock { state in
            state.pages[path]?.isHeld = false
            return state.gates.removeValue(forKey: path) ?? []
        }
        for gate in gates { gate.resume() }
    }

    // MARK: Recorded requests

    /// Returns the recorded requests for a path, in the order of their arrival.
    package func requests(_ path: String) -> [RecordedRequest] {
        state.withLock { $0.pages[path]?.requests ?? [] }
    }

    /// Returns the maximum number of requests for a path that were in progress at the same time.
    package func maximumConcurrent(_ path: String) -> Int {
        state.withLock { $0.pages[path]?.origin.maximumConcurrent ?? 0 }
    }

    /// The maximum number of requests that were in progress at the same time, on all paths together.
    package var maximumConcurrent: Int { state.withLock(\.maximumConcurrent) }

    /// The total number of requests for all paths.
    package var requestCount: Int { state.withLock { $0.pages.values.reduce(0) { $0 + $1.origin.count } } }

    /// Waits until at least `count` requests for a path have arrived since the origin started, and returns true.
    ///
    /// Returns false if the requests do not arrive within the duration `deadline` after the call. Also returns false if
    /// the task is cancelled or the origin stops.
    package func waitForRequests(_ path: String, count: Int, deadline: Duration) async -> Bool {
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
                    if (state.pages[path]?.origin.count ?? 0) >= count { return true }
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
        let path = request.path
        let (number, delay, isHeld) = arrive(request)
        if isHeld { await passGate(path) }
        if delay > .zero { try? await Task.sleep(for: delay) }
        return state.withLock { state in
            var page = state.pages[path] ?? Page()
            let response = page.answer(request)
            page.origin.finished()
            if number < page.requests.count {
                page.requests[number].finishedAt = .now
                page.requests[number].status = response.status
            }
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

    private func change(_ path: String, _ body: (inout Page) -> Void) {
        state.withLock { body(&$0.pages[path, default: Page()]) }
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
            var page = state.pages[request.path] ?? Page()
            let number = page.origin.count
            page.origin.arrived()
            if number < Self.maximumRecords { page.requests.append(record) }
            state.inProgress += 1
            state.maximumConcurrent = max(state.maximumConcurrent, state.inProgress)
            state.pages[request.path] = page
            let ready = state.waiters.filter { _, waiter in waiter.path == request.path && waiter.count <= number + 1 }
            for key in ready.keys { state.waiters[key] = nil }
            return ((number, page.delay, page.isHeld), Array(ready.values))
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
}

/// Runs `body` with an origin that listens on this machine alone, on a free port.
package func withScriptedOrigin<Value>(_ body: (ScriptedOrigin) async throws -> Value) async throws -> Value {
    let origin = ScriptedOrigin()
    let server = try HTTPServer(host: "127.0.0.1", port: 0) { request in await origin.answer(request) }
    return try await withWebServer(server) { server in
        origin.listen(on: server.port)
        defer { origin.stop() }
        return try await body(origin)
    }
}
