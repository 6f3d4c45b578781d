// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import MessageBus
import Telemetry
import TestSupport
import Testing
import WidgetSchema

@testable import ServiceRuntime

/// Instances that the bus does not register.
@Suite(.timeLimit(.minutes(1))) struct RegistrationWatchTests {
    private static let message = "The bus rejects this instance; the registration is retried."

    private let log = InMemoryLog()
    private let metrics = Metrics()

    private var logged: Int { log.entries(saying: Self.message).count }
    private var counted: Int64 { metrics.counter("bus.refusedRegistrations").value }

    private func context(_ address: String) throws -> ServiceContext {
        try .test("one", bus: address, log: Logger(label: "cache", handler: log), metrics: metrics)
    }

    @Test func refusalsAreAllCountedAndLoggedOnceUntilTheClientIsReadyOrConnectsAgain() throws {
        var watch = RegistrationWatch(try context("tcp://127.0.0.1:0"))
        let refusal = BusInput.registrationRefused(RequestError(.refused, "At most 1 instances can be registered."))
        for (input, expected) in [
            (refusal, (1, 1)), (refusal, (2, 1)), (.publisherConnected(again: false), (2, 1)), (refusal, (3, 1)),
            (.publisherConnected(again: true), (3, 1)), (refusal, (4, 2)), (refusal, (5, 2)), (.ready, (5, 2)),
            (refusal, (6, 3)),
        ] as [(BusInput, (Int64, Int))] {
            watch.note(input)
            #expect((counted, logged) == expected)
        }
    }

    @Test func aStandbyThatIsRefusedWaitsOnAndTakesOver() async throws {
        try await withBus(maximumInstances: 1) { address in
            let active = try BusClient(BusConfiguration(address: address, registration: .one(.cache)))
            try await active.waitUntilReady()
            let context = try context(address.description)
            var configuration = BusConfiguration(
                address: address,
                registration: try .one(.cache, named: context.instance.rawValue)
            )
            // Several refusals come between two checks of the store.
            configuration.heartbeatInterval = .milliseconds(10)
            let client = try BusClient(configuration)
            let counter = metrics.counter("bus.refusedRegistrations")
            let store = try await ServiceThread.run(named: "standby") {
                try StandbyWait(context, client, StandbySettings(waits: true)).open(isFree: { counter.value >= 3 }) {
                    "the store"
                }
            }
            #expect(store == "the store")
            #expect(logged == 1)
            await client.closed()
            await active.closed()
        }
    }
}
