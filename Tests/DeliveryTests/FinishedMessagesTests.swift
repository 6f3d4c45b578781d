// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Testing
import WidgetSchema

@testable import Delivery

/// Tests of the remembered messages of a lane.
@Suite struct FinishedMessagesTests {
    private func message(_ number: UInt64, rejection: String? = nil) -> FinishedMessage {
        let (first, last) = (SequenceNumber(number), SequenceNumber(number + 1))
        let content = MessageContent(first: first, last: last, changed: [], isHigh: false, digests: [:], json: Data())
        var message = FinishedMessage(content, at: at(Int64(number)), attempts: 3)
        message.rejection = rejection
        message.isSpent = number % 2 == 0
        return message
    }

    @Test func theLastMessagesAreRememberedWithAllThatWasKnown() throws {
        var messages = FinishedMessages()
        for number in 1...5 as ClosedRange<UInt64> { messages.append(message(10 * number), limit: 3) }
        let rejected = message(60, rejection: "400 \"no\" \\ it is not\na widget")
        messages.append(rejected, limit: 3)
        let stored = try WireJSON.decode(FinishedMessages.self, from: try WireJSON.encode([messages][0]))
        #expect(stored == messages)
        #expect(stored.last { $0.covers(41) } == message(40))
        #expect(stored.last { $0.covers(30) } == nil)
        var shown = rejected
        shown.rejection = "400 \"no\" \\ it is not a widget"
        #expect(stored.last { _ in true } == shown)
    }

    @Test func aLaneOfAnEarlierVersionIsReadWithoutItsMessages() throws {
        let json = """
            {"done":"00000000000000000005","history":[{"at":"2026-11-21T08:05:00.000Z","attempts":1,\
            "first":"00000000000000000005","isSpent":false,"last":"00000000000000000005"}],"ledger":{"times":[]},\
            "pauseMilliseconds":0,"wanted":"00000000000000000006"}
            """
        let record = try WireJSON.decode(LaneRecord.self, from: Data(json.utf8))
        #expect(record.wanted == SequenceNumber(6))
        #expect(record.history == FinishedMessages())
    }
}
