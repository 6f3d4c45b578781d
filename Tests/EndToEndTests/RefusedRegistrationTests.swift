// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import MessageBus
import TestSupport
import Testing
import WidgetSchema

/// Services at a bus that has no room for another instance.
@Suite(.timeLimit(.minutes(2))) struct RefusedRegistrationTests {
    @Test(arguments: [ServiceName.fetcher, .gateway])
    func aRefusedServiceRunsOnAndIsLiveWhenThereIsRoom(_ name: ServiceName) async throws {
        try await withBus(maximumInstances: 1) { address in
            let occupant = try BusClient(BusConfiguration(address: address, registration: .one(.cache)))
            try await occupant.waitUntilReady()
            let environment = ["TIDINGS_BUS": address.description, "TIDINGS_GATEWAY": "127.0.0.1:0"]
            try await withSpawnedService(name.rawValue, environment: environment) { service in
                _ = try await service.errorLine(containing: "The bus rejects this instance")
                let topic = Topic.Prefix.health + name.rawValue + "/"
                let reader = try BusClient(BusConfiguration(address: address, subscriptions: [topic]))
                try await reader.waitUntilReady()
                await occupant.closed()
                let health = try await reader.health("the health of \(name)") { health, _ in health }
                #expect(health.state != .gone)
                #expect(health.counters["bus.refusedRegistrations", default: 0] >= 1)
                await reader.closed()
            }
        }
    }
}
