// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import AccessTokens
import Configuration
import Foundation
import Locking
import Telemetry
import WebServer
import WidgetSchema

/// The rules that determine which client may use which route.
///
/// By default, routes with the scope `read` need no token if the gateway listens on loopback only; the configuration
/// can change this. Routes with any other scope always need a token. A request is rejected if its `Host` header does
/// not name this gateway. This prevents DNS rebinding, in which a page of another site makes its own host name resolve
/// to this machine.
final class Access: Sendable {
    /// The sender of a request: the client's address, and its token if it sent one.
    struct Caller: Sendable {
        var client: String
        var token: TokenRecord?
        /// A Boolean value that indicates whether the token is known by a session cookie, which allows reading only.
        var isSession = false
    }

    /// The settings in use, with what is derived from them.
    private struct Rules {
        let settings: TidingsConfiguration.Gateway
        let trustedProxies: [IPRange]
        let contentSecurityPolicy: String
        let limiter: RateLimiter

        init(_ settings: TidingsConfiguration.Gateway, limiter: RateLimiter) {
            self.settings = settings
            trustedProxies = settings.trustedProxies.compactMap(IPRange.init)
            contentSecurityPolicy = "default-src 'none'; \(FrameAncestor.directive(settings.frameAncestors))"
            self.limiter = limiter
        }
    }

    /// The prefix of all links: empty, or a path such as `/tidings`.
    let basePath: String
    private let rules: Lock<Rules>
    private let tokens: Lock<TokenFile>
    private let metrics: Metrics

    init(settings: TidingsConfiguration.Gateway, tokens: TokenFile, metrics: Metrics) {
        basePath = settings.basePath
        rules = Lock(Rules(settings, limiter: RateLimiter(perMinute: settings.requestsPerMinute)))
        self.tokens = Lock(tokens)
        self.metrics = metrics
    }

    var settings: TidingsConfiguration.Gateway { rules.withLock(\.settings) }

    private var trustedProxies: [IPRange] { rules.withLock(\.trustedProxies) }

    /// The content security policy of everything but the pages: an SVG picture or JSON that is opened as a page loads
    /// nothing and runs nothing.
    var contentSecurityPolicy: String { rules.withLock(\.contentSecurityPolicy) }

    /// The records of all tokens.
    var tokenRecords: [TokenRecord] { tokens.withLock(\.tokens) }

    func replace(tokens: TokenFile) { self.tokens.withLock { $0 = tokens } }

    /// Applies changed settings to all requests that follow.
    ///
    /// If `requestsPerMinute` changes, the requests of each client are counted anew.
    func replace(settings: TidingsConfiguration.Gateway) {
        rules.withLock { rules in
            let isSameLimit = settings.requestsPerMinute == rules.settings.requestsPerMinute
            let limiter = isSameLimit ? rules.limiter : RateLimiter(perMinute: settings.requestsPerMinute)
            rules = Rules(settings, limiter: limiter)
        }
    }

    /// A Boolean value that indicates whether routes with the scope `read` can be used without a token.
    var readsAreOpen: Bool { settings.readsAreOpen }

    // MARK: Where from

    /// Returns the client's address.
    ///
    /// This is usually the address of the connection's peer. If the peer is a trusted proxy, the result is the last
    /// address in the forwarding headers that does not belong to a trusted proxy. A proxy may write only one of the
    /// headers `Forwarded` and `X-Forwarded-For`, and pass on the other as the client sent it. The result is therefore
    /// the peer's address if the headers contradict each other, if the address is not numeric, or if all addresses
    /// belong to trusted proxies.
    func client(of request: WebRequest) -> String {
        guard isTrusted(request.client) else { return request.client }
        let clients = Set([forwarded(request), xForwardedFor(request)].compactMap { $0 }.map { client(of: $0) })
        guard clients.count == 1, let client = clients.first ?? nil else { return request.client }
        return client.description
    }

    /// Returns the last address that is not a trusted proxy, because addresses before it may be forged; nil if this
    /// address is unknown, or if all addresses belong to trusted proxies.
    private func client(of addresses: [IPAddress?]) -> IPAddress? { addresses.last { !isTrusted($0) } ?? nil }

    private func isTrusted(_ address: IPAddress?) -> Bool {
        guard let address else { return false }
        return trustedProxies.contains { $0.contains(address) }
    }

    private func isTrusted(_ address: String) -> Bool { isTrusted(IPAddress(address)) }

    /// Returns the addresses in the header `Forwarded` (RFC 7239), with nil for each element without a numeric
    /// address; nil without this header.
    private func forwarded(_ request: WebRequest) -> [IPAddress?]? {
        request.list("Forwarded")?.split(separator: ",").map { element in
            element.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
                .first { $0.lowercased().hasPrefix("for=") }
                .flatMap { IPAddress(Self.address(String($0.dropFirst(4))))?.unmapped }
        }
    }

