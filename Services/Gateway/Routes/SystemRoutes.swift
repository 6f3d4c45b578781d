// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import AccessTokens
import Configuration
import Foundation
import WebServer
import WidgetSchema

/// The routes for health, readiness, the configuration, metrics and the OpenAPI description.
struct SystemRoutes: Sendable {
    let gateway: RouteContext
    /// The OpenAPI description of all routes, as JSON.
    let description: SharedBytes

    var routes: [Route] {
        [
            Route(
                method: .get,
                path: "/healthz",
                scope: nil,
                operation: Operation(
                    id: "isAlive",
                    summary: "Reports whether the process is alive.",
                    responses: [
                        Operation.Response(
                            status: 200,
                            summary: "The process is alive.",
                            content: [("text/plain", nil)]
                        )
                    ]
                ),
                handle: { _ throws(Problem) in .now(WebResponse(headers: Self.noStore, text: "ok\n")) }
            ),
            Route(
                method: .get,
                path: "/readyz",
                scope: nil,
                operation: Operation(
                    id: "isReady",
                    summary: "Reports whether the state of all widgets is known.",
                    responses: [
                        Operation.Response(status: 200, summary: "The state is known.", content: [("text/plain", nil)]),
                        Operation.Response(
                            status: 503,
                            summary: "The state is not known yet.",
                            content: [("text/plain", nil)]
                        ),
                    ]
                ),
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
                method: .get,
                path: "/v1/health",
                scope: .read,
                operation: Operation(
                    id: "getHealth",
                    summary: "The last heartbeat of each instance of each service.",
                    responses: [
                        Operation.Response(
                            status: 200,
                            summary: "All instances.",
                            content: [("application/json", "HealthReport")]
                        )
                    ]
                ),
                handle: health
            ),
            Route(
                method: .get,
                path: "/v1/configuration",
                scope: .admin,
                operation: Operation(
                    id: "getConfiguration",
                    summary: "The displays and widgets of the configuration, without secrets.",
                    responses: [
                        Operation.Response(
                            status: 200,
                            summary: "The configuration.",
                            content: [("application/json", "ConfigurationDocument")]
                        )
                    ]
                ),
                handle: { _ throws(Problem) in .now(try .json(ConfigurationDocument(gateway.live.configuration))) }
            ),
            Route(
                method: .get,
                path: "/metrics",
                scope: .read,
                operation: Operation(
                    id: "getMetrics",
                    summary: "The gateway's metrics, for Prometheus.",
                    responses: [Operation.Response(status: 200, summary: "Metrics.", content: [("text/plain", nil)])]
                ),
                handle: { _ throws(Problem) in .now(Self.metrics(MetricsPage.own(gateway))) }
            ),
            Route(
                method: .get,
                path: "/metrics/system",
                scope: .read,
                operation: Operation(
                    id: "getSystemMetrics",
                    summary: "The metrics in the last heartbeats of all instances, for Prometheus.",
                    responses: [Operation.Response(status: 200, summary: "Metrics.", content: [("text/plain", nil)])]
                ),
                handle: { _ throws(Problem) in .now(Self.metrics(MetricsPage.system(gateway))) }
            ),
            Route(
                method: .get,
                path: "/v1/openapi.json",
                scope: nil,
                operation: Operation(
                    id: "getDescription",
                    summary: "This description.",
                    responses: [
                        Operation.Response(status: 200, summary: "OpenAPI 3.1.", content: [("application/json", nil)])
                    ]
                ),
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
