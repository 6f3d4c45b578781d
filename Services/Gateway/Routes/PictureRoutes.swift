// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import AccessTokens
import Configuration
import Cryptography
import EventStreams
import Foundation
import ServiceRuntime
import Telemetry
import WebServer
import WidgetSchema

/// The routes that serve pictures and layouts, for example at the short URL `/widgets/blog/phone.png`.
struct PictureRoutes: Sendable {
    let gateway: GatewayParts
    private let renderer: PictureRenderer
    private let sizes = SizeLimiter()

    init(gateway: GatewayParts) {
        self.init(gateway: gateway) { request throws(Problem) in
            try await gateway.ask(.layout, request, timeout: GatewayParts.renderTimeout)
        }
    }

    /// Creates the routes; `ask` requests layouts and pictures.
    init(gateway: GatewayParts, ask: @escaping PictureRenderer.Ask) {
        self.gateway = gateway
        renderer = PictureRenderer(pictures: gateway.pictures, metrics: gateway.metrics, ask: ask)
    }

    private static let ifNoneMatch = Operation.Parameter.header(
        "If-None-Match",
        .string(),
        "The ETag of the picture that the client has."
    )

    /// Returns the descriptions of the responses with a picture, and to a client that already has it.
    private static func responses(_ headers: [Operation.Header]) -> [Operation.Response] {
        [
            Operation.Response(
                status: 200,
                summary: "The picture.",
                content: [("image/png", nil), ("image/svg+xml", nil), ("application/json", "LayoutDocument")],
                headers: headers
            ),
            Operation.Response(status: 304, summary: "The client already has the picture.", headers: headers),
        ]
    }

    var routes: [Route] {
        [
            Route(
                path: "/widgets/{widget}/{file}",
                id: "getPicture",
                summary: "What a display shows: a picture (`.png`, `.svg`) or its layout (`.json`).",
                parameters: [
                    .query(
                        "appearance",
                        .choice(of: Appearance.self),
                        "The appearance; by default that of the display."
                    ),
                    .query(
                        "textSize",
                        .choice(of: ContentSizeCategory.self),
                        "The text size; by default that of the display."
                    ),
                    .query(
                        "direction",
                        .choice(of: Display.Direction.self),
                        "The direction; by default that of the display's language."
                    ),
                    .query(
                        "width",
                        .integer(PanelSize.lengths),
                        "The width in points of a panel to draw for; equal to `height` if absent."
                    ),
                    .query(
                        "height",
                        .integer(PanelSize.lengths),
                        "The height in points of a panel to draw for; equal to `width` if absent."
                    ),
                    .query("scale", .integer(PanelSize.scales), "The pixels per point of that panel; 1 if absent."),
                    Self.ifNoneMatch,
                    .header("If-Modified-Since", .string(), "The Last-Modified of the picture that the client has."),
                ],
                responses: Self.responses([
                    .cacheControl, .contentLocation, .entityTag, .lastModified, .sequence, .nextChange,
                    .nextCertainChange,
                ]),
                handle: picture
            ),
            Route(
                path: "/pictures/{name}",
                id: "getImmutablePicture",
                summary: "A picture by the name in `Content-Location`; its bytes never change.",
                parameters: [Self.ifNoneMatch],
                responses: Self.responses([.cacheControl, .entityTag]),
                handle: immutable
            ),
        ]
    }

    @Sendable private func picture(_ call: Call) throws(Problem) -> WebAnswer {
        let (display, format): (DisplayName, RenderFormat) = try call.file("DISPLAY", of: "a picture")
        let widget = try call.widget()
        var request = RenderRequest(
            widget: widget,
            display: display,
            appearance: try call.choice("appearance"),
            contentSizeCategory: try call.choice("textSize"),
            direction: try call.choice("direction"),
            panel: try panel(call)
        )
        request.placeholder = try placeholder(widget, display)
        guard request.placeholder == nil else { return answer(call, order(request), format, of: nil) }
        let update = try gateway.latest(widget)
        guard update.event.data.displays[display] != nil else {
            let known = update.event.data.displays.keys.sorted().map(\.rawValue).joined(separator: ", ")
            throw .notFound("Widget '\(widget)' is not shown on display '\(display)'; it is on: \(known).")
        }
        request.sequence = update.range.sequence
        return answer(call, order(request), format, of: update)
    }

    /// Returns the panel size in the query; nil if the query has neither `width` nor `height`.
    ///
    /// If the query has only one of the two, the panel is a square. Throws if the client has requested too many
    /// different sizes.
    private func panel(_ call: Call) throws(Problem) -> PanelSize? {
        let width = try call.integer("width", in: PanelSize.lengths)
        let height = try call.integer("height", in: PanelSize.lengths)
        let scale = try call.integer("scale", in: PanelSize.scales)
        guard let length = width ?? height else { return nil }
        let size = PanelSize(width: width ?? length, height: height ?? length, scale: scale ?? 1)
        guard sizes.take(size, of: call.client) else {
            gateway.metrics.limit("gateway.sizesPerHour").increment()
            throw Problem(
                429,
                "too-many-sizes",
                "Too many picture sizes.",
                "A client may choose at most \(SizeLimiter.sizesPerHour) sizes per hour. For further sizes, add "
                    + "displays to the configuration.",
                headers: [WebHeader("Retry-After", "3600")]
            )
        }
        return size
    }

