// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import EventStreams
import Testing
import WidgetSchema

@Suite struct HeadsScheduleTests {
    private func schedule(_ count: Int, perMessage: Int) throws -> HeadsSchedule {
        var heads: [WidgetID: Head] = [:]
        for index in 0..<count { heads[try widget("w\(index)")] = Head(sequence: 1) }
        return HeadsSchedule(heads, headsPerMessage: perMessage)
    }

    @Test func headsGoOutOnceInASecond() throws {
        var schedule = try schedule(3, perMessage: 10)
        #expect(schedule.due(at: at(0)).map(\.count) == [3])
        #expect(schedule.nextDeadline == at(1000))
        #expect(schedule.due(at: at(999)).isEmpty)
        #expect(schedule.due(at: at(1000)).map(\.count) == [3])
    }

    @Test func aChangedHeadGoesOutWithTheNextMessage() throws {
        var schedule = try schedule(100, perMessage: 5)
        _ = schedule.due(at: at(0))
        let late = try widget("w99")
        schedule.set(Head(sequence: 2), of: late)
        let messages = schedule.due(at: at(1000))
        #expect(messages.flatMap(\.keys).contains(late))
        #expect(messages.compactMap { $0[late] } == [Head(sequence: 2)])
    }

    @Test func allHeadsGoOutInTurnWhileSomeChangeAlways() throws {
        var schedule = try schedule(100, perMessage: 10)
        let busy = try (0..<30).map { try widget("w\($0)") }
        var seen: Set<WidgetID> = []
        for second in 0..<10 as Range<Int64> {
            for widget in busy { schedule.set(Head(sequence: SequenceNumber(UInt64(second) + 2)), of: widget) }
            for message in schedule.due(at: at(second * 1000)) {
                #expect(message.count <= 10)
                seen.formUnion(message.keys)
            }
        }
        #expect(seen.count == 100)
    }

    @Test func allHeadsGoOutAtOnceWhereMessagesMayBeLost() throws {
        var schedule = try schedule(100, perMessage: 10)
        _ = schedule.due(at: at(0))
        schedule.announceAll()
        let messages = schedule.due(at: at(1000))
        #expect(Set(messages.flatMap(\.keys)).count == 100)
    }

    @Test func noWidgetsNoMessages() {
        var schedule = HeadsSchedule()
        #expect(schedule.due(at: at(0)).isEmpty)
        #expect(schedule.nextDeadline == at(1000))
    }

    @Test func theLargestMessageFitsAClientsFrame() throws {
        var heads: [WidgetID: Head] = [:]
        for index in 0..<(2 * HeadsSchedule.defaultHeadsPerMessage) {
            let name = String(repeating: "w", count: 57) + String(100_000 + index)
            heads[try widget(name)] = Head(sequence: SequenceNumber(.max), lastNewData: SequenceNumber(.max))
        }
        var schedule = HeadsSchedule(heads)
        let messages = schedule.due(at: at(0))
        let message = try #require(messages.first)
        #expect(message.count == HeadsSchedule.defaultHeadsPerMessage)
        let event = Event(
            Topic.heads(of: .notifier),
            subject: nil,
            nonce: String(repeating: "n", count: Topic.maximumNonceLength),
            counter: .max,
            time: at(0),
            data: NotifierHeads(heads: message)
        )
        #expect(try WireJSON.encode(event).count < MessageLimits.clientFrame)
    }
}
