// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import MessageBus
import OriginSupport
import TestSupport
import Testing
import WidgetSchema

/// A subscriber that stops reading costs the bus its high-water mark, and nobody else anything.
@Suite(.serialized, .timeLimit(.minutes(3))) struct SlowSubscriberTests {
    private static let widgets = (0..<4).map { "w\($0)" }
    private static let messageBytes = 2 * 1024
    private static let batch = 500
    private static let batches = 80
    /// The number of bytes that libzmq uses for a message in addition to its content.
    private static let overhead = 512
    /// The number of bytes that the allocator and the buffers of the operating system may add.
    private static let slack = 16 * 1024 * 1024

    @Test func aSubscriberThatStopsReadingCostsTheHighWaterMarkAndCatchesUpByItself() async throws {
        try await withScriptedOrigin { origin in
            let sources = origin.serveChanging(Self.widgets)
            try await RunningSystem.with(sources) { system in
                let slow = try FollowingProcess(system.address)
                defer { slow.kill() }
                try await slow.read("all widgets") { seen in Self.widgets.allSatisfy { seen[$0] != nil } }
                try await IndependentReader.with(system.address) { quick in
                    try await quick.read("all widgets") { record in Self.widgets.allSatisfy { record.count($0) >= 2 } }
                    let before = try system.peakMemory(of: "bus")
                    // Whoever comes while everything runs asks for what there was.
                    let replays = quick.record.replays
                    slow.stopReading()
                    try await Self.flood(system.address, quick)
                    let growth = try system.peakMemory(of: "bus") - before
                    let most = Int(BusLimits.subscriberQueue) * (Self.messageBytes + Self.overhead) + Self.slack
                    #expect(growth < most, "the bus grew by \(growth) bytes")
                    // Without a mark it would have kept all of them.
                    #expect(most < Self.batches * Self.batch * Self.messageBytes)
                    #expect(quick.record.faults == [])
                    #expect(quick.record.replays == replays)

                    slow.readAgain()
                    try await system.stop("fetcher")
                    let heads = try await system.heads()
                    try await quick.read("the last cycles") { $0.last == heads }
                    try await slow.read("the last cycles") { $0 == heads }
                    #expect(slow.faults == [])
                }
            }
        }
    }

    /// Publishes more than the bus keeps for one subscriber, in step with the one that reads.
    ///
    /// The messages are heads without widgets: everyone who follows the rules gets them, and nothing follows from them.
    private static func flood(_ address: BusAddress, _ quick: IndependentReader) async throws {
        let padding = String(repeating: "x", count: messageBytes)
        let message = Data(#"{"data":{"heads":{}},"padding":"\#(padding)"}"#.utf8)
        try await withBusClient(BusConfiguration(address: address, publishes: true)) { publisher in
            try await publisher.waitUntilReady()
            for _ in 0..<batches {
                let count = quick.record.emptyHeads + batch
                for _ in 0..<batch { publisher.publish(Topic("heads/notifier/"), [message]) }
                try await quick.read("\(count) messages") { $0.emptyHeads >= count }
            }
        }
    }
}
