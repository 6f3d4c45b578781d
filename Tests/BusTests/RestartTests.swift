// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import MessageBus
import TestSupport
import Testing
import WidgetSchema

/// The executable `bus`, killed and started again at the same endpoints.
@Suite(.timeLimit(.minutes(2)))
struct RestartTests {
    private static let address = "tcp://\(LoopbackAddress.text):0"

    private static func configuration(_ address: BusAddress) -> BusConfiguration {
        var configuration = BusConfiguration(address: address)
        configuration.maximumReconnectInterval = .milliseconds(200)
        configuration.heartbeatInterval = .milliseconds(200)
        return configuration
    }

    @Test func messagesFlowAgainAfterTheBusWasKilled() async throws {
        let first = try SpawnedService("bus", environment: ["TIDINGS_BUS": Self.address])
        let address = try BusAddress(spawned: try await first.readiness())
        var subscribing = Self.configuration(address)
        subscribing.subscriptions = ["update/"]
        var publishing = Self.configuration(address)
        publishing.publishes = true
        try await withBusClient(subscribing) { subscriber in
            try await withBusClient(publishing) { publisher in
                try await subscriber.waitUntilReady()
                try await publisher.waitUntilReady()
                for round in 1...3 {
                    let bus = round == 1 ? first : nil
                    try await Self.restart(bus, address) {
                        try await subscriber.first("a new subscription") {
                            if case .resubscribed = $0 { () } else { nil }
                        }
                        try await publisher.waitUntilPublisherConnected(again: true)
                        let topic = Topic("update/newData/round-\(round)/")
                        publisher.publish(topic, [Data("{}".utf8)])
                        let arrived = try await subscriber.first("a message after the restart") {
                            if case .message(let topic, _) = $0 { topic } else { nil }
                        }
                        #expect(arrived == topic)
                    }
                }
            }
        }
    }

    /// Kills `bus`, runs a new bus at its address while `body` runs, and then kills the new one.
    private static func restart(
        _ bus: SpawnedService?,
        _ address: BusAddress,
        _ body: () async throws -> Void
    ) async throws {
        if let bus {
            bus.signal(SIGKILL)
            #expect(try await bus.exitStatus() == -SIGKILL)
        }
        let next = try SpawnedService("bus", environment: ["TIDINGS_BUS": address.description])
        #expect(try BusAddress(spawned: try await next.readiness()) == address)
        try await body()
        next.signal(SIGKILL)
        #expect(try await next.exitStatus() == -SIGKILL)
    }

    @Test func requestsOutstandingAreAnsweredAfterARestart() async throws {
        let first = try SpawnedService("bus", environment: ["TIDINGS_BUS": Self.address])
        let address = try BusAddress(spawned: try await first.readiness())
        var serving = Self.configuration(address)
        serving.registration = try .of(.notifier, "one")
        try await withBusClient(serving) { service in
            try await service.waitUntilReady()
            try await withBusClient(Self.configuration(address)) { requester in
                let body = ReplayRequest<Update>(from: [:])
                let ids = (0..<20).map { _ in requester.request(RequestTarget(.notifier), body, deadline: .seconds(40))
                }
                // They have reached the service, and are not answered when the bus dies.
                var seen: Set<RequestID> = []
                while seen.count < ids.count { seen.insert(try await service.nextRequest().id) }
                try await Self.restart(first, address) {
                    var answered: Set<RequestID> = []
                    while answered.count < ids.count {
                        let request = try await service.nextRequest()
                        service.reply(to: request, json: Data(#"{"result":{}}"#.utf8))
                        answered.insert(request.id)
                    }
                    var open = Set(ids)
                    while !open.isEmpty {
                        let id = try await requester.first("an answer") { input -> RequestID? in
                            if case .requestFailed(_, let error) = input { throw error }
                            return if case .answer(let id, _, _) = input { id } else { nil }
                        }
                        open.remove(id)
                    }
                    #expect(answered == Set(ids))
                }
            }
        }
    }

    @Test(arguments: [SIGTERM, SIGINT])
    func itStopsInOrderOnASignal(signal: Int32) async throws {
        let bus = try SpawnedService("bus", environment: ["TIDINGS_BUS": "tcp://127.0.0.1:0"])
        _ = try await bus.readiness()
        bus.signal(signal)
        #expect(try await bus.exitStatus() == 0)
    }

    @Test func itStopsWhenItsParentEnds() async throws {
        let bus = try SpawnedService("bus", environment: ["TIDINGS_BUS": "tcp://127.0.0.1:0"])
        _ = try await bus.readiness()
        try bus.closeInput()
        #expect(try await bus.exitStatus() == 0)
    }
}
