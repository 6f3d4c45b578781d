// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import EventStreams
import Testing
import WidgetSchema

@testable import Gateway

@Suite struct EventRingTests {
    private func ring(_ count: UInt64, maximumCount: Int = 10, maximumBytes: Int = .max) throws -> EventRing {
        var ring = EventRing(maximumCount: maximumCount, maximumBytes: maximumBytes)
        for offset in 1...count {
            let update = try Samples.streamed(try Samples.event("blog", offset), offset: offset)
            ring.append(RingUpdate(update))
        }
        return ring
    }

    @Test func whatIsBehindAnOffsetIsGivenInOrder() throws {
        let ring = try ring(5)
        #expect(ring.after(offset: 2)?.map(\.offset) == [3, 4, 5])
        #expect(ring.after(offset: 0)?.count == 5)
        #expect(ring.after(offset: 5)?.isEmpty == true)
    }

    @Test func anOffsetThatIsNoLongerKeptOrNotYetReachedCannotBeResumed() throws {
        let ring = try ring(5000)
        #expect(ring.after(offset: 4990)?.count == 10)
        #expect(ring.after(offset: 4989) == nil)
        #expect(ring.after(offset: 5001) == nil)
    }

    @Test func bytesAreLimitedToo() throws {
        let bytes = try Samples.streamed(try Samples.event("blog", 100), offset: 100).json.count
        let ring = try ring(100, maximumCount: 1000, maximumBytes: 5 * bytes)
        #expect(ring.bytes <= 5 * bytes)
        #expect(ring.after(offset: 95)?.count == 5)
        #expect(ring.after(offset: 94) == nil)
    }

    @Test func numbersThatWereSkippedAreNotMissing() throws {
        var ring = EventRing(after: 10)
        for offset in [12, 17, 18] as [UInt64] {
            ring.append(RingUpdate(try Samples.streamed(try Samples.event("blog", offset), offset: offset)))
        }
        #expect(ring.after(offset: 10)?.map(\.offset) == [12, 17, 18])
        #expect(ring.after(offset: 13)?.map(\.offset) == [17, 18])
        #expect(ring.after(offset: 18)?.isEmpty == true)
        #expect(ring.after(offset: 9) == nil)
        #expect(ring.after(offset: 19) == nil)
    }

    @Test(
        arguments: [("00000000000000aa:7", 7), ("0123456789abcdef:18446744073709551615", .max)] as [(String, UInt64)]
    )
    func anIdIsReadAsItIsWritten(text: String, number: UInt64) {
        let id = StreamOffset(text)
        #expect(id?.number == number)
        #expect(id?.description == text)
    }

    @Test(arguments: [
        "", ":", "7", "00000000000000aa:", "00000000000000aa::1", "00000000000000aa:x", "0aa:1", "é:1", ":1",
    ])
    func aTextThatIsNoIdIsNotOne(text: String) { #expect(StreamOffset(text) == nil) }
}
