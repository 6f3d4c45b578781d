// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import EventStreams
import Testing
import WidgetSchema

@Suite struct StreamPositionTests {
    /// A consumer at 10 meets each way in which a range can lie.
    @Test(
        arguments: [
            (1, 10, .duplicate), (9, 9, .duplicate), (10, 10, .duplicate),
            (11, 11, .next),
            (11, 13, .overlap(11...13)), (9, 13, .overlap(11...13)), (1, 11, .overlap(11...11)),
            (12, 12, .gap(askFrom: 11)), (12, 40, .gap(askFrom: 11)), (.max, .max, .gap(askFrom: 11)),
        ] as [(UInt64, UInt64, Expected)]
    )
    func aRangeIsJudgedByThePositionAlone(first: UInt64, sequence: UInt64, expected: Expected) throws {
        var position = StreamPosition(10)
        let range = try range(first, sequence)
        let step = position.handle(range)
        #expect(step == (try expected.step()))
        #expect(position.last == (step.isHandled ? range.sequence : 10))
    }

    @Test func aNewConsumerAsksFromTheFirstCycle() throws {
        var position = StreamPosition()
        #expect(position.handle(try range(5, 5)) == .gap(askFrom: 1))
        #expect(position.handle(try range(1, 5)) == .overlap(try range(1, 5)))
        #expect(position.last == 5)
    }

    enum Expected: Sendable {
        case duplicate
        case next
        case overlap(ClosedRange<UInt64>)
        case gap(askFrom: SequenceNumber)

        func step() throws -> StreamStep {
            switch self {
            case .duplicate: .duplicate
            case .next: .next
            case .overlap(let cycles): .overlap(try range(cycles.lowerBound, cycles.upperBound))
            case .gap(let from): .gap(askFrom: from)
            }
        }
    }
}
