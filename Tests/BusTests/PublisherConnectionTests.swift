// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import MessageBus
import TestSupport
import Testing
import WidgetSchema

/// A client of two buses whose publisher is connected to a bus that its other sockets do not reach.
@Suite(.timeLimit(.minutes(2))) struct PublisherConnectionTests {
    /// The port for publishers of a bus, without the other ports; a thread of its own reads the messages.
    private final class PublisherPort: Sendable {
        /// The topics of the messages that have arrived.
        let topics = Inbox<String>(maximumCount: 1000, maximumBytes: .max)
        private let bound = Inbox<Endpoint>(maximumCount: 1, maximumBytes: .max)
        private let ended = Inbox<String?>(maximumCount: 1, maximumBytes: .max)
        private let stopFlag: EventFlag

        /// Starts to listen; if the port of `endpoint` is 0, the system chooses one.
        init(at endpoint: Endpoint) throws {
            stopFlag = try EventFlag()
            let thread = Thread { [stopFlag, topics, bound, ended] in
                do {
                    try Self.read(at: endpoint, until: stopFlag, bound, topics)
                    ended.post(nil)
                } catch {
                    ended.post("\(error)")
                }
            }
            thread.name = "publisher-port"
            thread.start()
        }

        private static func read(
            at endpoint: Endpoint,
            until stopFlag: EventFlag,
            _ bound: Inbox<Endpoint>,
            _ topics: Inbox<String>
        ) throws {
            let socket = try ZeroMQSocket(.xsub, in: try ZeroMQContext(), settings: SocketSettings())
            var poll = PollSet()
            let flagIndex = poll.add(stopFlag)
            _ = poll.add(socket)
            var frames = FrameBuffer()
            _ = try socket.send([BusFrames.subscribeToEverything])
            bound.post(try socket.bind(to: endpoint, maximumFrame: 1000))
            while !poll.canRead(flagIndex) {
                try poll.wait(milliseconds: 1000)
                while try frames.receive(from: socket) { topics.post(String(decoding: frames.data(0), as: UTF8.self)) }
            }
        }

        func endpoint() async throws -> Endpoint { try await PublisherConnectionTests.next(bound, "the endpoint") }

        func nextTopic() async throws -> String { try await PublisherConnectionTests.next(topics, "a message") }

        /// Ends the connections, and frees the port.
        func close() async throws {
            stopFlag.raise()
            #expect(try await PublisherConnectionTests.next(ended, "the end of the port") == nil)
        }
    }

    /// Listens at a port until a client connects, and ends the connection without a handshake.
    private static func acceptOnce(at port: UInt16) throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        defer { close(listener) }
        var reuse: Int32 = 1
        setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &reuse, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr(LoopbackAddress.text)
        address.sin_port = port.bigEndian
        let isListening = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(listener, address, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0 && listen(listener, 8) == 0
            }
        }
        var entry = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
        guard isListening, poll(&entry, 1, 20_000) == 1 else { throw DidNotArrive("a connection") }
        close(accept(listener, nil, nil))
    }

    private static func next<Element: Sendable>(_ inbox: Inbox<Element>, _ what: String) async throws -> Element {
        let found = try await onOwnThread { inbox.nextBatch(maximum: 1, until: .now + .seconds(20)).first }
        guard let found else { throw DidNotArrive(what) }
        return found
    }

    private static func topic(_ name: String) -> Topic { Topic("update/newData/\(name)/") }

    @Test func aBusGetsMessagesWhileItsPublisherPortIsConnectedAndNoneOfThePause() async throws {
        try await withSpawnedBus { _, first in
            let port = try PublisherPort(at: .tcp(host: LoopbackAddress.text, port: 0))
            let endpoint = try await port.endpoint()
            guard case .tcp(_, let number) = endpoint else { throw DidNotArrive("a port") }
            // Nobody listens at the ports for subscribers and requests.
            let second = "\(endpoint),tcp://127.0.0.1:1,tcp://127.0.0.1:2"
            var configuration = BusConfiguration(addresses: try BusAddresses("\(first),\(second)"))
            configuration.publishes = true
            configuration.maximumReconnectInterval = .milliseconds(200)
            configuration.otherBusTimeout = .milliseconds(100)
            configuration.registration = try .of(.notifier, "one")
            try await withBusClient(configuration) { client in
                // Ready at the first bus, and connected to the publisher ports of both.
                var missing = 3
                _ = try await client.first("both publisher ports") { input -> Bool? in
                    switch input {
                    case .ready, .publisherConnected: missing -= 1
                    default: break
                    }
                    return missing == 0 ? true : nil
                }
                client.publish(Self.topic("one"), [Data("{}".utf8)])
                #expect(try await port.nextTopic() == Self.topic("one").text)

                try await port.close()
                // libzmq connects again only after it has reported that the connection was lost.
                try await onOwnThread { try Self.acceptOnce(at: number) }
                client.publish(Self.topic("pause"), [Data("{}".utf8)])
                let replacement = try PublisherPort(at: endpoint)
                try await client.waitUntilPublisherConnected(again: true)
                client.publish(Self.topic("two"), [Data("{}".utf8)])
                #expect(try await replacement.nextTopic() == Self.topic("two").text)
                try await replacement.close()
            }
        }
    }
}
