// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import MessageBus
import TestSupport
import Testing
import WidgetSchema

@Suite(.timeLimit(.minutes(1)))
struct PublishSubscribeTests {
    @Test func messagesArriveInOrder() async throws {
        try await withBus { address in
            try await withBusClient(BusConfiguration(address: address, publishes: true)) { publisher in
                try await withSubscription(to: ["update/"], at: address) { messages in
                    for index in 0..<1000 {
                        publisher.publish(Topic("update/newData/blog/"), [Data("\(index)".utf8)])
                    }
                    var next = 0
                    for await case .message(let message) in messages {
                        #expect(message.frames == [Data("\(next)".utf8)])
                        next += 1
                        if next == 1000 { break }
                    }
                    #expect(next == 1000)
                }
            }
        }
    }
}
