// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import TestSupport
import Testing
import WidgetSchema

@testable import MessageBus

/// Tests of the commands that wake the thread of a client.
@Suite struct OutboxTests {
    private typealias Exchange = ClientLoop.Exchange

    private var outbox = Exchange.Outbox()

    /// Adds commands and returns the indices of those that raise the flag.
    private mutating func add(_ count: Int) -> [Int] {
        (0..<count).filter { _ in outbox.add(.publish(Topic("update/newData/blog/"), [])) }
    }

    private mutating func setBatch(_ batch: Exchange.Batch) -> Bool {
        outbox.batch = batch
        return outbox.announce()
    }

    @Test mutating func withoutABatchEachCommandThatTheThreadHasNotBeenWokenForWakesIt() {
        #expect(add(3) == [0])
        #expect(outbox.take().count == 3)
        #expect(add(2) == [0])
        #expect(outbox.take().count == 2)
    }

    @Test mutating func aBatchWakesTheThreadForItsFirstCommandAndAtItsEnd() {
        #expect(!setBatch(.begun))
        #expect(add(2) == [0])
        #expect(outbox.take().count == 2)
        #expect(add(3) == [])
        let wakesAtTheEnd = setBatch(.none)
        #expect(wakesAtTheEnd)
        #expect(outbox.take().count == 3)
    }

    @Test mutating func aBatchWhoseCommandsWereAllTakenDoesNotWakeTheThreadAtItsEnd() {
        #expect(!setBatch(.begun))
        #expect(add(2) == [0])
        _ = outbox.take()
        #expect(!setBatch(.none))
    }

    @Test mutating func aLongBatchIsSentInParts() {
        #expect(!setBatch(.begun))
        #expect(add(1) == [0])
        _ = outbox.take()
        #expect(add(Exchange.largestBatch + 3) == [Exchange.largestBatch - 1])
    }

    @Test mutating func aStopWithinABatchWakesTheThread() {
        #expect(!setBatch(.begun))
        #expect(add(1) == [0])
        _ = outbox.take()
        #expect(add(1) == [])
        let wakes = outbox.add(.stop)
        #expect(wakes)
        #expect(outbox.isClosed)
        #expect(outbox.take().count == 2)
    }

    // MARK: Publishing

    /// Publishes a message; returns true if the calling thread sends it, and nil if the client is closed.
    private mutating func publishesDirectly() -> Bool? {
        switch outbox.publish(Topic("update/newData/blog/"), []) {
        case .refused: nil
        case .direct: true
        case .queued: false
        }
    }

    private func publisher() throws -> BusPublisher {
        let address = try BusAddress("tcp://127.0.0.1:1,tcp://127.0.0.1:2,tcp://127.0.0.1:3")
        let configuration = BusConfiguration(address: address)
        return BusPublisher(0, configuration, try ZeroMQSocket(.xpub, in: ZeroMQContext(), settings: SocketSettings()))
    }

    @Test mutating func aMessageIsSentByItsThreadUnlessEarlierOnesAreQueued() throws {
        let beforeThereAreSockets = publishesDirectly()
        #expect(beforeThereAreSockets == false)
        outbox.publishers = [try publisher()]
        let behindTheFirst = publishesDirectly()
        #expect(behindTheFirst == false)
        #expect(outbox.take().count == 2)
        let beforeTheyAreSent = publishesDirectly()
        #expect(beforeTheyAreSent == false)
        _ = outbox.take()
        outbox.queuedPublications -= 3
        let afterwards = publishesDirectly()
        #expect(afterwards == true)
        #expect(outbox.take().isEmpty)
    }

    @Test mutating func onlyTheFirstMessageOfABatchIsSentByItsThread() throws {
        outbox.publishers = [try publisher()]
        #expect(!setBatch(.begun))
        let first = publishesDirectly()
        #expect(first == true)
        let second = publishesDirectly()
        #expect(second == false)
        let wakesAtTheEnd = setBatch(.none)
        #expect(wakesAtTheEnd)
        #expect(outbox.take().count == 1)
    }

    @Test mutating func aClosedClientPublishesNothing() throws {
        outbox.publishers = [try publisher()]
        _ = outbox.add(.stop)
        let isDirect = publishesDirectly()
        #expect(isDirect == nil)
        #expect(outbox.take().count == 1)
    }
}
