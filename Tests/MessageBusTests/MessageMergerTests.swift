// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import MessageBus
import Testing

@Suite struct MessageMergerTests {
    private var merger = MessageMerger()
    private let start = ContinuousClock.now

    private mutating func take(_ hash: Int, from bus: Int, after seconds: Int = 0) -> Bool {
        merger.isNew(hash, from: bus, now: start + .seconds(seconds))
    }

    @Test mutating func theSecondCopyOfAMessageIsDropped() {
        #expect(take(1, from: 0))
        #expect(!take(1, from: 1))
        #expect(take(2, from: 1))
        #expect(!take(2, from: 0))
        #expect(merger.count == 0)
    }

    @Test mutating func aMessageThatIsSentTwiceIsDeliveredTwice() {
        #expect(take(1, from: 0))
        #expect(take(1, from: 0))
        #expect(!take(1, from: 1))
        #expect(!take(1, from: 1))
        #expect(take(1, from: 1))
    }

    @Test mutating func whatArrivesOnOneBusAloneIsDelivered() {
        for number in 0..<1000 { #expect(take(number, from: number % 2)) }
        #expect(merger.count == 1000)
    }

    @Test mutating func aCopyIsRecognisedWithinTheMemoryAndNotForever() {
        #expect(take(1, from: 0))
        #expect(!take(1, from: 1, after: 59))
        #expect(take(2, from: 0, after: 59))
        #expect(take(3, from: 0, after: 61))
        #expect(!take(2, from: 1, after: 100))
        #expect(take(4, from: 0, after: 300))
        #expect(take(3, from: 1, after: 300))
    }

    @Test mutating func theMemoryHasALimit() {
        for number in 0..<(3 * MessageMerger.maximumMessages) { _ = take(number, from: 0) }
        #expect(merger.count <= 2 * MessageMerger.maximumMessages)
        #expect(!take(3 * MessageMerger.maximumMessages - 1, from: 1))
    }

    @Test mutating func afterARotationASecondDeliveryStillCounts() {
        #expect(take(1, from: 0))
        #expect(take(1, from: 0, after: 61))
        #expect(!take(1, from: 1, after: 62))
        #expect(!take(1, from: 1, after: 62))
        #expect(take(1, from: 1, after: 62))
    }
}
