// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import AccessTokens
import Configuration
import Foundation
import WebServer
import WidgetSchema

/// The route for pushing content.
struct ContentRoutes: Sendable {
    /// The media types of content besides JSON; content of any other media type is parsed as well.
    private static let textTypes = [
        "application/feed+json", "application/rss+xml", "application/atom+xml", "application/xml", "text/xml",
        "application/x-plist", "text/plain",
    ]

    /// The maximum size of the body of a request to a fetcher; the rest of the frame is for the request's own fields.
    private static let maximumRequestBytes = MessageLimits.maximumFrame - 1024

    let gateway: GatewayParts
    let commands: CommandRoutes

    var routes: [Route] {
        [
            Route(
                path: "/v1/widgets/{widget}/content",
                method: .put,
                scope: .push,
                id: "putContent",
                summary:
                    "Replaces the content of a pushed widget. The body is what an origin would send: a feed, or "
                    + "JSON of the widget's kind. For a list of documents, {\"remove\": [\"ID\"]} removes documents.",
                parameters: [
                    .query(
                        "hasContent",
                        .choice(["0", "1", "false", "true"]),
                        "Whether displays should show the widget."
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
                ],
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
            // The process that faces the network contains no parsers.
            let document = try Self.request(body, contentType, configured.parsing)
            let pushed = try await gateway.ask(.fetcher, document, timeout: GatewayParts.readTimeout).result
            guard let content = pushed.content else {
                throw Problem(422, "bad-content", "The content is invalid.", pushed.faults ?? "")
            }
            let send: CommandSequencer.Send = { client, counter throws(Problem) in
                var request = PushRequest(
                    client: key ?? client,
                    counter: key == nil ? counter : 1,
                    widget: widget,
                    content: content,
                    hasContent: hasContent,
                    bodyDigest: key == nil ? nil : IdempotencyKeys.digest(body, hasContent: hasContent)
                )
                request.remove = pushed.removed
                return try await gateway.ask(.cache, request, timeout: gateway.commandTimeout).result
            }
            let command = gateway.commands.command(widget, send)
            return try await commands.response(call, widget, command, note: pushed.note)
        }
    }

    /// Returns the request that has a fetcher read a body; throws if it does not fit into one frame of the bus.
    private static func request(
        _ body: Data,
        _ contentType: String?,
        _ parsing: Parsing
    ) throws(Problem) -> ReadRequest {
        let text = String(validating: body, as: UTF8.self)
        let requests = [
            text.map { ReadRequest(text: $0, contentType: contentType, parsing: parsing) },
            ReadRequest(base64: body.base64EncodedString(), contentType: contentType, parsing: parsing),
        ]
        let fitting = requests.lazy.compactMap { $0 }.first { request in
            (try? WireJSON.encode(request)).map { $0.count <= maximumRequestBytes } ?? false
        }
        if let fitting { return fitting }
        throw Problem(
            413,
            "body-too-large",
            "The body is too large.",
            "As text in JSON, and in Base64, it has more than \(maximumRequestBytes) bytes."
        )
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
