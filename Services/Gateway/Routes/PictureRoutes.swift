// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import AccessTokens
import Configuration
import Digests
import Foundation
import ServiceRuntime
import Telemetry
import WebServer
import WidgetSchema

/// The routes that serve pictures and layouts, for example at the short URL `/widgets/blog/phone.png`.
struct PictureRoutes: Sendable {
    let gateway: RouteContext
    let sizes = SizeLimiter()

    var routes: [Route] {
        [
            Route(
                method: .get,
                path: "/widgets/{widget}/{file}",
                scope: .read,
                operation: Operation(
                    id: "getPicture",
                    summary: "What a display shows: a picture (`.png`, `.svg`) or its layout (`.json`).",
                    parameters: [
                        .query(
                            "appearance",
                            .choice(Appearance.allCases.map(\.rawValue)),
                            "The appearance; by default that of the display."
                        ),
                        .query(
                            "textSize",
                            .choice(ContentSizeCategory.allCases.map(\.rawValue)),
                            "The text size; by default that of the display."
                        ),
                        .query(
                            "direction",
                            .choice(Display.Direction.allCases.map(\.rawValue)),
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
                        .query(
                            "scale",
                            .integer(PanelSize.scales),
                            "The pixels per point of that panel; 1 if absent."
                        ),
                        .header("If-None-Match", .string(), "The ETag of the picture that the client has."),
                    ],
                    responses: [
                        Operation.Response(
                            status: 200,
                            summary: "The picture.",
                            content: [("image/png", nil), ("image/svg+xml", nil), ("application/json", "Layout")]
                        ),
                        Operation.Response(
                            status: 304,
                            summary: "The client already has the picture."
                        ),
                    ]
                ),
                handle: picture
            ),
            Route(
                method: .get,
                path: "/pictures/{name}",
                scope: .read,
                operation: Operation(
                    id: "getImmutablePicture",
                    summary: "A picture by the name in `Content-Location`; its bytes never change.",
                    responses: [
                        Operation.Response(
                            status: 200,
                            summary: "The picture.",
                            content: [("image/png", nil), ("image/svg+xml", nil), ("application/json", "Layout")]
                        )
                    ]
                ),
                handle: immutable
            ),
        ]
    }

    @Sendable private func picture(_ call: Call) throws(Problem) -> WebAnswer {
        let file = call.parameters["file"] ?? ""
        guard let dot = file.lastIndex(of: "."), let display = DisplayName(rawValue: String(file[..<dot])),
            let format = RenderFormat(fileExtension: String(file[file.index(after: dot)...]))
        else {
            throw .notFound(
                "'\(file.prefix(80))' is not the name of a picture; use DISPLAY.png, DISPLAY.svg or DISPLAY.json."
            )
        }
        let variant = PictureVariant(
            appearance: try call.choice("appearance"),
            textSize: try call.choice("textSize"),
            direction: try call.choice("direction"),
            panel: try panel(call)
        )
        return try picture(call, of: try call.widget(), on: display, PictureForm(format: format, variant: variant))
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

    /// The format of a requested picture, and the properties that replace those of the display.
    private struct PictureForm {
        let format: RenderFormat
        let variant: PictureVariant
    }

    private func picture(
        _ call: Call,
        of widget: WidgetID,
        on display: DisplayName,
        _ form: PictureForm
    ) throws(Problem) -> WebAnswer {
        let (format, variant) = (form.format, form.variant)
        if let placeholder = try placeholder(widget, display, format, variant) {
            return picture(call, placeholder)
        }
        let update = try gateway.latest(widget)
        guard let state = update.event.data.displays[display] else {
            let known = update.event.data.displays.keys.sorted().map(\.rawValue).joined(separator: ", ")
            throw .notFound("Widget '\(widget)' is not shown on display '\(display)'; it is on: \(known).")
        }
        let key = PictureKey(
            digest: state.digest,
            engine: gateway.view.layoutEngine,
            format: format,
            variant: variant
        )
        let shown = ShownPicture(key: key, update: update, display: display)
        if let picture = gateway.pictures[key] { return .now(respond(call, picture, shown)) }
        let request = RenderRequest(
            widget: widget,
            display: display,
            sequence: update.range.sequence,
            format: format,
            appearance: variant.appearance,
            contentSizeCategory: variant.textSize,
            direction: variant.direction,
            panel: variant.panel
        )
        let draw = draw(request)
        return .async(call) { () throws(Problem) in
            respond(call, try await drawn(key, draw), shown)
        }
    }

    /// Returns the request to draw a placeholder for a configured widget that has no cycle yet.
    ///
    /// Returns nil for any other widget. Also returns nil while the gateway is not ready.
    private func placeholder(
        _ widget: WidgetID,
        _ display: DisplayName,
        _ format: RenderFormat,
        _ variant: PictureVariant
    ) throws(Problem) -> RenderRequest? {
        guard gateway.view.isReady, gateway.view[widget] == nil, let configured = gateway.live.widget(widget) else {
            return nil
        }
        let displays = gateway.live.displays(of: configured)
        guard let shown = displays.first(where: { $0.name == display }) else {
            let known = displays.map(\.name.rawValue).joined(separator: ", ")
            throw .notFound("Widget '\(widget)' is not shown on display '\(display)'; it is on: \(known).")
        }
        return RenderRequest(
            widget: widget,
            display: display,
            format: format,
            appearance: variant.appearance,
            contentSizeCategory: variant.textSize,
            direction: variant.direction,
            panel: variant.panel,
            placeholder: RenderRequest.Placeholder(definition: configured.definition, display: shown)
        )
    }

    /// Returns the answer with a placeholder, drawn for `request`.
    ///
    /// A placeholder has no layout digest. The `PictureKey` therefore contains a digest of `request`, because the
    /// request determines the bytes.
    private func picture(_ call: Call, _ request: RenderRequest) -> WebAnswer {
        let draw = draw(request)
        return .async(call) { () throws(Problem) in
            let digest = (try? WireJSON.encode(request)).flatMap { ContentDigest(rawValue: SHA256.hexDigest(of: $0)) }
            guard let digest else {
                throw Problem(500, "cannot-encode", "The request cannot be written.", "'\(request.widget)'")
            }
            let key = PictureKey(
                digest: digest,
                engine: gateway.view.layoutEngine,
                format: request.format ?? .layout,
                variant: PictureVariant(
                    appearance: request.appearance,
                    textSize: request.contentSizeCategory,
                    direction: request.direction,
                    panel: request.panel
                )
            )
            let picture = try await drawn(key, draw)
            let validators = WebValidators(entityTag: key.entityTag)
            return WebResponse(
                status: validators.areCurrent(for: call.request) ? 304 : 200,
                headers: validators.headers + [
                    WebHeader("Cache-Control", "no-cache"),
                    WebHeader("Content-Location", "\(gateway.access.basePath)/pictures/\(key.urlText)"),
                    WebHeader("Content-Type", picture.format.mediaType),
                ],
                content: .shared(picture.body)
            )
        }
    }

    /// Returns the picture from the gateway's picture cache; calls `draw` if the cache does not contain it.
    private func drawn(_ key: PictureKey, _ draw: @escaping PictureCache.Draw) async throws(Problem) -> Picture {
        do {
            return try await gateway.pictures.picture(key, draw: draw)
        } catch let problem as Problem {
            throw problem
        } catch {
            throw Problem(503, "stopping", "The gateway stops.", "Repeat the request in a second.")
        }
    }

    private func draw(_ request: RenderRequest) -> PictureCache.Draw {
        { [gateway] in
            var (answer, contents) = try await gateway.ask(.layout, request, timeout: RouteContext.renderTimeout)
            let format = request.format ?? .layout
            if format == .layout {
                let json: Data
                if var layout = answer.layout {
                    gateway.links.apply(to: &layout)
                    answer.layout = layout
                }
                do {
                    json = try WireJSON.encode(answer)
                } catch {
                    throw Problem(502, "bad-answer", "A service's answer cannot be read.", "layout: \(error)")
                }
                return Picture(body: SharedBytes(json), format: format, sequence: answer.sequence)
            }
            guard let bytes = contents.first, bytes.count == answer.picture?.bytes else {
                throw Problem(
                    502,
                    "no-picture",
                    "The layout service sent no picture.",
                    "The layout service may be older than the gateway; update the layout service."
                )
            }
            return Picture(body: SharedBytes(bytes), format: format, sequence: answer.sequence)
        }
    }

    /// The key of a picture, with the update and the display from which the picture was drawn.
    private struct ShownPicture {
        let key: PictureKey
        let update: StreamedUpdate
        let display: DisplayName
    }

    private func respond(_ call: Call, _ picture: Picture, _ shown: ShownPicture) -> WebResponse {
        let (key, update, display) = (shown.key, shown.update, shown.display)
        let validators = WebValidators(
            entityTag: key.entityTag,
            lastModified: gateway.view.changed(update.widget, display)
        )
        var headers = validators.headers
        headers += [
            WebHeader("Cache-Control", "no-cache"),
            WebHeader("Content-Location", "\(gateway.access.basePath)/pictures/\(key.urlText)"),
            WebHeader(WidgetRoutes.sequenceHeader, update.range.sequence.description),
        ]
        if let next = gateway.nextChange(update, now: .now) {
            headers.append(WebHeader(WidgetRoutes.nextChangeHeader, next.description))
        }
        headers.append(WebHeader("Content-Type", picture.format.mediaType))
        return WebResponse(
            status: validators.areCurrent(for: call.request) ? 304 : 200,
            headers: headers,
            content: .shared(picture.body)
        )
    }

    @Sendable private func immutable(_ call: Call) throws(Problem) -> WebAnswer {
        let name = call.parameters["name"] ?? ""
        guard let (key, picture) = gateway.pictures.named(name) else {
            throw .notFound(
                "The gateway no longer has a picture with this name; request the picture of the display again."
            )
        }
        let validators = WebValidators(entityTag: key.entityTag)
        return .now(
            WebResponse(
                status: validators.areCurrent(for: call.request) ? 304 : 200,
                headers: validators.headers + [
                    WebHeader("Cache-Control", "public, max-age=31536000, immutable"),
                    WebHeader("Content-Type", picture.format.mediaType),
                ],
                content: .shared(picture.body)
            )
        )
    }
}
