// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import AccessTokens
import Foundation
import WebServer
import WidgetSchema

/// The routes for health, readiness, the configuration, metrics and the OpenAPI description.
struct SystemRoutes: Sendable {
    let gateway: GatewayParts
    /// The OpenAPI description of all routes, as JSON.
    let description: SharedBytes

    var routes: [Route] {
        [
            Route(
                path: "/healthz",
                scope: nil,
                id: "isAlive",
                summary: "Reports whether the process is alive.",
                responses: [.ok("The process is alive.", "text/plain")],
                handle: { _ throws(Problem) in .now(WebResponse(headers: Self.noStore, text: "ok\n")) }
            ),
            Route(
                path: "/readyz",
                scope: nil,
                id: "isReady",
                summary: "Reports whether the state of all widgets is known.",
                responses: [
                    .ok("The state is known.", "text/plain"),
                    Operation.Response(
                        status: 503,
                        summary: "The state is not known yet.",
                        content: [("text/plain", nil)]
                    ),
                ],
                handle: { _ throws(Problem) in
                    let isReady = gateway.view.isReady
                    return .now(
                        WebResponse(
                            status: isReady ? 200 : 503,
                            headers: Self.noStore,
                            text: isReady ? "ready\n" : "the state of the widgets is not known yet\n"
                        )
                    )
                }
            ),
            Route(
                path: "/v1/health",
                id: "getHealth",
                summary: "The last heartbeat of each instance of each service.",
                responses: [.ok("All instances.", schema: "HealthReport")],
                handle: health
            ),
            Route(
                path: "/v1/configuration",
                scope: .admin,
                id: "getConfiguration",
                summary: "The displays and widgets of the configuration, without secrets.",
                responses: [.ok("The configuration.", schema: "ConfigurationDocument")],
                handle: { _ throws(Problem) in .now(try .json(ConfigurationDocument(gateway.live.configuration))) }
            ),
            Route(
                path: "/metrics",
                id: "getMetrics",
                summary: "The gateway's metrics, for Prometheus.",
                responses: [.ok("Metrics.", "text/plain")],
                handle: { _ throws(Problem) in .now(Self.metrics(MetricsPage.own(gateway))) }
            ),
            Route(
                path: "/metrics/system",
                id: "getSystemMetrics",
                summary: "The metrics in the last heartbeats of all instances, for Prometheus.",
                responses: [.ok("Metrics.", "text/plain")],
                handle: { _ throws(Problem) in .now(Self.metrics(MetricsPage.system(gateway))) }
            ),
            Route(
                path: "/v1/openapi.json",
                scope: nil,
                id: "getDescription",
                summary: "This description.",
                responses: [.ok("OpenAPI 3.1.", "application/json")],
                handle: { _ throws(Problem) in
                    let headers = [
                        WebHeader("Content-Type", "application/json"), WebHeader("Cache-Control", "no-cache"),
                    ]
                    return .now(WebResponse(headers: headers, content: .shared(description)))
                }
            ),
        ]
    }

    private static func metrics(_ text: String) -> WebResponse {
        let headers = noStore + [WebHeader("Content-Type", MetricsText.mediaType)]
        return WebResponse(headers: headers, body: Data(text.utf8))
    }

    private static let noStore = [WebHeader("Cache-Control", "no-store")]

    @Sendable private func health(_ call: Call) throws(Problem) -> WebAnswer {
        let instances = gateway.view.instances.sorted { $0.key < $1.key }.map { name, event in
            HealthReport.Instance(name: name, at: event.time, health: event.data)
        }
        return .now(try .json(HealthReport(instances: instances)))
    }
}

/// The last heartbeat of each instance of each service.
struct HealthReport: Codable, Hashable, Sendable {
    struct Instance: Codable, Hashable, Sendable {
        /// The names of the service and the instance, as `SERVICE/INSTANCE`.
        var name: String
        var at: String
        var health: Health
    }

    var instances: [Instance]
}
