// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import AccessTokens
import Configuration
import Foundation
import ServiceRuntime
import SourceParsing
import WebServer
import WidgetSchema

/// The route for pushing content.
struct ContentRoutes: Sendable {
    /// The media types of content besides JSON; content of any other media type is parsed as well.
    private static let textTypes = [
        "application/feed+json", "application/rss+xml", "application/atom+xml", "application/xml", "text/xml",
        "application/x-plist", "text/plain",
    ]

    let gateway: RouteContext
    let commands: CommandRoutes

    var routes: [Route] {
        [
            Route(
                method: .put,
                path: "/v1/widgets/{widget}/content",
                scope: .push,
                operation: Operation(
                    id: "putContent",
                    summary:
                        "Replaces the content of a pushed widget. The body is what an origin would send: a feed, or "
                        + "JSON of the widget's kind. For a list of documents, {\"remove\": [\"ID\"]} removes documents.",
                    parameters: [
                        .query(
                            "hasContent",
                            .choice(["0", "1", "false", "true"]),
                            "Whether hosts should show the widget."
                        ),
                        .header(
                            "Idempotency-Key",
                            .string(pattern: IdempotencyKeys.pattern),
                            "Repeated requests with the same key and body create only one cycle."
                        ),
                        .header("Prefer", .string(), "`wait=N`: wait N seconds for the verdict (RFC 7240)."),
                    ],
                    body: ("application/json", "Content"),
                    otherBodies: Self.textTypes.map { ($0, "ContentText") },
                    responses: CommandRoutes.responses + [
                        .problem(409, "This widget gets its content from a source, so content cannot be pushed to it."),
                        .problem(
                            422,
                            "The content is invalid, or the `Idempotency-Key` was already used with a different body."
                        ),
                    ]
                ),
                handle: put
            )
        ]
    }

    @Sendable private func put(_ call: Call) throws(Problem) -> WebAnswer {
        let widget = try call.widget()
        try gateway.require(widget)
        guard let configured = gateway.live.widget(widget), configured.source == nil else {
            throw Problem(
                409,
                "not-pushed",
                "This widget gets its content from a source, so content cannot be pushed to it.",
                "The content of '\(widget)' is fetched from its source. To push it, set 'source: push' in the "
                    + "configuration."
            )
        }
        let hasContent = try call.flag("hasContent")
        let body = call.request.body
        let contentType = call.request.header("Content-Type")
        let key = try key(call, widget)
        return .async(call) { () throws(Problem) in
            let pushed: PushedDocument
            do throws(DocumentFaults) {
                let body = SourceBody(body, contentType: contentType, documentURL: "", received: .now)
                pushed = try PushedDocument.read(body, parsing: configured.parsing)
            } catch {
                throw Problem(422, "bad-content", "The content is invalid.", error.text(name: ""))
            }
            let send: CommandSequencer.Send = { client, counter throws(Problem) in
                var request = PushRequest(
                    client: key ?? client,
                    counter: key == nil ? counter : 1,
                    widget: widget,
                    content: pushed.content,
                    hasContent: hasContent,
                    bodyDigest: key == nil ? nil : IdempotencyKeys.digest(body, hasContent: hasContent)
                )
                request.remove = pushed.removed
                return try await gateway.ask(.cache, request, timeout: RouteContext.commandTimeout).result
            }
            let note = UnusedMember.text(pushed.unused)
            return try await commands.response(call, widget, gateway.commands.command(widget, send), note: note)
        }
    }

    /// Returns the client name that the cache uses to recognise a repeated request; nil without an `Idempotency-Key`.
    ///
    /// The client name is a hash of the token's id, the widget and the key in the header `Idempotency-Key`. Throws if
    /// the header is invalid.
    private func key(_ call: Call, _ widget: WidgetID) throws(Problem) -> String? {
        guard let header = call.request.header("Idempotency-Key") else { return nil }
        guard let key = IdempotencyKeys.key(header) else {
            throw Problem(
                400,
                "bad-key",
                "The Idempotency-Key is invalid.",
                "The key must have 1 to \(IdempotencyKeys.maximumKeyBytes) printable ASCII characters, in quotes."
            )
        }
        return IdempotencyKeys.client(token: call.token?.id ?? "", widget: widget.rawValue, key: key)
    }
}
