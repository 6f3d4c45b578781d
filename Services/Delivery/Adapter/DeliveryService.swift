// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Configuration
import Foundation
import HTTPTransport
import MessageBus
import ServiceEngine
import ServiceRuntime
import Storage
import WidgetSchema

/// The service: follows the updates on the bus, and sends them to the destinations of the configuration.
struct DeliveryService: Service {
    let context: ServiceContext

    func run() async throws {
        let standby = try StandbySettings(context.options, environment: ProcessInfo.processInfo.environment)
        context.configurationDigest.set(context.settings.digest)
        try await Self.withClients { http, apple in
            try await EngineService(
                context,
                subscriptions: DeliveryAdapter.subscriptions,
                publishes: false,
                standby: standby
            ) { client in
                context.reload.onReload { client.post(DeliveryAdapter.Reload()) }
                if let file = context.settings.file {
                    context.watchFile(file) { context.reload.reload() }
                    context.watchWidgets(beside: file) { context.reload.reload() }
                }
                let location = StoreLocation(context.settings.store)
                let watch = OwnerWatch(location, service: context.service.rawValue, lease: standby.lease)
                defer { watch.close() }
                let store = try StandbyWait(context, client, standby, needsSecrets: .ofDestinations).open(
                    isFree: watch.isStoreFree
                ) {
                    try DeliveryStore(location, opening: watch.opening(waits: standby.waits), log: context.log)
                }
                // The configuration may have changed while the standby waited.
                let current = standby.waits ? context.reloaded(needsSecrets: .ofDestinations) : context
                context.configurationDigest.set(current.settings.digest)
                let tools = SenderTools(
                    http: http,
                    apple: apple,
                    pictures: BusPictures(client),
                    programs: WorkerPool(
                        named: "program",
                        WorkerPool<Void>.Options(threads: SenderTools.maximumPrograms)
                    ) {}
                )
                return EngineParts(
                    adapter: DeliveryAdapter(
                        current,
                        client: client,
                        pusher: DevicePusher(tools) { store.pushKey },
                        isSubscribed: standby.waits
                    ),
                    store: store,
                    pool: NoWorkers()
                )
            }.run()
        }
    }

    private static let agent = "Tidings/\(TidingsVersion.current)"

    /// The client for all destinations: with at least as many connections as attempts, so that no attempt waits for one
    /// within its time.
    static let client = HTTPClientConfiguration(
        userAgent: agent,
        maximumConnections: 2 * DeliveryLimits().attempts
    )

    /// Runs `body` with the client for all destinations, and with that for Apple's push service.
    static func withClients<Value>(_ body: (HTTPClient, HTTPClient) async throws -> Value) async rethrows -> Value {
        let apple = HTTPClientConfiguration(userAgent: agent, maximumConnectionsPerServer: APNsService.connections)
        return try await withHTTPClient(configuration: client) { all in
            try await withHTTPClient(configuration: apple) { apple in try await body(all, apple) }
        }
    }
}
