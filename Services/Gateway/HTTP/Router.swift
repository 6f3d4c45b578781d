// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Telemetry
import WebServer

/// The router, which finds the route of a request, checks the caller, and returns the response.
final class Router: Sendable {
    private struct Entry: Sendable {
        let route: Route
        let segments: [Route.Segment]
    }

    /// The maximum length of a request's path without the query, in bytes.
    static let maximumPathBytes = 2_048

    let routes: [Route]
    private let entries: [Entry]
    private let access: Access
    private let isKnownPanel: @Sendable (WebRequest) -> Bool
    private let metrics: Metrics
    private let requestDuration: Histogram
    private let log: AccessLog

    /// Creates a router; `isKnownPanel` returns whether a request has the id and the key of a panel, and must not block.
    init(
        _ routes: [Route],
        access: Access,
        isKnownPanel: @escaping @Sendable (WebRequest) -> Bool = { _ in false },
        metrics: Metrics,
        log: AccessLog
    ) {
        self.routes = routes
        self.isKnownPanel = isKnownPanel
        entries = routes.map { Entry(route: $0, segments: $0.segments) }
        self.access = access
        self.metrics = metrics
        requestDuration = metrics.histogram("gateway.requestDuration")
        self.log = log
    }

    /// Decides about a request whose headers have arrived: host, route, token, scope and origin are checked before the
    /// body is read.
    ///
    /// Called on the web server's thread, so it must not block.
    func admit(_ head: WebRequest) -> WebAdmission {
        let started = ContinuousClock.now
        do throws(Problem) {
            let match = try route(head)
            return .accepted(client: match.client, maximumBodyBytes: match.maximumBodyBytes) { [self] request in
                do throws(Problem) {
                    return finish(try match.handle(request), request, started)
                } catch {
                    return finish(.now(error.response(instance: request.path)), request, started)
                }
            }
        } catch {
            return .refused(finished(error.response(instance: head.path), head, started))
        }
    }

    /// Returns the response to a request that the web server refuses by itself.
    func refuse(_ request: WebRequest, _ refusal: WebRefusal) -> WebResponse {
        finished(Problem(refusal).response(instance: request.path), request, .now)
    }

    /// The route of a request, whose sender may use it.
    private struct Match: Sendable {
        let client: String
        let maximumBodyBytes: Int?
        let handle: @Sendable (WebRequest) throws(Problem) -> WebAnswer
    }

    /// Returns the route of a request; throws if there is none, or if the sender may not use it.
    private func route(_ request: WebRequest) throws(Problem) -> Match {
        let caller: Access.Caller
        let path: String
        if isFromKnownPanel(request) {
            path = try self.path(of: request)
            caller = Access.Caller(client: access.client(of: request), token: nil)
        } else {
            try access.checkHost(request)
            path = try self.path(of: request)
            caller = try access.caller(of: request)
        }
        let parts = path.split(separator: "/")
        var allowed: Set<String> = []
        for entry in entries {
            guard let parameters = Route.match(entry.segments, parts) else { continue }
            let method = entry.route.method.rawValue
            guard request.method == method || (request.method == "HEAD" && method == "GET") else {
                allowed.insert(method)
                if method == "GET" { allowed.insert("HEAD") }
                continue
            }
            let scope = entry.route.scope
            try access.check(caller, scope: scope, request: request, path: path)
            return Match(client: caller.client, maximumBodyBytes: entry.route.bodyLimit) {
                [access] request throws(Problem) in
                var token = caller.token
                if request.hasBody {
                    // The token may have been revoked while the body arrived.
                    let current = try access.sender(of: request, client: caller.client)
                    try access.check(current, scope: scope, request: request, path: path)
                    token = current.token
                }
                let call = Call(request: request, parameters: parameters, client: caller.client, token: token)
                return try entry.route.handle(call)
            }
        }
        if allowed.isEmpty {
            throw .notFound(
                "There is no resource at '\(path.prefix(200))'. \(access.basePath)/v1/openapi.json lists all paths."
            )
        }
        let list = allowed.sorted().joined(separator: ", ")
        if request.method == "OPTIONS" {
            let response = WebResponse(status: 204, headers: [WebHeader("Allow", list)] + preflight(request, list))
            return Match(client: caller.client, maximumBodyBytes: 0) { _ in .now(response) }
        }
        throw Problem(
            405,
            "method-not-allowed",
            "The method is not allowed here.",
            "'\(request.method.prefix(20))' is not allowed at '\(path.prefix(200))'; the allowed methods are \(list).",
            headers: [WebHeader("Allow", list)]
        )
    }

