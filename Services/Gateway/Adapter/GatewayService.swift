// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import AccessTokens
package import CommandOptions
import Configuration
import Foundation
import MessageBus
import ServiceEngine
package import ServiceRuntime
import Telemetry
import WebServer
import WidgetSchema

/// The gateway service: follows the updates on the bus and serves them over HTTP.
package struct GatewayService: Service {
    /// The maximum time for which a stopping gateway waits for running handlers.
    private static let handlerDrainTimeout = Duration.milliseconds(500)
    /// The maximum size of the request line and headers of a request, in bytes.
    private static let headerBytes = 16 * 1024
    /// The maximum size of a request's body, in bytes.
    ///
    /// The largest bodies are contents that clients push; each must fit into one frame of the bus.
    private static let bodyBytes = 1024 * 1024
    /// The maximum time until the headers of a request are received, and then again until its body is received.
    ///
    /// For the headers, the time starts when the connection opens or when the previous response ends. So this is also
    /// the maximum time for which a connection may be idle.
    private static let requestTimeout = Duration.seconds(20)

    /// The command-line options.
    ///
    /// In containers, all services share one configuration file. These options set values for one gateway only.
    package static let options = [
        Option("open-reads", help: "Allow reads without a token: everyone who can reach the port may read."),
        Option("host", value: "NAME", isRepeatable: true, help: "Accept requests with NAME in their Host header."),
        Option(
            "trusted-proxy",
            value: "RANGE",
            isRepeatable: true,
            help: "The address or range of a proxy whose Forwarded and X-Forwarded-… headers are trusted."
        ),
    ]

    private let context: ServiceContext
    private let settings: GatewaySettings

    package init(_ context: ServiceContext) throws {
        settings = try GatewaySettings(context.settings, context.options)
        self.context = context
    }

    /// Runs until the process stops; throws if the port is in use.
    package func run() async throws {
        Self.raiseDescriptorLimit()
        try await EngineService(context, subscriptions: GatewayAdapter.subscriptions, publishes: false) { client in
            EngineParts(adapter: try makeAdapter(client), store: NoStore(), pool: NoWorkers())
        }.run()
    }

    /// Starts the HTTP server and the threads of the gateway; the adapter stops them.
    private func makeAdapter(_ client: BusClient) throws -> GatewayAdapter {
        let configured = settings.gateway
        let startedAt = Instant.now
        let view = BusView()
        let live = LiveConfiguration(context.takeConfiguration())
        let hub = EventHub(
            limits: EventHub.Limits(configured),
            metrics: context.metrics,
            readBacklog: BacklogPage.pageRequester(client, timeout: GatewayParts.requestTimeout)
        )
        let access = Access(settings: configured, tokens: TokenFile(), metrics: context.metrics)
        let accessLog = AccessLog(isOn: configured.accessLog, log: context.log, metrics: context.metrics)
        let health = GatewayHealth(client)
        let panels = PanelService(
            folder: settings.panelFolder,
            panels: live.configuration.panels,
            log: context.log
        )
        // Reads the keys of the panels before the first request.
        _ = panels.report()
        let reload = GatewayReload(
            context,
            settings,
            GatewayReload.Parts(
                live: live,
                access: access,
                accessLog: accessLog,
                hub: hub,
                health: health,
                panels: panels
            )
        )
        reload.start()
        let gateway = GatewayParts(
            client: client,
            view: view,
            hub: hub,
            pictures: PictureCache(metrics: context.metrics),
            waiters: UpdateWaiters(view: view),
            commands: CommandSequencer(nonce: BusConfiguration.makeNonce()),
            access: access,
            live: live,
            metrics: context.metrics,
            log: context.log,
            startedAt: startedAt,
            updateHistory: SharedUpdateHistory(start: startedAt),
            pages: loadPages(),
            boardPictures: BoardPictureStore(settings.boardPictures),
            panels: panels
        )
        let router = Router(
            RouteTable.routes(gateway),
            access: access,
            isKnownPanel: { PanelHeaders($0).map(panels.isKnown) ?? false },
            metrics: context.metrics,
            log: accessLog
        )
        var limits = WebServerLimits()
        limits.maximumConnections = configured.maximumConnections
        limits.maximumConnectionsPerClient = configured.connectionsPerClient
        limits.maximumBodyBytes = Self.bodyBytes
        limits.maximumHeaderBytes = Self.headerBytes
        limits.requestTimeout = Self.requestTimeout
        limits.handlerDrainTimeout = Self.handlerDrainTimeout
        let server = try HTTPServer(
            host: configured.host,
            port: configured.port,
            limits: limits,
            responder: WebResponder(router.admit, refuse: router.refuse)
        )
        let host = configured.host.contains(":") ? "[\(configured.host)]" : configured.host
        let address = "http://\(host):\(server.port)\(configured.basePath)/"
        ServiceThread.start(named: "gateway-events") { hub.run() }
        return GatewayAdapter(context, gateway: gateway, server: server, health: health, address: address)
    }

    /// Loads the files of the Today page and the operations page.
    ///
    /// If the files cannot be read, the gateway serves everything except these pages.
    private func loadPages() -> PageFiles {
        let folder = PageFiles.besideExecutable()
        do {
            return try PageFiles(folder: folder)
        } catch {
            context.log.error(
                "The web pages cannot be read and are not served. Install Tidings again.",
                [.path: folder.path(percentEncoded: false)],
                error: error
            )
            return PageFiles()
        }
    }

    /// Raises the limit of open descriptors to the system's maximum, because each event stream needs one.
    private static func raiseDescriptorLimit() {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
}
