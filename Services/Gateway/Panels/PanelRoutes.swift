// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import AccessTokens
import Configuration
import Foundation
import ServiceRuntime
import Telemetry
import WebServer
import WidgetSchema

/// The routes of the protocol with which panels of TRMNL ask for their pictures.
///
/// The firmware treats every status but 200 as a failure, and shows an error after a few of them. So requests with a valid id get 200.
struct PanelRoutes: Sendable {
    let gateway: GatewayParts
    let pictures: PanelPictures
    /// Returns the next changes of a board.
    let changes: @Sendable (BoardID) -> BoardChanges
    var now: @Sendable () -> Instant = { .now }

    var routes: [Route] {
        [
            Route(
                path: "/api/setup",
                scope: nil,
                id: "setUpPanel",
                summary: "A key for a panel, while the pairing window is open.",
                parameters: [Self.idHeader],
                responses: [
                    .ok("The key, or none.", schema: "PanelSetupDocument"), .problem(400, "The header ID is invalid."),
                ],
                handle: setup
            ),
            Route(
                path: "/api/display",
                scope: nil,
                id: "displayPanel",
                summary: "The picture that a panel shows next, and the time that it sleeps.",
                parameters: [
                    Self.idHeader, .header("Access-Token", .string(), "The panel's key."),
                    .header("Battery-Voltage", .string(), "The voltage of the battery."),
                    .header("RSSI", .string(), "The strength of the radio signal in dBm."),
                    .header("FW-Version", .string(), "The version of the firmware."),
                    .header("Model", .string(), "The model of the panel."),
                    .header("Width", .string(), "The width in pixels."),
                    .header("Height", .string(), "The height in pixels."),
                ],
                responses: [
                    .ok("The answer.", schema: "PanelDisplayDocument"), .problem(400, "The header ID is invalid."),
                    .problem(503, "The store cannot be read."),
                ],
                handle: display
            ),
            Route(
                path: "/api/log",
                method: .post,
                scope: nil,
                id: "logPanel",
                summary: "The log of a panel.",
                parameters: [Self.idHeader],
                body: ("application/json", "PanelLog"),
                maximumBodyBytes: PanelLog.maximumBytes,
                responses: [Operation.Response(status: 204, summary: "The log is taken, or dropped.")],
                handle: log
            ),
            picture("/api/image/{panel}/{file}", "getPanelPicture", "The picture in a panel's last answer.", image),
            picture("/api/notice/{kind}/{panel}/{size}/{file}", "getPanelNotice", "What to do with a panel.", notice),
            picture("/api/blank/{size}.png", "getBlankPicture", "A white picture.") { (call) throws(Problem) in
                let (width, height) = try Self.size(call)
                return .now(Self.response(pictures.blank(width: width, height: height)))
            },
        ]
    }

    private static let idHeader = Operation.Parameter.header(
        "ID",
        .named("PanelID"),
        "The panel's id.",
        isRequired: true
    )

    private func picture(
        _ path: String,
        _ id: String,
        _ summary: String,
        _ handle: @escaping @Sendable (Call) throws(Problem) -> WebAnswer
    ) -> Route {
        Route(
            path: path,
            scope: nil,
            id: id,
            summary: summary,
            responses: [.ok("The picture.", "image/png"), .problem(404, "There is no such picture.")],
            handle: handle
        )
    }

    // MARK: Requests

    private func headers(_ call: Call) throws(Problem) -> PanelHeaders {
        if let headers = PanelHeaders(call.request) { return headers }
        throw Problem(
            400,
            "bad-panel",
            "The request has no valid id of a panel.",
            "The header 'ID' is missing or invalid: \(PanelID.rule)."
        )
    }

    /// Throws if a request is not GET: a HEAD is no wake, and no download.
    private static func checkMethod(_ call: Call) throws(Problem) {
        guard call.isHead else { return }
        throw Problem(
            405,
            "method-not-allowed",
            "The method is not allowed here.",
            "'HEAD' is not allowed in the protocol of panels; the allowed method is GET.",
            headers: [WebHeader("Allow", "GET")]
        )
    }

    @Sendable private func setup(_ call: Call) throws(Problem) -> WebAnswer {
        try Self.checkMethod(call)
        let (headers, base) = (try headers(call), try base(of: call.request))
        return .async(call) { () throws(Problem) in
            let key = AccessToken()
            let output = await gateway.panels.storedAnswer(.setup(headers, keyHash: key.hash), at: now())
            guard case .paired(let width, let height) = output else {
                guard case .refused = output else { return try .panel(PanelSetupDocument()) }
                return try .panel(PanelSetupDocument(message: "A key cannot be stored; the gateway's log says why."))
            }
            gateway.log.notice("Gave a key to a panel.", [.client: call.client, .request: headers.id])
            let size = pictures.size(of: headers.id) ?? (width: width ?? 0, height: height ?? 0)
            let image = "\(base)/api/blank/\(size.width)x\(size.height).png"
            return try .panel(PanelSetupDocument(key: key.text, hash: key.hash, imageURL: image))
        }
    }

