// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import WebServer
import WidgetSchema

/// The web page that shows a problem to people who open an address in a browser.
enum ProblemPage {
    private static let contentSecurityPolicy =
        "default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; "
        + "frame-ancestors 'none'"

    /// Returns the page in place of a response with problem details; nil if the response or the client wants none.
    static func page(for response: WebResponse, to request: WebRequest, basePath: String) -> WebResponse? {
        let isProblem = response.headers.contains { $0.name == "Content-Type" && $0.value == Problem.mediaType }
        guard isProblem, prefersPage(request),
            let problem = try? WireJSON.decode(Problem.Document.self, from: response.body)
        else { return nil }
        let headers = response.headers.filter { $0.name != "Content-Type" }
        return WebResponse(
            status: response.status,
            headers: headers + [
                WebHeader("Vary", "Accept"), WebHeader("Content-Security-Policy", contentSecurityPolicy),
                WebHeader("Referrer-Policy", "no-referrer"),
            ],
            text: html(problem, basePath: basePath),
            contentType: "text/html"
        )
    }

    /// Returns whether a client reads a page and prefers HTML to JSON, as browsers do when a person opens an address.
    ///
    /// Wildcards do not count: programs and pictures within pages send them, too.
    static func prefersPage(_ request: WebRequest) -> Bool {
        guard request.method == "GET" || request.method == "HEAD" else { return false }
        var html = 0.0
        var json = 0.0
        for range in (request.list("Accept") ?? "").lowercased().split(separator: ",") {
            let parts = range.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
            let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) } ?? 1
            switch parts.first {
            case "text/html", "application/xhtml+xml": html = max(html, weight)
            case "application/json", Problem.mediaType: json = max(json, weight)
            default: break
            }
        }
        return html > json
    }

    private static func html(_ problem: Problem.Document, basePath: String) -> String {
        let isUnknown = problem.type == Problem.typePrefix + "not-found"
        let title = Markup.escaped(isUnknown ? "There is nothing at this address." : problem.title)
        let base = Markup.escaped(basePath)
        return """
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <title>\(title) – Tidings</title>
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <link rel="icon" type="image/svg+xml" href="\(base)/page/icon.svg">
            <link rel="stylesheet" href="\(base)/page/tidings.css">
            </head>
            <body>
            <main class="notice">
            <h1>\(title)</h1>
            <p class="detail">\(Markup.escaped(problem.detail))</p>
            <p class="quiet">Status \(problem.status), \(Markup.escaped(String(problem.instance.prefix(200))))</p>
            <p class="ways"><a class="primary" href="\(base)/">All widgets</a> <a href="\(base)/operations">Operations</a></p>
            </main>
            </body>
            </html>

            """
    }
}
