// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Testing
import WidgetSchema

@testable import MessageBus

/// When commands wake the thread of a client.
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
}