    @Sendable private func display(_ call: Call) throws(Problem) -> WebAnswer {
        try Self.checkMethod(call)
        let (headers, base) = (try headers(call), try base(of: call.request))
        return .async(call) { () throws(Problem) in
            var picture: PanelPicture?
            var changes = BoardChanges()
            switch await gateway.panels.storedAnswer(.identify(headers), at: now()) {
            case .identity(.board(let panel)):
                // Before the picture: what changes meanwhile wakes the panel too early, and not too late.
                let next = self.changes(panel.board)
                picture = await pictures.board(panel.board)
                if picture?.isCurrent == true { changes = next }
            case .identity(.notice(let kind)):
                // Only a panel with a key can have no board.
                let notice = pictures.notice(kind, for: headers.id, width: headers.width, height: headers.height)
                picture = await pictures.picture(notice, hasKey: kind == .noBoard)
            default: break
            }
            switch await gateway.panels.storedAnswer(.display(headers, picture: picture, changes: changes), at: now()) {
            case .display(let display):
                gateway.metrics.counter("gateway.panelDisplays").increment()
                return try .panel(PanelDisplayDocument(display, headers, base: base))
            case .refused(let error): throw Problem(error)
            default: throw Problem(RequestError(.failed, "The panel has no answer."))
            }
        }
    }

    @Sendable private func log(_ call: Call) throws(Problem) -> WebAnswer {
        let (headers, log) = (try headers(call), try call.body("an object with the array 'logs'") as PanelLog)
        return .async(call) { () throws(Problem) in
            let response = WebResponse(status: 204, headers: Self.noStore)
            guard case .isKnown(true) = await gateway.panels.storedAnswer(.log(headers), at: now()) else {
                return response
            }
            for entry in (log.logs ?? []).prefix(PanelLog.maximumEntries) {
                gateway.log.info("A panel reported.", [.request: headers.id, .reason: entry.text])
            }
            return response
        }
    }

    // MARK: Pictures

    @Sendable private func image(_ call: Call) throws(Problem) -> WebAnswer {
        try Self.checkMethod(call)
        let key = call.parameters["panel"] ?? ""
        let parts = (call.parameters["file"] ?? "").split(separator: ".")
        guard parts.count == 3, parts[2] == "png", let name = PictureName(rawValue: String(parts[0])) else {
            throw Self.noPicture
        }
        let signature = String(parts[1])
        return .async(call) { () throws(Problem) in
            let output = await gateway.panels.storedAnswer(
                .download(key: key, name: name, signature: signature),
                at: now()
            )
            if case .refused(let error) = output { throw Problem(error) }
            guard case .picture(let digest?) = output, let png = gateway.panels.picture(of: key, digest) else {
                throw Self.noPicture
            }
            gateway.metrics.counter("gateway.panelDownloads").increment()
            return Self.response(png)
        }
    }

    @Sendable private func notice(_ call: Call) throws(Problem) -> WebAnswer {
        guard let kind = PanelNotice.Kind(rawValue: call.parameters["kind"] ?? ""),
            let panel = PanelID(rawValue: call.parameters["panel"] ?? "")
        else { throw Self.noPicture }
        let (width, height) = try Self.size(call)
        return .async(call) { () throws(Problem) in
            let notice = pictures.notice(kind, for: panel, width: width, height: height)
            guard let picture = await pictures.picture(notice) else { throw Self.noPicture }
            return Self.response(picture.png)
        }
    }

    /// Returns the size in an address, such as `800x480`; `0x0` stands for an unknown one.
    private static func size(_ call: Call) throws(Problem) -> (width: Int, height: Int) {
        let parts = (call.parameters["size"] ?? "").split(separator: "x", omittingEmptySubsequences: false)
        let lengths = parts.compactMap { part in
            part.utf8.count <= 4 && part.utf8.allSatisfy { (48...57).contains($0) } ? Int(part) : nil
        }
        guard parts.count == 2, lengths.count == 2 else { throw noPicture }
        return (lengths[0], lengths[1])
    }

    private static let noPicture = Problem.notFound(
        "No panel was told to load a picture at this address; it is valid until the panel's next answer."
    )

    static let noStore = [WebHeader("Cache-Control", "no-store")]

    private static func response(_ png: SharedBytes) -> WebResponse {
        WebResponse(headers: noStore + [WebHeader("Content-Type", RenderFormat.png.mediaType)], content: .shared(png))
    }

    // MARK: Addresses

    /// The maximum number of characters of a host with its port.
    private static let maximumHostCharacters = 255

    /// Returns the beginning of all addresses, as the client has used it.
    private func base(of request: WebRequest) throws(Problem) -> String {
        let host = gateway.access.host(of: request)
        let isPlain = host.utf8.allSatisfy { $0.isLetter || $0.isDigit || ".:-_[]".utf8.contains($0) }
        guard (1...Self.maximumHostCharacters).contains(host.utf8.count), isPlain else {
            throw Problem(400, "bad-host", "The host is invalid.", "The header 'Host' must be a name or an address.")
        }
        let scheme = gateway.access.isSecure(request) ? "https" : "http"
        return "\(scheme)://\(host)\(gateway.access.basePath)"
    }
}

extension WebResponse {
    /// Returns the answer to a panel; the firmware reads JSON whatever its type is.
    fileprivate static func panel(_ document: some Encodable) throws(Problem) -> WebResponse {
        var response = try json(document)
        response.headers = PanelRoutes.noStore + [WebHeader("Content-Type", "application/json")]
        return response
    }
}

extension PanelRoutes {
    /// Creates the routes of a gateway with its boards.
    init(gateway: GatewayParts, boards: BoardRoutes) {
        let sources = PanelPictures.Sources(
            board: { await boards.png(of: $0) },
            last: { boards.lastPNG(of: $0) },
            draw: { request throws(Problem) in try await boards.paint(request) }
        )
        self.init(
            gateway: gateway,
            pictures: PanelPictures(sources, live: gateway.live, metrics: gateway.metrics),
            changes: { boards.changesForPanel(of: $0) }
        )
    }
}
