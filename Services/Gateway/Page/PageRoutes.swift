// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Configuration
import WebServer

/// The routes of the Today page, the operations page and their files.
///
/// Everyone may load the pages: they contain no data, and users need them to sign in.
struct PageRoutes: Sendable {
    /// Returns the content security policy of the pages.
    ///
    /// Scripts, styles and connections are allowed only from the gateway's own address. The browser's Trusted Types API
    /// is required, so that a text is never interpreted as HTML or as a script by mistake. `frameAncestors` are the sites
    /// whose pages may show the pages in a frame.
    static func contentSecurityPolicy(frameAncestors: [FrameAncestor]) -> String {
        [
            "default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'", "font-src 'self'",
            "worker-src 'self'", "manifest-src 'self'", "img-src 'self' blob: data:", "base-uri 'none'",
            "form-action 'none'", FrameAncestor.directive(frameAncestors), "require-trusted-types-for 'script'",
            "trusted-types tidings",
        ].joined(separator: "; ")
    }

    let files: PageFiles
    let access: Access

    var routes: [Route] {
        [
            route("/", "text/html", id: "getTodayPage", summary: "The Today page: all widgets, live.") { _ in
                "today.html"
            },
            route("/operations", "text/html", id: "getOperationsPage", summary: "The operations page.") { _ in
                "operations.html"
            },
            route("/worker.js", "text/javascript", id: "getPageWorker", summary: "The pages' worker.") { _ in
                "worker.js"
            },
            route("/page/{file}", "text/javascript", id: "getPageFile", summary: "A file of the pages.") { call in
                call.parameters["file"] ?? ""
            },
            route("/page/fonts/{file}", "font/woff2", id: "getPageFont", summary: "A font of the pages.") { call in
                "fonts/\(call.parameters["file"] ?? "")"
            },
        ]
    }

    /// Returns the route of a file; `name` returns the file's name.
    private func route(
        _ path: String,
        _ type: String,
        id: String,
        summary: String,
        name: @escaping @Sendable (Call) -> String
    ) -> Route {
        let headers: [Operation.Header] = [.cacheControl, .entityTag]
        return Route(
            path: path,
            scope: nil,
            id: id,
            summary: summary,
            parameters: [.header("If-None-Match", .string(), "The ETag of the file that the client has.")],
            responses: [
                .ok("The file.", type, headers: headers),
                Operation.Response(status: 304, summary: "The client already has the file.", headers: headers),
            ],
            handle: { call throws(Problem) in .now(try respond(call, name(call))) }
        )
    }

    private func respond(_ call: Call, _ name: String) throws(Problem) -> WebResponse {
        guard !files.isEmpty else {
            throw Problem(
                503,
                "no-page",
                "The pages are not installed.",
                "The folder '\(PageFiles.folder)' is missing beside the gateway's executable; install Tidings again."
            )
        }
        guard let file = files[name] else {
            throw .notFound("The gateway's web pages have no file '\(name.prefix(80))'.")
        }
        let validators = WebValidators(entityTag: file.entityTag)
        let headers = [
            WebHeader("Content-Type", file.contentType),
            WebHeader("Cache-Control", file.isImmutable ? "public, max-age=31536000, immutable" : "no-cache"),
            WebHeader(
                "Content-Security-Policy",
                Self.contentSecurityPolicy(frameAncestors: access.settings.frameAncestors)
            ),
            WebHeader("Referrer-Policy", "no-referrer"),
            WebHeader("Cross-Origin-Opener-Policy", "same-origin"),
        ]
        return WebResponse(
            status: validators.areCurrent(for: call.request) ? 304 : 200,
            headers: validators.headers + headers,
            content: .shared(file.bytes)
        )
    }
}
