// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import MessageBus
import TestSupport
import Testing
import WidgetSchema

@Suite(.timeLimit(.minutes(1)))
struct RequestTests {
    @Test func anInstanceAnswersItsHealth() async throws {
        try await withBus { address in
            let service = try #require(InstanceName(rawValue: "one"))
            let registration = BusConfiguration.Registration(
                service: .cache,
                instance: service,
                version: "1",
                startedAt: Instant(milliseconds: 0)
            )
            try await withBusClient(BusConfiguration(address: address, registration: registration)) { _ in
                try await withBusClient(BusConfiguration(address: address)) { asker in
                    let answer = try await asker.ask(
                        RequestTarget(.cache),
                        HealthRequest(),
                        deadline: .seconds(20)
                    )
                    #expect(answer.result.instance == service)
                    #expect(answer.result.health.state == .starting)
                }
            }
        }
    }
}