    /// Returns the placeholder for a configured widget that has no cycle yet.
    ///
    /// Returns nil for any other widget. Also returns nil while the gateway is not ready.
    private func placeholder(
        _ widget: WidgetID,
        _ display: DisplayName
    ) throws(Problem) -> RenderRequest.Placeholder? {
        guard gateway.view.isReady, gateway.view[widget] == nil, let configured = gateway.live.widget(widget) else {
            return nil
        }
        let displays = gateway.live.displays(of: configured)
        guard let shown = displays.first(where: { $0.name == display }) else {
            let known = displays.map(\.name.rawValue).joined(separator: ", ")
            throw .notFound("Widget '\(widget)' is not shown on display '\(display)'; it is on: \(known).")
        }
        return RenderRequest.Placeholder(definition: configured.definition, display: shown)
    }

    private func order(_ request: RenderRequest) -> PictureOrder {
        PictureOrder(request: request, engine: gateway.view.layoutEngine, links: gateway.links)
    }

    /// Returns the answer with the picture of an order; `update` is the update of the order's cycle, nil for a
    /// placeholder.
    ///
    /// If the client has the picture already, or requests only its headers, the picture is not drawn.
    private func answer(
        _ call: Call,
        _ order: PictureOrder,
        _ format: RenderFormat,
        of update: StreamedUpdate?
    ) -> WebAnswer {
        /// Returns the response if it needs no drawing.
        @Sendable func response(_ drawn: DrawnLayout) -> WebResponse? {
            let key = PictureKey(drawn, format, of: order)
            let head = PictureHead(key: key, drawn: drawn, order: order, update: update)
            if let stored = renderer.stored(key) { return self.response(call, head, stored) }
            let isEnough = call.isHead || validators(head).areCurrent(for: call.request)
            return isEnough ? self.response(call, head, nil) : nil
        }
        if let drawn = renderer.known(order), let response = response(drawn) { return .now(response) }
        return .async(call) { () throws(Problem) in
            let drawn = try await renderer.layout(order)
            if let response = response(drawn) { return response }
            let picture = try await renderer.picture(drawn, format, of: order)
            // The layout service may have drawn something else this time; then the renderer knows that.
            let latest = renderer.known(order) ?? drawn
            let head = PictureHead(key: picture.key, drawn: latest, order: order, update: update)
            return self.response(call, head, picture)
        }
    }

    /// The values from which the headers of a picture are made.
    private struct PictureHead {
        let key: PictureKey
        let drawn: DrawnLayout
        let order: PictureOrder
        /// The update of the cycle that was requested; nil for a placeholder.
        let update: StreamedUpdate?
    }

    /// Returns the validators of a picture.
    private func validators(_ head: PictureHead) -> WebValidators {
        WebValidators(entityTag: head.key.entityTag, lastModified: lastModified(head))
    }

    /// Returns the time of the last change of a picture, in Unix seconds; nil if it is unknown.
    ///
    /// The time is known only for what the display itself shows, drawn as its update says. With other options, a layout
    /// may change when that of the display does not.
    private func lastModified(_ head: PictureHead) -> Int64? {
        let (request, drawn) = (head.order.request, head.drawn)
        guard let update = head.update, !drawn.isOutdated,
            PictureKey(drawn, head.key.format, of: head.order) == head.key,
            request == RenderRequest(widget: request.widget, display: request.display, sequence: drawn.sequence),
            update.event.data.displays[request.display]?.digest == drawn.digest,
            let changed = gateway.view.changed(request.widget, request.display)
        else { return nil }
        // Of several changes within a second, the later ones have later seconds. HTTP allows no time in the future (RFC 9110
        // §8.8.2.1); a client that has the earlier time gets the picture again.
        return min(max(changed, drawn.notBefore ?? changed), Instant.now.milliseconds / 1_000)
    }

    /// Returns the response with a picture, or with its headers alone if `picture` is nil.
    private func response(_ call: Call, _ head: PictureHead, _ picture: Picture?) -> WebResponse {
        let validators = validators(head)
        var headers = validators.headers
        headers += [
            WebHeader("Cache-Control", "no-cache"),
            WebHeader("Content-Location", "\(gateway.access.basePath)/pictures/\(head.key.urlText)"),
        ]
        if let update = head.update {
            headers.append(WebHeader(WidgetRoutes.sequenceHeader, head.drawn.sequence.description))
            headers += gateway.nextChanges(update, on: head.order.request.display, now: .now).headers
        }
        headers.append(WebHeader("Content-Type", head.key.format.mediaType))
        return WebResponse(
            status: validators.areCurrent(for: call.request) ? 304 : 200,
            headers: headers,
            content: picture.map { .shared($0.body) } ?? .omitted
        )
    }

    @Sendable private func immutable(_ call: Call) throws(Problem) -> WebAnswer {
        let name = call.parameters["name"] ?? ""
        guard let picture = gateway.pictures.named(name) else {
            throw .notFound(
                "The gateway no longer has a picture with this name; request the picture of the display again."
            )
        }
        let validators = WebValidators(entityTag: picture.key.entityTag)
        return .now(
            WebResponse(
                status: validators.areCurrent(for: call.request) ? 304 : 200,
                headers: validators.headers + [
                    WebHeader("Cache-Control", "public, max-age=31536000, immutable"),
                    WebHeader("Content-Type", picture.key.format.mediaType),
                ],
                content: .shared(picture.body)
            )
        )
    }
}
