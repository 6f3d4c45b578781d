// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

package import MessageBus
package import ServiceRuntime
import WidgetSchema

/// The layout service of one process: a connection to the bus and one thread that draws.
package struct LayoutService: Service {
    private let context: ServiceContext
    private let bus: BusConfiguration

    package init(context: ServiceContext, address: BusAddress) {
        self.context = context
        var bus = BusConfiguration(
            address: address,
            registration: BusConfiguration.Registration(
                service: .layout,
                instance: context.instance,
                version: TidingsVersion.current,
                startedAt: .now
            ),
            subscriptions: [Topic.Prefix.refreshed],
            publishes: true
        )
        bus.metrics = context.metrics
        bus.log = context.log
        self.bus = bus
    }

    /// Returns soon after the process's stop; throws where the bus refuses this instance, or its thread failed.
    package func run() async throws {
        try await ServiceThread.run(named: "layout") { [context, bus] in
            let client = try BusClient(bus)
            defer { client.close() }
            let wake = context.stop.onStop { client.post(LayoutLoop.Wake()) }
            defer { wake.cancel() }
            var loop = LayoutLoop(client: client, context: context)
            try loop.run()
        }
    }
}
