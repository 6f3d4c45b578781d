// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import CommandOptions
import MessageBus
import ServiceEngine
import Telemetry
import TestSupport
import Testing
import WidgetSchema

@testable import Configuration
@testable import ServiceRuntime

/// Runs an `EngineService` with a bus of its own until `stop` ends it.
func runEngineService<Adapter, Store, Pool>(
    stop: StopSignal,
    makeParts: @escaping @Sendable (BusClient) throws -> EngineParts<Adapter, Store, Pool>
) async throws {
    let instance = try #require(InstanceName(rawValue: "engine"))
    try await withBus { address in
        var configuration = TidingsConfiguration(instance: instance)
        configuration.bus.address = address.description
        let context = ServiceContext(
            service: .cache,
            instance: instance,
            configuration: configuration,
            options: try ServiceMain.optionTable(.cache, summary: "").parse([]),
            log: .discarded,
            metrics: Metrics(),
            stop: stop
        )
        try await EngineService(context, subscriptions: [], makeParts: makeParts).run()
    }
}