    /// The beginning of the paths of the protocol for panels.
    private static let panelPath = "/api/"

    /// Returns whether a panel with a key sends a request of its protocol.
    ///
    /// Such requests have no limit, and may name any host: after a few refused ones, the panel would show an error in place
    /// of its picture. A page of another site does not know the key.
    private func isFromKnownPanel(_ request: WebRequest) -> Bool {
        guard isKnownPanel(request), let path = try? path(of: request) else { return false }
        return path.hasPrefix(Self.panelPath)
    }

    /// Returns the part of the request's path that follows the base path; `/` if nothing follows it.
    ///
    /// Throws if the path does not begin with the base path, is longer than ``maximumPathBytes``, or contains a
    /// character outside printable ASCII. Each resource has only one path, so the method also throws if the path
    /// contains `%`, `//`, or a dot segment (`.` or `..`).
    private func path(of request: WebRequest) throws(Problem) -> String {
        let raw = request.target.prefix { $0 != "?" }
        guard raw.utf8.count <= Self.maximumPathBytes, raw.hasPrefix("/"), !raw.contains("//") || raw == "/",
            raw.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }), !raw.contains("%"),
            !raw.split(separator: "/").contains(where: { $0 == "." || $0 == ".." })
        else {
            throw .notFound(
                "The path is too long, or has an empty, '.' or '..' segment, a '%' or another invalid character. "
                    + "\(access.basePath)/v1/openapi.json lists all paths."
            )
        }
        let base = access.basePath
        guard !base.isEmpty else { return String(raw) }
        guard raw == base || raw.hasPrefix(base + "/") else {
            throw .notFound("All paths of this gateway begin with '\(base)/'.")
        }
        let rest = raw.dropFirst(base.utf8.count)
        return rest.isEmpty ? "/" : String(rest)
    }

    private func preflight(_ request: WebRequest, _ methods: String) -> [WebHeader] {
        // Pages of other sites may read only.
        guard request.header("Access-Control-Request-Method") == "GET" else { return [] }
        return [
            WebHeader("Access-Control-Allow-Methods", "GET, HEAD"),
            WebHeader("Access-Control-Allow-Headers", "Authorization, Last-Event-ID, If-None-Match"),
            WebHeader("Access-Control-Max-Age", "600"),
        ]
    }

    // MARK: After the answer

    private func finish(_ answer: WebAnswer, _ request: WebRequest, _ started: ContinuousClock.Instant) -> WebAnswer {
        switch answer {
        case .now(let response): return .now(finished(response, request, started))
        case .later(let body):
            return .later { [self] in finished(await body(), request, started) }
        }
    }

    private func finished(
        _ response: WebResponse,
        _ request: WebRequest,
        _ started: ContinuousClock.Instant
    ) -> WebResponse {
        var response = ProblemPage.page(for: response, to: request, basePath: access.basePath) ?? response
        response.headers.append(WebHeader("X-Content-Type-Options", "nosniff"))
        if !response.headers.contains(where: { $0.name == "Content-Security-Policy" }) {
            response.headers.append(WebHeader("Content-Security-Policy", access.contentSecurityPolicy))
        }
        response.headers += access.crossOriginHeaders(of: response, to: request)
        let duration = ContinuousClock.now - started
        requestDuration.observe(duration)
        metrics.counter("gateway.requests.\(response.status)").increment()
        log.write(
            [
                .request: request.method, .path: String(request.target.prefix { $0 != "?" }.prefix(200)),
                .status: response.status, .bytes: response.bodyBytes, .client: access.client(of: request),
                .microseconds: Int(duration / .microseconds(1)),
            ]
        )
        return response
    }
}
