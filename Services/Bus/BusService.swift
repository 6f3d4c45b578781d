// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import MessageBus
internal import ServiceRuntime

/// Runs the bus for as long as its process does.
struct BusService: Service {
    let context: ServiceContext
    let configuration: BusServerConfiguration

    func run() async throws {
        let server = try await BusServer.start(configuration)
        context.announceReady([
            "publish": server.address.publish.description,
            "subscribe": server.address.subscribe.description,
            "request": server.address.request.description,
        ])
        context.stop.onStop { server.stop() }
        try await server.ended()
    }
}
