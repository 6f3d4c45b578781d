// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import MessageBus
import TestSupport
import Testing
import WidgetSchema

/// Whatever is sent to the bus, it goes on.
@Suite(.timeLimit(.minutes(3)))
struct HostileInputTests {
    private static let topic = Topic("update/newData/blog/")

    /// A publisher that checks nothing.
    private struct Careless: ~Copyable {
        private let socket: ZeroMQSocket
        private var frames: FrameBuffer
        private var poll: PollSet

        init(at address: BusAddress) throws {
            socket = try ZeroMQSocket(.xpub, in: try ZeroMQContext(), settings: SocketSettings())
            frames = FrameBuffer()
            poll = PollSet()
            _ = poll.add(socket)
            try socket.connect(to: address.publish)
            try waitUntilConnected()
        }

        /// Waits until the bus has subscribed, for the first time or after it closed the connection.
        mutating func waitUntilConnected() throws {
            if try frames.receive(from: socket) { return }
            try poll.wait(milliseconds: 20_000)
            guard try frames.receive(from: socket) else { throw DidNotArrive("the bus's subscription") }
        }

        func send(_ frames: [Data]) throws { _ = try socket.send(frames) }
    }

    @Test func whatMayNotBePublishedIsDroppedAndCounted() async throws {
        try await withBus { address in
            try await withSubscription(to: [""], at: address) { messages in
                try await onOwnThread {
                    let careless = try Careless(at: address)
                    let large = Data(count: MessageLimits.clientFrame + 1)
                    try careless.send([Data("update/newData/blog/".utf8)])
                    try careless.send(["update/newData/blog/", "{}", "{}"].map { Data($0.utf8) })
                    try careless.send(["health/cache/one/", "{}"].map { Data($0.utf8) })
                    try careless.send(["~ready/abc/"].map { Data($0.utf8) })
                    try careless.send([Data(), Data()])
                    try careless.send([Data([0xFF, 0xFE]), Data()])
                    try careless.send([Data("update/newData/blog/".utf8), large])
                    try careless.send((0..<1000).map { _ in Data("fetched/x/".utf8) })
                    try careless.send(["update/newData/last/", "{}"].map { Data($0.utf8) })
                }
                for await case .message(let message) in messages {
                    // The bus may speak of itself meanwhile.
                    if message.topic.text.hasPrefix(Topic.Prefix.health + "bus/") { continue }
                    #expect(message.topic.text == "update/newData/last/")
                    break
                }
                try await withBusClient(BusConfiguration(address: address)) { requester in
                    let counters = try await requester.busHealth().counters
                    #expect(counters["bus.forwarded"] == 1)
                    #expect(counters["bus.dropped.unknownTopic"] == 4)
                    #expect(counters["bus.dropped.wrongFrames"] == 3)
                    #expect(counters["limit.bus.frameBytes"] == 1)
                }
            }
        }
    }

    @Test func aFrameAboveTheLimitEndsOnlyItsConnection() async throws {
        try await withBus { address in
            try await withSubscription(to: ["update/"], at: address) { messages in
                try await onOwnThread {
                    var careless = try Careless(at: address)
                    let topic = Data(Self.topic.text.utf8)
                    try careless.send([topic, Data(count: MessageLimits.maximumFrame + 1)])
                    // The bus closes the connection; libzmq makes a new one.
                    try careless.waitUntilConnected()
                    try careless.send([topic, Data("{}".utf8)])
                }
                #expect(try await messages.firstMessage().frames == [Data("{}".utf8)])
            }
        }
    }

    @Test func aClientSendsNothingThatTheBusWouldRefuse() async throws {
        try await withBus { address in
            try await withBusClient(BusConfiguration(address: address, publishes: true)) { client in
                #expect(!client.publish(Self.topic, [Data(count: MessageLimits.clientFrame + 1)]))
                #expect(!client.publish(Topic("unknown/x/"), [Data()]))
                #expect(client.publish(Self.topic, [Data(count: MessageLimits.clientFrame)]))
                let text = String(repeating: "x", count: MessageLimits.maximumFrame)
                let error = await #expect(throws: RequestError.self) {
                    try await client.ask(RequestTarget(.cache), LongRequest(text: text), deadline: .seconds(20))
                }
                #expect(error?.code == .malformed)
            }
        }
    }

    private struct LongRequest: RequestBody {
        static let name = "long"
        typealias Result = Done
        var text: String
    }

    @Test func garbageOnTheWireDisturbsNobody() async throws {
        try await withBus { address in
            var clients: [RawClient] = []
            for endpoint in address.endpoints {
                for bytes in Self.garbage {
                    let client = try RawClient(port: endpoint.port)
                    clients.append(client)
                    // The bus may close at once; that it does not take them is no error here.
                    client.send(bytes)
                }
            }
            try await Self.expectAllWorks(address)
            withExtendedLifetime(clients) {}
        }
    }

    private static let garbage: [[UInt8]] = [
        Array("GET / HTTP/1.1\r\n\r\n".utf8), [0xFF] + Array(repeating: 0x7F, count: 100_000), [],
    ]

    private static func expectAllWorks(_ address: BusAddress) async throws {
        try await withSubscription(to: ["update/"], at: address) { messages in
            try await withBusClient(BusConfiguration(address: address, publishes: true)) { publisher in
                publisher.publish(topic, [Data("{}".utf8)])
                let message = try await messages.firstMessage()
                #expect(message.topic == topic)
                let health = try await publisher.busHealth()
                #expect(health.state == .ready)
            }
        }
    }
}
