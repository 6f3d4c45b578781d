// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import MessageBus
import TestSupport
import Testing
import WidgetSchema

/// Clients of two buses, which are processes that are killed, frozen and replaced.
@Suite(.serialized, .timeLimit(.minutes(2))) struct TwoBusesTests {
    /// Two buses, and the addresses of both.
    private final class Pair {
        var buses: [SpawnedService]
        let addresses: BusAddresses
        private var replacements = 0

        init() async throws {
            buses = []
            for _ in 0..<2 {
                buses.append(try SpawnedService("bus", environment: ["TIDINGS_BUS": "tcp://\(LoopbackAddress.text):0"]))
            }
            var texts: [String] = []
            for bus in buses { texts.append(try BusAddress(spawned: try await bus.readiness()).description) }
            addresses = try BusAddresses(texts.joined(separator: ","))
        }

        func kill(_ number: Int) async throws {
            buses[number].signal(SIGKILL)
            #expect(try await buses[number].exitStatus() == -SIGKILL)
        }

        /// Starts a bus in the place of a killed one, and returns the name of the new instance.
        func replace(_ number: Int) async throws -> String {
            replacements += 1
            let name = "replacement-\(replacements)"
            let environment = ["TIDINGS_BUS": addresses.all[number].description, "TIDINGS_INSTANCE": name]
            buses[number] = try SpawnedService("bus", environment: environment)
            _ = try await buses[number].readiness()
            return name
        }

        func configuration() -> BusConfiguration {
            var configuration = BusConfiguration(addresses: addresses)
            configuration.maximumReconnectInterval = .milliseconds(200)
            configuration.heartbeatInterval = .milliseconds(200)
            return configuration
        }
    }

    /// Publishes numbered messages and reads them back.
    private struct Course {
        let publisher: BusClient
        let subscriber: BusClient
        var next = 0
        var received: [Int] = []

        mutating func publish(_ count: Int) {
            for number in next..<next + count {
                publisher.publish(Topic("update/newData/n\(number)/"), [Data("{}".utf8)])
            }
            next += count
        }

        /// Reads until all published messages are there.
        mutating func read() async throws {
            var missing = Set(0..<next).subtracting(received)
            while !missing.isEmpty {
                let number = try await subscriber.first("a message") { input -> Int? in
                    guard case .message(let topic, _) = input, topic.text.hasPrefix("update/") else { return nil }
                    return Int(topic.text.split(separator: "/")[2].dropFirst())
                }
                missing.remove(number)
                received.append(number)
            }
        }

        /// Waits until both clients are connected to a bus that was replaced.
        ///
        /// Only that bus sends its heartbeats.
        func reconnect(to instance: String) async throws {
            async let subscribed: Void = subscriber.first("a heartbeat of the new bus") { input -> Void? in
                guard case .message(let topic, _) = input else { return nil }
                return topic.text == "\(Topic.Prefix.health)bus/\(instance)/" ? () : nil
            }
            try await publisher.waitUntilPublisherConnected(again: true)
            try await subscribed
        }
    }

    private static let messages = 500

    @Test func allMessagesArriveOnceWhicheverBusIsKilledFrozenOrReplaced() async throws {
        let pair = try await Pair()
        var subscribing = pair.configuration()
        subscribing.subscriptions = ["update/", "\(Topic.Prefix.health)bus/"]
        var publishing = pair.configuration()
        publishing.publishes = true
        try await withBusClient(subscribing) { subscriber in
            try await withBusClient(publishing) { publisher in
                try await subscriber.waitUntilReady()
                try await publisher.waitUntilReady()
                var course = Course(publisher: publisher, subscriber: subscriber)
                for number in [0, 1] {
                    course.publish(Self.messages)
                    try await pair.kill(number)
                    course.publish(Self.messages)
                    try await course.read()
                    try await course.reconnect(to: pair.replace(number))
                    course.publish(Self.messages)
                    try await course.read()
                }
                for number in [0, 1] {
                    pair.buses[number].signal(SIGSTOP)
                    course.publish(Self.messages)
                    try await course.read()
                    // The copies that waited in the bus come now, behind the others.
                    pair.buses[number].signal(SIGCONT)
                    course.publish(Self.messages)
                    try await course.read()
                }
                // The last messages of both buses: nothing follows them.
                course.publish(1)
                try await course.read()
                #expect(course.received.sorted() == Array(0..<course.next))
            }
        }
        for number in [0, 1] { try await pair.kill(number) }
    }

    private static let widget = WidgetID(rawValue: "blog")

    /// Answers each request.
    private static func serve(_ service: BusClient) async throws {
        let widget = try #require(widget)
        for await input in service.inputs {
            guard case .request(let request) = input else { continue }
            service.reply(to: request, result: CycleAnswer(widget: widget, sequence: 1))
        }
    }

    /// Sends requests one after the other, and returns the time that the slowest took.
    private static func slowestAnswer(of count: Int, _ requester: BusClient) async throws -> Duration {
        let body = CommandRequest(client: "test", counter: 1, widget: try #require(widget), command: .refresh)
        var slowest = Duration.zero
        for _ in 0..<count {
            let begun = ContinuousClock.now
            _ = try await requester.ask(RequestTarget(.cache), body, deadline: .seconds(10))
            slowest = max(slowest, ContinuousClock.now - begun)
        }
        return slowest
    }

    @Test func requestsAreAnsweredWithinASecondWhileABusIsFrozenOrDead() async throws {
        let pair = try await Pair()
        var serving = pair.configuration()
        serving.registration = try .of(.cache, "one")
        try await withBusClient(serving) { service in
            try await service.waitUntilReady()
            let answering = Task { try await Self.serve(service) }
            defer { answering.cancel() }
            try await withBusClient(pair.configuration()) { requester in
                for number in [0, 1] {
                    _ = try await Self.slowestAnswer(of: 5, requester)
                    pair.buses[number].signal(SIGSTOP)
                    let frozen = try await Self.slowestAnswer(of: 20, requester)
                    #expect(frozen < .seconds(1), "bus \(number) is frozen")
                    pair.buses[number].signal(SIGCONT)
                }
                try await pair.kill(0)
                #expect(try await Self.slowestAnswer(of: 20, requester) < .seconds(1))
            }
        }
        try await pair.kill(1)
    }

    @Test func aBusThatIsGivenTwoAddressesSaysWhatToDo() async throws {
        let bus = try SpawnedService("bus", environment: ["TIDINGS_BUS": "tcp://127.0.0.1:0,tcp://127.0.0.2:0"])
        #expect(try await bus.exitStatus() != 0)
        #expect(try await bus.allEnded().contains("a bus listens at one address, but 2 are configured"))
    }
}
