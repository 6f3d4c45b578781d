// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import MessageBus
import TestSupport
import Testing
import WidgetSchema

@testable import Bus

@Suite(.timeLimit(.minutes(3)))
struct BusServerTests {
    private static func configuration(_ text: String) throws -> BusServerConfiguration {
        testBusConfiguration(try BusAddress(text))
    }

    @Test(arguments: ["tcp://*:0", "tcp://0.0.0.0:0", "tcp://[::]:0", "tcp://127.0.0.1:1,tcp://127.0.0.1:2,tcp://*:3"])
    func withoutKeysOnlyLoopbackIsListenedTo(address: String) async throws {
        let error = await #expect(throws: BusError.self) { try await BusServer.start(Self.configuration(address)) }
        #expect(error?.description.contains("allowWithoutKeys") == true)
    }

    @Test func aPortInUseIsNamed() async throws {
        try await withBus { address in
            let error = await #expect(throws: BusError.self) {
                try await BusServer.start(Self.configuration(address.description))
            }
            #expect(error?.description.contains("\(address.request)") == true)
            #expect(error?.description.contains("in use") == true)
        }
    }

    @Test func aFolderBelongsToOneBus() async throws {
        try await withTemporaryFolder { url in
            let folder = url.path() + "/bus"
            let first = try await BusServer.start(Self.configuration("ipc://\(folder)"))
            let error = await #expect(throws: BusError.self) {
                try await BusServer.start(Self.configuration("ipc://\(folder)"))
            }
            #expect(error?.description.contains(folder) == true)
            first.stop()
            try await first.ended()
            let second = try await BusServer.start(Self.configuration("ipc://\(folder)"))
            second.stop()
            try await second.ended()
        }
    }

    @Test func messagesPassThroughAFolder() async throws {
        try await withTemporaryFolder { url in
            let folder = url.path() + "/bus"
            try await withBus(try BusAddress("ipc://\(folder)")) { address in
                try await withSubscription(to: ["update/"], at: address) { messages in
                    try await withBusClient(BusConfiguration(address: address, publishes: true)) { publisher in
                        publisher.publish(Topic("update/newData/blog/"), [Data("{}".utf8)])
                        let message = try await messages.firstMessage()
                        #expect(message.frames == [Data("{}".utf8)])
                    }
                }
            }
        }
    }

    @Test func messagesArriveInOrderWithAllTheirFrames() async throws {
        try await withBus { address in
            try await withSubscription(to: ["fetched/"], at: address) { messages in
                try await withBusClient(BusConfiguration(address: address, publishes: true)) { publisher in
                    let sizes = [0, 1, 33, 34, 8192, MessageLimits.maximumFrame]
                    let topic = Topic("fetched/0123456789abcdef/")
                    for index in 0..<600 {
                        // The large ones are few: they would fill the reader's limit of bytes.
                        let size = sizes[index % (index < 30 ? 6 : 5)]
                        let frames = [Data("\(index)".utf8), Data(repeating: UInt8(index % 256), count: size)]
                        publisher.publish(topic, frames)
                    }
                    var next = 0
                    for await case .message(let message) in messages {
                        #expect(message.frames.first == Data("\(next)".utf8))
                        let size = sizes[next % (next < 30 ? 6 : 5)]
                        #expect(message.frames.last == Data(repeating: UInt8(next % 256), count: size))
                        next += 1
                        if next == 600 { break }
                    }
                    #expect(next == 600)
                }
            }
        }
    }
}
