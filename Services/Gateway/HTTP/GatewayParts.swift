// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Configuration
import EventStreams
import Foundation
import MessageBus
import Telemetry
import WebServer
import WidgetSchema

/// The parts of one gateway, which its routes use.
struct GatewayParts: Sendable {
    /// The timeout for pictures, timelines and previews from the layout service.
    static let renderTimeout: Duration = .seconds(15)
    /// The timeout for all other requests to services.
    static let requestTimeout: Duration = .seconds(5)
    /// The timeout for a document that a fetcher reads, which may wait for others.
    static let readTimeout: Duration = .seconds(40)

    let client: BusClient
    let view: BusView
    let hub: EventHub
    let pictures: PictureCache
    let waiters: UpdateWaiters
    let commands: CommandSequencer
    let access: Access
    let live: LiveConfiguration
    let metrics: Metrics
    let log: Logger
    let startedAt: Instant
    let updateHistory: SharedUpdateHistory
    let pages: PageFiles
    var boardPictures = BoardPictureStore(nil)
    /// The panels that sleep between their requests.
    var panels = PanelService()
    /// Tells the cache when sleeping panels may wake.
    var shown = ShownSender()

    /// The configuration as it was last loaded.
    var configuration: TidingsConfiguration { live.configuration }

    /// The timeout for the cache's answer to a command or push.
    var commandTimeout: Duration { configuration.fetching.commandTimeout }

    /// The filter for layouts: it removes the links that clients must not follow.
    var links: LinkFilter { live.links }

    /// Returns the latest update of a widget; throws if there is none.
    func latest(_ widget: WidgetID) throws(Problem) -> StreamedUpdate {
        if let update = view[widget] { return update }
        guard view.isReady else { throw .starting("repeat the request") }
        if live.widget(widget) != nil {
            throw Problem(
                503,
                "no-cycle",
                "The widget has no cycle yet.",
                "'\(widget)' is configured, but has no update yet; repeat the request in a second.",
                headers: [WebHeader("Retry-After", "1")]
            )
        }
        throw .notFound("There is no widget '\(widget)'; \(access.basePath)/v1/widgets lists all widgets.")
    }

    /// Throws if the widget is unknown: neither configured nor known from an update.
    ///
    /// Does not throw for a configured widget that has no cycle yet.
    func require(_ widget: WidgetID) throws(Problem) {
        if view[widget] == nil, live.widget(widget) == nil { _ = try latest(widget) }
    }

    /// Sends a request to a service on the bus, or to one instance of it, and returns the result.
    func ask<Body: RequestBody>(
        _ service: ServiceName,
        instance: InstanceName? = nil,
        _ body: Body,
        timeout: Duration = requestTimeout
    ) async throws(Problem) -> (result: Body.Result, contents: [Data]) {
        let target = RequestTarget(service, instance: instance)
        do {
            return try await client.ask(target, body, deadline: timeout, waitsForService: false)
        } catch var error as RequestError {
            if service == .fetcher, error.code == .unavailable {
                error.message = "Documents are read by fetchers, and none is available. \(error.message)"
            }
            throw Problem(error)
        } catch is CancellationError {
            throw Problem(503, "stopping", "The gateway stops.", "Repeat the request in a second.")
        } catch {
            throw Problem(502, "bad-answer", "A service's answer cannot be read.", "\(service.rawValue): \(error)")
        }
    }

}

extension WebAnswer {
    /// Returns an answer whose response is created later: `body` runs in its own task and returns the response.
    ///
    /// If `body` throws a problem, the response contains this problem.
    static func async(_ call: Call, _ body: @escaping @Sendable () async throws(Problem) -> WebResponse) -> WebAnswer {
        .later {
            do throws(Problem) {
                return try await body()
            } catch {
                return error.response(instance: call.request.path)
            }
        }
    }
}

extension WebResponse {
    /// Returns a response with a JSON document.
    static func json(
        _ value: some Encodable,
        status: Int = 200,
        headers: [WebHeader] = []
    ) throws(Problem) -> WebResponse {
        do {
            let body = try WireJSON.encode(value)
            return WebResponse(
                status: status,
                headers: [WebHeader("Content-Type", "application/json"), WebHeader("Cache-Control", "no-cache")]
                    + headers,
                body: body
            )
        } catch {
            throw Problem(500, "cannot-encode", "The answer cannot be written.", "\(error)")
        }
    }
}
