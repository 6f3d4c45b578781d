// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import MessageBus
import TestSupport
import Testing
import WidgetSchema

@Suite(.timeLimit(.minutes(3)))
struct SlowReaderTests {
    private static let queue: Int32 = 100
    private static let batch = 50
    private static let batches = 200
    private static let bytes = 8 * 1024

    private static let topic = Topic("update/newData/blog/")

    /// A subscriber without a thread: it reads only when the test says so.
    private struct Sleeper: ~Copyable {
        private let socket: ZeroMQSocket
        private var frames: FrameBuffer
        private var poll: PollSet

        init() throws {
            var settings = SocketSettings()
            settings.sendLimit = 0
            settings.receiveLimit = SlowReaderTests.queue
            socket = try ZeroMQSocket(.sub, in: try ZeroMQContext(), settings: settings)
            frames = FrameBuffer()
            poll = PollSet()
            _ = poll.add(socket)
        }

        func connect(to address: BusAddress) throws {
            try socket.connect(to: address.subscribe)
            socket.subscribe(to: "update/")
            socket.subscribe(to: "~ready/sleeper/")
        }

        /// Returns the topic and the number of the next message; nil if none arrives within `milliseconds`.
        mutating func next(milliseconds: Int) throws -> (topic: String, number: Int?)? {
            if try !frames.receive(from: socket) {
                try poll.wait(milliseconds: milliseconds)
                guard try frames.receive(from: socket) else { return nil }
            }
            let topic = String(decoding: frames.data(0), as: UTF8.self)
            return (topic, frames.count > 1 ? SlowReaderTests.number(of: frames.data(1)) : nil)
        }
    }

    private static func frame(_ number: Int) -> Data { Data("\(number) ".utf8) + Data(count: bytes) }

    private static func number(of frame: Data) -> Int? {
        Int(String(decoding: frame.prefix { $0 != UInt8(ascii: " ") }, as: UTF8.self))
    }

    /// Sleeps until told otherwise, then reads all there is, then waits for something new.
    private static func doze(
        at address: BusAddress,
        publisher: BusClient,
        ready: Inbox<Bool>,
        alarm: Inbox<Int>
    ) throws {
        var sleeper = try Sleeper()
        try sleeper.connect(to: address)
        #expect(try sleeper.next(milliseconds: 20_000)?.topic == "~ready/sleeper/")
        ready.post(true)
        guard let fresh = alarm.nextBatch(maximum: 1, until: .now + .seconds(50)).first else {
            throw DidNotArrive("the alarm")
        }
        // What it finds is in order and far from all: the rest was not kept for it.
        var found: [Int] = []
        while let number = try sleeper.next(milliseconds: 300)?.number { found.append(number) }
        #expect(found == found.sorted())
        #expect(found.count >= Int(queue))
        #expect(found.count < fresh / 2)
        // Once there is room again, it gets what is new.
        var last = found.last ?? 0
        var next = fresh
        while last < fresh && next < fresh + 50 {
            publisher.publish(topic, [frame(next)])
            next += 1
            while let number = try sleeper.next(milliseconds: 300)?.number { last = number }
        }
        #expect(last >= fresh)
    }

    @Test func aReaderThatSleepsHoldsUpNobodyAndGoesOnLater() async throws {
        try await withBus(subscriberQueue: Self.queue) { address in
            try await withBusClient(BusConfiguration(address: address, publishes: true)) { publisher in
                try await publisher.waitUntilReady()
                let ready = Inbox<Bool>(maximumCount: 1, maximumBytes: 0)
                let alarm = Inbox<Int>(maximumCount: 1, maximumBytes: 0)
                async let sleeping: Void = onOwnThread {
                    defer { ready.finish() }
                    try Self.doze(at: address, publisher: publisher, ready: ready, alarm: alarm)
                }
                #expect(await ready.next() == true)
                try await withSubscription(to: ["update/"], at: address) { messages in
                    var awake = messages.makeAsyncIterator()
                    var next = 0
                    // In step with the reader that is awake, so that its own queue never fills.
                    for _ in 0..<Self.batches {
                        for number in next..<next + Self.batch { publisher.publish(Self.topic, [Self.frame(number)]) }
                        for _ in 0..<Self.batch {
                            guard case .message(let message) = await awake.next() else {
                                throw DidNotArrive("a message")
                            }
                            #expect(Self.number(of: message.frames[0]) == next)
                            next += 1
                        }
                    }
                    alarm.post(next)
                }
                try await sleeping
            }
        }
    }
}