    /// Returns the addresses in the header `X-Forwarded-For`, with nil for each one that is not numeric; nil without
    /// this header.
    private func xForwardedFor(_ request: WebRequest) -> [IPAddress?]? {
        request.list("X-Forwarded-For")?.split(separator: ",").map {
            IPAddress(Self.address($0.trimmingCharacters(in: .whitespaces)))?.unmapped
        }
    }

    /// Returns the address without port, brackets and quotation marks, from a text such as `"[2001:db8::1]:4711"` or
    /// `192.0.2.1:80`.
    static func address(_ text: String) -> String {
        withoutPort(text.trimmingCharacters(in: CharacterSet(charactersIn: "\"")))
    }

    private static func withoutPort(_ text: String) -> String {
        if text.hasPrefix("["), let end = text.firstIndex(of: "]") { return String(text.dropFirst()[..<end]) }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        return parts.count == 2 ? String(parts[0]) : text
    }

    /// Returns whether a trusted proxy reports that the client uses HTTPS.
    func isSecure(_ request: WebRequest) -> Bool {
        isTrusted(request.client) && request.header("X-Forwarded-Proto")?.lowercased() == "https"
    }

    // MARK: Checks

    /// Throws if the request's `Host` is not one of the gateway's names.
    func checkHost(_ request: WebRequest) throws(Problem) {
        let host = host(of: request)
        guard isKnown(host: Self.hostName(host)) || (host.isEmpty && request.version == "HTTP/1.0") else {
            metrics.counter("gateway.refused.host").increment()
            throw Problem(
                421,
                "unknown-host",
                "The host is unknown.",
                "'\(host.prefix(100))' is not a name of this gateway. Add the name to 'gateway.hosts' in the "
                    + "configuration, or use a name that is listed there."
            )
        }
    }

    /// Returns the host and port that the client has used, in the form of a `Host` header.
    ///
    /// Behind a trusted proxy, this is the value of `X-Forwarded-Host`, if the proxy sends it.
    func host(of request: WebRequest) -> String {
        (isTrusted(request.client) ? request.header("X-Forwarded-Host") : nil) ?? request.header("Host") ?? ""
    }

    /// Returns the host name in a `Host` header, in lower case and without port, brackets and a dot at its end.
    static func hostName(_ host: String) -> String {
        let name = withoutPort(host)
        // A name is the same with a dot at its end (RFC 1034, section 3.1).
        return (name.hasSuffix(".") ? String(name.dropLast()) : name).lowercased()
    }

    private func isKnown(host: String) -> Bool {
        let hosts = settings.hosts
        if hosts.contains(where: { $0.lowercased() == host }) || hosts.contains("*") { return true }
        // A numeric address is safe, because no name is resolved; names of localhost always mean this machine.
        return host == "localhost" || host.hasSuffix(".localhost") || IPRange(host) != nil
    }

    /// Counts a request of a client, and returns its sender; throws if the client sends too many requests.
    func caller(of request: WebRequest) throws(Problem) -> Caller {
        let client = client(of: request)
        let (limiter, limit) = rules.withLock { ($0.limiter, $0.settings.requestsPerMinute) }
        if let retryAfter = limiter.take(client) {
            metrics.limit("gateway.requestsPerMinute").increment()
            throw Problem(
                429,
                "too-many-requests",
                "Too many requests.",
                "A client may send at most \(limit) requests per minute.",
                headers: [WebHeader("Retry-After", "\(retryAfter)")]
            )
        }
        return try sender(of: request, client: client)
    }

    /// Returns the sender of a request, with the token if the request contains one.
    ///
    /// The token is taken from the `Authorization` header, or else from the URL; else it is the one that the session
    /// cookie names, for reading only. Throws if the header or its token is invalid. Also throws if the URL's token is
    /// invalid, or is not limited to some paths: URLs are logged. An invalid cookie is ignored, so that the browser can still
    /// use routes that need no token.
    func sender(of request: WebRequest, client: String) throws(Problem) -> Caller {
        if let header = request.header("Authorization") {
            let words = header.split(separator: " ", maxSplits: 1)
            guard words.count == 2, words[0].lowercased() == "bearer" else {
                throw unauthorized("The Authorization header must be 'Bearer TOKEN'.")
            }
            return Caller(client: client, token: try record(of: String(words[1]).trimmingCharacters(in: .whitespaces)))
        }
        if let text = request.query("token") {
            let record = try record(of: text)
            guard record.paths != nil else {
                metrics.counter("gateway.refused.token").increment()
                throw Problem(
                    403,
                    "token-in-address",
                    "This token must not be part of a URL.",
                    "URLs are logged and shared. Create a token that is limited to some paths with "
                        + "'tidings token new --path …', or send this token in the Authorization header."
                )
            }
            return Caller(client: client, token: record)
        }
        guard let session = session(of: request) else { return Caller(client: client, token: nil) }
        return Caller(client: client, token: session.record.readOnly, isSession: true)
    }

