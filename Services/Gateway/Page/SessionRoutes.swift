// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import AccessTokens
import Foundation
import WebServer
import WidgetSchema

/// The routes for signing in to the pages and signing out.
struct SessionRoutes: Sendable {
    struct SignIn: Codable, Hashable, Sendable {
        /// The token; empty to sign out.
        var token: String
    }

    /// The scopes of the caller.
    struct Session: Codable, Hashable, Sendable {
        /// The names of the scopes, sorted.
        ///
        /// If the gateway allows reads without a token, the scopes include `read` even for a caller without a token.
        var scopes: [String]
    }

    let gateway: RouteContext

    var routes: [Route] {
        [
            Route(
                method: .get,
                path: "/v1/session",
                scope: nil,
                operation: Operation(
                    id: "getSession",
                    summary: "The scopes of the caller.",
                    responses: [
                        Operation.Response(
                            status: 200,
                            summary: "The scopes.",
                            content: [("application/json", "Session")]
                        )
                    ]
                ),
                handle: { call throws(Problem) in .now(try session(call)) }
            ),
            Route(
                method: .post,
                path: "/v1/session",
                scope: nil,
                operation: Operation(
                    id: "signIn",
                    summary: "Stores a token in a cookie of the browser; an empty token signs out.",
                    body: ("application/json", "SignIn"),
                    responses: [
                        Operation.Response(status: 204, summary: "The cookie is set."),
                        .problem(401, "The token is not valid."),
                    ]
                ),
                handle: { call throws(Problem) in .now(try signIn(call)) }
            ),
        ]
    }

    private func session(_ call: Call) throws(Problem) -> WebResponse {
        var scopes = Set(call.token?.scopes.map(\.rawValue) ?? [])
        if gateway.access.readsAreOpen { scopes.insert("read") }
        return try .json(Session(scopes: scopes.sorted()), headers: [WebHeader("Vary", "Cookie")])
    }

    private func signIn(_ call: Call) throws(Problem) -> WebResponse {
        try gateway.access.checkOrigin(call.request)
        let body: SignIn
        do {
            body = try WireJSON.decode(SignIn.self, from: call.request.body)
        } catch {
            throw .badBody("Expected {\"token\": …}. \(error)")
        }
        if !body.token.isEmpty { _ = try gateway.access.record(ofSignIn: body.token) }
        let cookie = SessionCookie.header(
            token: body.token,
            path: gateway.access.basePath,
            isSecure: gateway.access.isSecure(call.request)
        )
        return WebResponse(
            status: 204,
            headers: [WebHeader("Set-Cookie", cookie), WebHeader("Cache-Control", "no-store")]
        )
    }
}
