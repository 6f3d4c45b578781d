// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Locking
import MessageBus
import TestSupport
import Testing
import WidgetSchema

@testable import Delivery

/// The executable `delivery` with a real broker.
@Suite(.serialized, .timeLimit(.minutes(5))) struct HomeServiceTests {
    private static let topic = "tidings/home/widget/news"

    @Test func aBrokerGetsTheStateAgainAfterALossAndCommandsReachTheCache() async throws {
        try await withTemporaryFolder { folder in
            let broker = try await Mosquitto(in: folder)
            let tests = DeliveryServiceTests()
            try await tests.withDelivery { _ in
                """
                destinations:
                  home:
                    kind: mqtt
                    url: "mqtt://127.0.0.1:\(broker.port)"
                    user: \(Mosquitto.user)
                    password: \(Mosquitto.password)
                    allowPrivateNetworks: true
                    homeAssistant: true
                    picture: phone-classic
                widgets:
                  news: {kind: feed, source: push, name: News, displays: [phone-compact]}

                """
            } _: { notifier, _, environment, _ in
                let reader = try await broker.reader("tidings/home/#")
                let delivery = try SpawnedService("delivery", environment: environment)
                #expect(try await Self.headline(reader) == "before")
                try notifier.publish("news", "a")
                #expect(try await Self.headline(reader) == "a")
                let event = try await reader.next(on: Self.topic + "/event")
                #expect(event.text.contains(#""event_type":"newData""#))

                try await Self.command(broker, environment)

                try await broker.stop(SIGKILL)
                _ = try await delivery.errorLine(containing: "There is no connection to a broker.")
                try await broker.start()
                let later = try await broker.reader("tidings/home/#")
                #expect(try await Self.headline(later) == "a", "the broker had lost the state")
                try notifier.publish("news", "b")
                #expect(try await Self.headline(later) == "b")
                #expect(!delivery.standardError.contains(Mosquitto.password))
                try await tests.stop(delivery)
                #expect(try await later.next(on: "tidings/home/availability").text == "offline")
            }
        }
    }

    /// Publishes a command, and expects it at a cache.
    private static func command(_ broker: Mosquitto, _ environment: [String: String]) async throws {
        var configuration = BusConfiguration(address: try BusAddress(environment["TIDINGS_BUS"] ?? ""))
        configuration.registration = try .one(.cache)
        try await withBusClient(configuration) { client in
            try await client.waitUntilReady()
            try await broker.publish(topic + "/command", "refresh")
            for await input in client.inputs {
                guard case .request(let request) = input else { continue }
                let body = try request.decode(CommandRequest.self).body
                client.reply(to: request, result: CycleAnswer(widget: body.widget, sequence: 9))
                #expect(body.widget.rawValue == "news")
                #expect(body.command == .refresh)
                #expect(body.client.hasPrefix("delivery-"))
                break
            }
        }
    }

    /// Waits for the next state that a reader gets, and returns its headline.
    private static func headline(_ reader: MosquittoReader) async throws -> String {
        try WireJSON.decode(MQTTState.self, from: try await reader.next(on: topic + "/state").payload).headline
    }
}
