// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Glibc
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

        init() throws {
            socket = try ZeroMQSocket(.xpub, in: try ZeroMQContext(), settings: SocketSettings())
            frames = FrameBuffer()
            poll = PollSet()
            _ = poll.add(socket)
        }

        func connect(to address: BusAddress) throws { try socket.connect(to: address.publish) }

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
                    var careless = try Careless()
                    try careless.connect(to: address)
                    try careless.waitUntilConnected()
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
                    let answer = try await requester.ask(RequestTarget(.bus), HealthRequest(), deadline: .seconds(20))
                    let counters = answer.result.health.counters
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
                    var careless = try Careless()
                    try careless.connect(to: address)
                    try careless.waitUntilConnected()
                    let topic = Data(Self.topic.text.utf8)
                    try careless.send([topic, Data(count: MessageLimits.maximumFrame + 1)])
                    // The bus closes the connection; libzmq makes a new one.
                    try careless.waitUntilConnected()
                    try careless.send([topic, Data("{}".utf8)])
                }
                for await case .message(let message) in messages {
                    #expect(message.frames == [Data("{}".utf8)])
                    return
                }
                Issue.record("the subscription ended")
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
            var descriptors: [Int32] = []
            defer { for descriptor in descriptors { close(descriptor) } }
            for endpoint in address.endpoints {
                for bytes in Self.garbage {
                    let descriptor = try Self.connect(to: endpoint)
                    descriptors.append(descriptor)
                    // The bus may close at once; that it does not take them is no error here.
                    _ = Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
                }
            }
            try await Self.expectAllWorks(address)
        }
    }

    private static let garbage: [[UInt8]] = [
        Array("GET / HTTP/1.1\r\n\r\n".utf8), [0xFF] + Array(repeating: 0x7F, count: 100_000), [],
    ]

    private static func connect(to endpoint: Endpoint) throws -> Int32 {
        guard case .tcp(_, let port) = endpoint else { throw DidNotArrive("a TCP endpoint") }
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr = in_addr(s_addr: UInt32(0x7F00_0001).bigEndian)
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard descriptor >= 0, result == 0 else { throw DidNotArrive("a connection: errno \(errno)") }
        return descriptor
    }

    @Test func malformedRequestsAreAnsweredOrDropped() async throws {
        try await withBus { address in
            let answered = try await onOwnThread {
                let socket = try ZeroMQSocket(.dealer, in: try ZeroMQContext(), settings: SocketSettings())
                var poll = PollSet()
                let index = poll.add(socket)
                poll.waitForRoom(index, true)
                try socket.connect(to: address.request)
                try poll.wait(milliseconds: 20_000)
                poll.waitForRoom(index, false)
                let requests: [[String]] = [
                    ["x"], ["cache", "id-1"], ["cache", "id 2", "{}"], ["nobody", "id-3", "{}"],
                    ["cache", "id-4", "{}", "x"],
                    ["~answer", "x", "id-5", "{}"], ["cache", "id-6", "not JSON"], ["bus", "id-7", "{}"],
                ]
                for request in requests { _ = try socket.send(request.map { Data($0.utf8) }) }
                var frames = FrameBuffer()
                var answered: [String] = []
                while answered.last != "id-7" {
                    try poll.wait(milliseconds: 20_000)
                    guard try frames.receive(from: socket) else { throw DidNotArrive("an answer") }
                    answered.append(String(decoding: frames.data(0), as: UTF8.self))
                    let answer = try WireJSON.decode(Answer<Done>.self, from: frames.data(1))
                    #expect(throws: RequestError.self) { try answer.get() }
                }
                return answered
            }
            #expect(answered == ["id-1", "id 2", "id-3", "id-4", "id-6", "id-7"])
            try await Self.expectAllWorks(address)
        }
    }

    private static func expectAllWorks(_ address: BusAddress) async throws {
        try await withSubscription(to: ["update/"], at: address) { messages in
            try await withBusClient(BusConfiguration(address: address, publishes: true)) { publisher in
                publisher.publish(topic, [Data("{}".utf8)])
                for await case .message(let message) in messages {
                    #expect(message.topic == topic)
                    break
                }
                let answer = try await publisher.ask(RequestTarget(.bus), HealthRequest(), deadline: .seconds(20))
                #expect(answer.result.service == .bus)
            }
        }
    }
}
