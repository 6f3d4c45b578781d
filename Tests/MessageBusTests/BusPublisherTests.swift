// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Glibc
import TestSupport
import Testing
import WidgetSchema

@testable import MessageBus

/// A publisher that is used by the thread that publishes, and by the one that waits for its descriptor.
@Suite(.timeLimit(.minutes(1))) struct BusPublisherTests {
    private static let topic = Topic("update/newData/blog/")

    private static func isReady(_ publisher: BusPublisher, within milliseconds: Int32) -> Bool {
        var entry = pollfd(fd: publisher.descriptor, events: Int16(POLLIN), revents: 0)
        return Glibc.poll(&entry, 1, milliseconds) == 1
    }

    private struct NotReady: Error {}

    /// The side of the bus; libzmq continues its work only while a function of its socket is called.
    private struct Bus: ~Copyable {
        let socket: ZeroMQSocket
        var frames = FrameBuffer()

        init(in context: ZeroMQContext) throws {
            socket = try ZeroMQSocket(.xsub, in: context, settings: SocketSettings())
        }

        func subscribe() throws { _ = try socket.send([BusFrames.subscribeToEverything]) }

        /// Throws `NotReady` if the publisher does not become ready within some 10 s.
        mutating func work(untilReady publisher: BusPublisher) throws {
            for _ in 0..<1000 {
                if BusPublisherTests.isReady(publisher, within: 10) { return }
                _ = try socket.receive(&frames)
            }
            throw NotReady()
        }
    }

    @Test func aSubscriptionWhoseSignalASendHasTakenIsReported() throws {
        let context = try ZeroMQContext()
        var bus = try Bus(in: context)
        try bus.subscribe()
        let endpoint = try bus.socket.bind(to: .tcp(host: "127.0.0.1", port: 0), maximumFrame: 1000)
        let socket = try ZeroMQSocket(.xpub, in: context, settings: SocketSettings())
        try socket.connect(to: endpoint)
        let address = try BusAddress("\(endpoint),tcp://127.0.0.1:1,tcp://127.0.0.1:2")
        let publisher = BusPublisher(0, BusConfiguration(address: address), socket)
        while try !publisher.readSubscriptions() { try bus.work(untilReady: publisher) }
        for _ in 0..<20 {
            try bus.subscribe()
            // libzmq signals other work, too: that the first message was read, for example. A signal of the subscription
            // that the publisher does not report does not come again.
            repeat {
                try bus.work(untilReady: publisher)
            } while try !publisher.publish(Self.topic, [Data("{}".utf8)])
        }
        publisher.close()
    }

    @Test func aClosedPublisherSendsNothing() throws {
        let socket = try ZeroMQSocket(.xpub, in: ZeroMQContext(), settings: SocketSettings())
        let address = try BusAddress("tcp://127.0.0.1:1,tcp://127.0.0.1:2,tcp://127.0.0.1:3")
        let publisher = BusPublisher(0, BusConfiguration(address: address), socket)
        publisher.close()
        let isSubscribed = try publisher.publish(Self.topic, [])
        #expect(!isSubscribed)
        let hasRead = try publisher.readSubscriptions()
        #expect(!hasRead)
    }
}
