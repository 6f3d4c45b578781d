// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import AccessTokens
import Foundation
import WebServer

/// The routes for signing in to the pages and signing out.
struct SessionRoutes: Sendable {
    struct SignIn: Codable, Hashable, Sendable {
        /// The token; empty to sign out.
        var token: String
    }

    /// The scopes of the caller: those of the token in the header, or `read` for the session cookie.
    struct Session: Codable, Hashable, Sendable {
        /// The names of the scopes, sorted.
        ///
        /// If the gateway allows reads without a token, the scopes include `read` even for a caller without a token.
        var scopes: [String]
    }

    /// The maximum size of the body for signing in, which everyone may send.
    private static let maximumBodyBytes = 4 * 1024

    let gateway: GatewayParts

    var routes: [Route] {
        [
            Route(
                path: "/v1/session",
                scope: nil,
                id: "getSession",
                summary: "The scopes of the caller. Renews a session cookie that is an hour old.",
                responses: [
                    .ok("The scopes.", schema: "Session"),
                    .problem(401, "The token in the header is not valid."),
                ],
                handle: { call throws(Problem) in .now(try session(call)) }
            ),
            Route(
                path: "/v1/session",
                method: .post,
                scope: nil,
                id: "signIn",
                summary: "Sets a session cookie, which allows reading; an empty token signs out.",
                body: ("application/json", "SignIn"),
                maximumBodyBytes: Self.maximumBodyBytes,
                responses: [
                    Operation.Response(status: 204, summary: "The cookie is set."),
                    .problem(401, "The token is not valid."),
                ],
                handle: { call throws(Problem) in .now(try signIn(call)) }
            ),
        ]
    }

    private func session(_ call: Call) throws(Problem) -> WebResponse {
        var scopes = Set(call.token?.scopes.map(\.rawValue) ?? [])
        if gateway.access.readsAreOpen { scopes.insert("read") }
        var response = try WebResponse.json(Session(scopes: scopes.sorted()))
        response.headers.removeAll { $0.name == "Cache-Control" }
        response.headers += [WebHeader("Cache-Control", "no-store")] + gateway.access.renewal(for: call.request)
        return response
    }

    private func signIn(_ call: Call) throws(Problem) -> WebResponse {
        let body: SignIn = try call.body("{\"token\": …}")
        let record = body.token.isEmpty ? nil : try gateway.access.record(of: body.token)
        return WebResponse(
            status: 204,
            headers: [WebHeader("Cache-Control", "no-store")] + gateway.access.signIn(record, call.request)
        )
    }
}
