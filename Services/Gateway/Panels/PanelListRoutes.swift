// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import AccessTokens
import ServiceRuntime
import Telemetry
import WebServer
import WidgetSchema

/// The routes with which people see the panels, and open the pairing window.
struct PanelListRoutes: Sendable {
    /// An order to open the pairing window.
    struct PairingOrder: Codable, Hashable, Sendable {
        /// The length of the window; absent for ten minutes.
        var minutes: Int?
        /// The id or the name of the only panel that may get a key; absent for all panels of the configuration without one.
        var panel: String?
    }

    private static let maximumBodyBytes = 4 * 1024

    let gateway: GatewayParts

    var routes: [Route] {
        [
            Route(
                path: "/v1/panels",
                id: "listPanels",
                summary: "The panels that sleep between their requests, and those that were refused.",
                responses: [.ok("The panels.", schema: "PanelReport")],
                handle: { call throws(Problem) in
                    .async(call) { () throws(Problem) in
                        guard let report = await gateway.panels.onQueue({ $0.report() }) else {
                            throw Problem(RequestError(.unavailable, "The store of the panels cannot be read."))
                        }
                        return try .json(report)
                    }
                }
            ),
            Route(
                path: "/v1/panels/{panel}.png",
                id: "getShownPicture",
                summary: "The picture that a panel was told to show last.",
                responses: [.ok("The picture.", "image/png"), .problem(404, "No panel with this id has a picture.")],
                handle: picture
            ),
            Route(
                path: "/v1/panels/pairing",
                method: .post,
                scope: .admin,
                id: "openPairing",
                summary: "Opens the pairing window, in which panels get keys.",
                body: ("application/json", "PairingOrder"),
                maximumBodyBytes: Self.maximumBodyBytes,
                responses: [
                    .ok("The panels.", schema: "PanelReport"), .problem(400, "The body is invalid."),
                    .problem(409, "The window cannot be opened."),
                ],
                handle: pair
            ),
        ]
    }

    @Sendable private func picture(_ call: Call) throws(Problem) -> WebAnswer {
        let text = call.parameters["panel"] ?? ""
        return .async(call) { () throws(Problem) in
            guard let id = PanelID(rawValue: text), let png = gateway.panels.shownPicture(of: id) else {
                throw Problem.notFound(
                    "No panel with the id '\(text.prefix(80))' has a picture; /v1/panels lists all panels."
                )
            }
            return WebResponse(
                headers: [
                    WebHeader("Content-Type", RenderFormat.png.mediaType), WebHeader("Cache-Control", "no-cache"),
                ],
                content: .shared(png)
            )
        }
    }

    @Sendable private func pair(_ call: Call) throws(Problem) -> WebAnswer {
        let order: PairingOrder = try call.body("{\"minutes\": 10, \"panel\": …}")
        let request = PanelsRequest(action: .pair, panel: order.panel, minutes: order.minutes)
        return .async(call) { () throws(Problem) in
            switch await gateway.panels.storedAnswer(.request(request)) {
            case .report(let report):
                gateway.log.notice("Opened the pairing window.", [.client: call.client])
                return try .json(report)
            case .refused(let error): throw Problem(error)
            default: throw Problem(RequestError(.failed, "The panels did not answer."))
            }
        }
    }
}
