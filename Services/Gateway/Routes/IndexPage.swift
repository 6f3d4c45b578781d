// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import AccessTokens
import Foundation
import WebServer
import WidgetSchema

/// `GET /`: the widgets with their pictures, as plain HTML without scripts.
struct IndexPage: Sendable {
    /// The most widgets that the page shows.
    static let maximumWidgets = 200
    private static let policy =
        "default-src 'none'; img-src 'self'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

    let gateway: Gateway

    var routes: [Route] {
        [
            Route(
                method: .get,
                path: "/",
                scope: .read,
                operation: Operation(
                    id: "getIndex",
                    summary: "The widgets with their pictures, for a browser.",
                    responses: [Operation.Response(status: 200, summary: "A page.", content: [("text/html", nil)])]
                ),
                handle: { _ throws(Problem) in .now(page()) }
            )
        ]
    }

    private func page() -> WebResponse {
        let (updates, more) = gateway.view.page(after: nil, limit: Self.maximumWidgets)
        let base = gateway.access.basePath
        var body = ""
        for update in updates {
            body += "<h2>\(update.widget)</h2>\n<p>\(Self.escaped(update.event.data.summary))</p>\n<p>"
            for display in update.event.data.displays.keys.sorted() {
                let address = "\(base)/widgets/\(update.widget)/\(display).png"
                body +=
                    "<a href=\"\(address)\"><img src=\"\(address)\" alt=\"\(update.widget) on \(display)\" height=\"110\"></a>\n"
            }
            body += "</p>\n"
        }
        if updates.isEmpty { body = "<p>There are no widgets yet.</p>\n" }
        if more { body += "<p>Further widgets are in <a href=\"\(base)/v1/widgets\">/v1/widgets</a>.</p>\n" }
        let html = """
            <!DOCTYPE html>
            <html lang="en">
            <head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Tidings</title></head>
            <body>
            <h1>Tidings</h1>
            <p>The interface is described in <a href="\(base)/v1/openapi.json">/v1/openapi.json</a>; events come from
            /v1/events.</p>
            \(body)</body>
            </html>

            """
        return WebResponse(
            headers: [
                WebHeader("Cache-Control", "no-cache"), WebHeader("Content-Security-Policy", Self.policy),
                WebHeader("Referrer-Policy", "no-referrer"),
            ],
            text: html,
            contentType: "text/html"
        )
    }

    static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            .replacing("\"", with: "&quot;")
    }
}
