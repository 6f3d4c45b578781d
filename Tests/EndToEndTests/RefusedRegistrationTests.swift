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
        let instance = try #require(InstanceName(rawValue: "occupant"))
        try await withBus(maximumInstances: 1) { address in
            let registration = BusConfiguration.Registration(
                service: .cache,
                instance: instance,
                version: "1",
                startedAt: Instant(milliseconds: 0)
            )
            let occupant = try BusClient(BusConfiguration(address: address, registration: registration))
            try await occupant.waitUntilReady()
            let environment = ["TIDINGS_BUS": address.description, "TIDINGS_GATEWAY": "127.0.0.1:0"]
            try await withSpawnedService(name.rawValue, environment: environment) { service in
                _ = try await service.errorLine(containing: "The bus rejects this instance")
                let topic = Topic.Prefix.health + name.rawValue + "/"
                let reader = try BusClient(BusConfiguration(address: address, subscriptions: [topic]))
                try await reader.waitUntilReady()
                await occupant.closed()
                let health = try await reader.first("the health of \(name)") { input in
                    guard case .message(_, let frames) = input else { return Health?.none }
                    return try WireJSON.decode(Event<Health>.self, from: frames.first ?? Data()).data
                }
                #expect(health.state != .gone)
                #expect(health.counters["bus.refusedRegistrations", default: 0] >= 1)
                await reader.closed()
            }
        }
    }
}