    /// Returns the record of a token; throws if the token is malformed or unknown.
    func record(of text: String) throws(Problem) -> TokenRecord {
        guard let token = AccessToken(text) else {
            throw unauthorized("The token is malformed; it may have been cut off.")
        }
        guard let record = tokens.withLock({ $0.record(of: token) }) else {
            throw unauthorized("The token is not known; it may have been revoked.")
        }
        return record
    }

    /// Throws if the caller may not use a route that requires `scope`; if `scope` is nil, everyone may use it.
    ///
    /// `path` is the path of the request without the base path; a token may be limited to some paths. Unless the request only
    /// reads, the function also throws if a page of another site sent it.
    func check(_ caller: Caller, scope: AccessScope?, request: WebRequest, path: String) throws(Problem) {
        if let scope { try check(caller, scope: scope, path: path) }
        let isRead = request.method == "GET" || request.method == "HEAD"
        if !isRead || (scope ?? .read) != .read { try checkOrigin(request) }
    }

    private func check(_ caller: Caller, scope: AccessScope, path: String) throws(Problem) {
        if caller.isSession, scope != .read {
            throw unauthorized(
                "A session cookie allows reading only. Send a token with the scope '\(scope.rawValue)' in the header "
                    + "'Authorization: Bearer TOKEN'."
            )
        }
        if let token = caller.token {
            guard token.allows(scope, path: path) else {
                metrics.counter("gateway.refused.scope").increment()
                throw Problem(
                    403,
                    "not-allowed",
                    "The token does not allow this request.",
                    "Token \(token.id) allows \(Self.list(token)); this request needs the scope '\(scope.rawValue)'."
                )
            }
        } else if scope != .read || !readsAreOpen {
            throw unauthorized(
                "This request needs a token with the scope '\(scope.rawValue)'. Create one with 'tidings token new'."
            )
        }
    }

    private static func list(_ token: TokenRecord) -> String {
        let scopes = token.scopes.map(\.rawValue).joined(separator: ", ")
        return token.paths.map { "\(scopes) below \($0.joined(separator: ", "))" } ?? scopes
    }

    /// Throws if the headers show that a page of another site sent the request.
    ///
    /// Called before writes and before signing in, so that a page of another site cannot act on behalf of its visitor.
    func checkOrigin(_ request: WebRequest) throws(Problem) {
        let site = request.header("Sec-Fetch-Site")?.lowercased()
        let origin = request.header("Origin")
        let host = host(of: request)
        let isOwn = origin.map { $0 == "http://\(host)" || $0 == "https://\(host)" }
        if isOwn ?? true, site == nil || site == "same-origin" || site == "none" { return }
        metrics.counter("gateway.refused.origin").increment()
        throw Problem(
            403,
            "cross-origin",
            "Pages of other sites must not write.",
            "The request comes from '\((origin ?? site ?? "").prefix(100))'. Send it from a program, or from a page of "
                + "the gateway."
        )
    }

    private func unauthorized(_ detail: String) -> Problem {
        metrics.counter("gateway.refused.token").increment()
        return Problem(
            401,
            "unauthorized",
            "The request needs a valid token.",
            detail,
            headers: [WebHeader("WWW-Authenticate", "Bearer realm=\"tidings\"")]
        )
    }

    // MARK: Pages of other sites

    /// Returns the headers that say which pages of other sites may embed the answer, and that allow pages of configured sites
    /// to read it (CORS).
    ///
    /// A page of another site may embed a picture if its address has a token, or if such pages may show the gateway's pages.
    /// Nothing but pictures may be embedded.
    func crossOriginHeaders(of response: WebResponse, to request: WebRequest) -> [WebHeader] {
        let isPicture = response.headers.contains { $0.name == "Content-Type" && $0.value.hasPrefix("image/") }
        let isEmbeddable =
            isPicture
            && (request.query("token") != nil || settings.frameAncestors.contains { $0.expression != "'self'" })
        let policy = WebHeader("Cross-Origin-Resource-Policy", isEmbeddable ? "cross-origin" : "same-origin")
        guard let origin = request.header("Origin") else { return [policy] }
        let allowed = settings.allowedOrigins
        guard !allowed.isEmpty else { return [policy] }
        guard allowed.contains(origin) || allowed.contains("*") else {
            return [policy, WebHeader("Vary", "Origin")]
        }
        return [
            policy,
            WebHeader("Access-Control-Allow-Origin", origin), WebHeader("Vary", "Origin"),
            WebHeader(
                "Access-Control-Expose-Headers",
                Operation.Header.allCases.map(\.rawValue).joined(separator: ", ")
            ),
        ]
    }
}
