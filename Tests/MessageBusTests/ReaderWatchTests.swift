// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Testing

@testable import MessageBus

@Suite struct ReaderWatchTests {
    private static let start = ContinuousClock.now

    /// Looks once a second, and returns after which look the reader hangs for the first time.
    private static func firstHang(_ readings: [(batches: UInt64, isWaiting: Bool)]) -> Int? {
        var watch = ReaderWatch(timeout: .seconds(3), interval: .seconds(1))
        for (second, reading) in readings.enumerated() {
            let reading = ReaderWatch.Reading(batches: reading.batches, isWaiting: reading.isWaiting)
            watch.look(reading, now: start + .seconds(second))
            if watch.isHanging { return second }
        }
        return nil
    }

    @Test func onlyAReaderThatHasBegunAndDoesNotComeBackHangs() {
        #expect(Self.firstHang(Array(repeating: (7, false), count: 10)) == 3, "after the timeout")
        #expect(Self.firstHang(Array(repeating: (7, true), count: 10)) == nil, "it waits")
        #expect(Self.firstHang((1...10).map { ($0, false) }) == nil, "it takes batch after batch")
        #expect(Self.firstHang(Array(repeating: (0, false), count: 10)) == nil, "it has not begun yet")
    }

    @Test func timeInWhichTheWholeProcessStoodStillDoesNotCount() {
        var watch = ReaderWatch(timeout: .seconds(3), interval: .seconds(1))
        let reading = ReaderWatch.Reading(batches: 7, isWaiting: false)
        watch.look(reading, now: Self.start)
        watch.look(reading, now: Self.start + .seconds(600))
        #expect(!watch.isHanging)
        #expect(watch.silence == .seconds(2))
    }

    @Test func aReaderThatComesBackHangsNoLonger() {
        var watch = ReaderWatch(timeout: .seconds(3), interval: .seconds(1))
        for second in 0...3 { watch.look(.init(batches: 7, isWaiting: false), now: Self.start + .seconds(second)) }
        #expect(watch.isHanging)
        watch.look(.init(batches: 8, isWaiting: false), now: Self.start + .seconds(4))
        #expect(!watch.isHanging)
    }
}
