// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import TestSupport
import Testing
import WidgetSchema

@testable import Gateway

/// Tests of the next wake of a panel.
@Suite struct PanelWakeTests {
    /// Thursday, 20 November 2025, 10:30 UTC.
    private static let now = Instant(milliseconds: 1_763_634_600_000)
    private static let minute = 60
    private static let hour = 3_600

    private static func after(_ seconds: Int) -> Instant { now.advanced(by: .seconds(seconds)) }

    /// Returns the end of the quiet hours, which are from 22:00 to 06:00 UTC.
    private static func quietAtNight(_ instant: Instant) -> Instant? {
        let hours = LocalDays.utc.millisecondsOfDay(at: instant) / 3_600_000
        guard hours >= 22 || hours < 6 else { return nil }
        let day = LocalDays.utc.date(at: instant).daysSince1970 + (hours >= 22 ? 1 : 0)
        return LocalDays.utc.instant(localMilliseconds: Int64(day) * 86_400_000 + 6 * 3_600_000)
    }

    private static func next(
        _ possible: [PanelWake.PossibleChange],
        certain: Instant? = nil,
        until: Instant? = nil,
        quiet: Bool = false,
        at now: Instant = now
    ) -> PanelWake.Sleep {
        var wake = PanelWake(interval: .seconds(15 * minute), quietEnd: { quiet ? quietAtNight($0) : nil })
        (wake.possibleChanges, wake.certainChange, wake.sleepUntil) = (possible, certain, until)
        return wake.next(at: now)
    }

    // MARK: The table of docs/panels.md

    @Test func withoutAnyKnowledgeTheIntervalCounts() {
        let sleep = Self.next([.anyTime, .attempt(Self.after(3 * Self.hour))])
        #expect(sleep.seconds == 900 && sleep.reason == .interval)
        #expect(sleep.wake == Self.after(900))
        #expect(sleep.earliest < sleep.wake)
    }

    @Test func aPossibleChangeLengthensASleepToJustAfterIt() {
        let sleep = Self.next([.attempt(Self.after(2 * Self.hour)), .attempt(Self.after(Self.hour)), .never])
        #expect(sleep.reason == .possibleChange)
        #expect(sleep.seconds >= Self.hour + 20 && sleep.seconds <= Self.hour + 5 * Self.minute)
        #expect(sleep.earliest >= Self.after(Self.hour - 20))
    }

    @Test func aPossibleChangeNeverShortensASleep() {
        let sleep = Self.next([.attempt(Self.after(Self.minute)), .attempt(Self.after(5 * Self.hour))])
        #expect(sleep.seconds == 900 && sleep.reason == .interval)
        // An attempt just before the wake may be still under way then.
        let close = Self.next([.attempt(Self.after(890))])
        #expect(close.seconds > 900 && close.reason == .possibleChange)
    }

    @Test func ifNothingIsExpectedTheSleepIsTheLongest() {
        #expect(Self.next([.never]).seconds == 6 * Self.hour)
        #expect(Self.next([]).reason == .maximumSleep)
        #expect(Self.next([.attempt(Self.after(20 * Self.hour))]).seconds == 6 * Self.hour)
    }

    @Test func aCertainChangePullsAWakeButNotBelowTheMinimum() {
        let sleep = Self.next([.never], certain: Self.after(2 * Self.hour))
        #expect(sleep.reason == .certainChange)
        #expect(sleep.seconds > 2 * Self.hour && sleep.seconds < 2 * Self.hour + 10 * Self.minute)
        #expect(Self.next([.anyTime], certain: Self.after(10)).seconds == 300)
    }

    @Test func aCertainChangeComesInPlaceOfAWake() {
        // Four intervals end just after it.
        let sleep = Self.next([.anyTime], certain: Self.after(Self.hour))
        #expect(sleep.seconds == 905 && sleep.reason == .interval)
        let last = Self.next([.anyTime], certain: Self.after(900))
        #expect(last.reason == .certainChange && last.seconds >= 920)
        // An interval is lengthened by a tenth at most.
        #expect(Self.next([.anyTime], certain: Self.after(1_500)).seconds == 900)
    }

    @Test(arguments: [-0.05, -0.02, 0, 0.013, 0.031, 0.05])
    func midnightsAddNoWakesToThoseOfATimer(rate: Double) {
        let day: Int64 = 86_400_000
        func wakes(_ seconds: (PanelClock, Instant) -> Int) -> Int {
            var (clock, now, count) = (PanelClock(), Self.now, 0)
            let end = now.advanced(byMilliseconds: 7 * day)
            while now < end {
                let asked = seconds(clock, now)
                let slept = Duration.seconds(10.5 + Double(asked) * (1 + rate))
                clock.take(asked: .seconds(asked), slept: slept)
                now = now.advanced(by: slept)
                count += 1
            }
            return count
        }
        let timer = wakes { _, _ in 900 }
        var seenMidnights = Set<Int64>()
        let ours = wakes { clock, now in
            var wake = PanelWake(interval: .seconds(900), clock: clock)
            wake.possibleChanges = [.anyTime]
            wake.certainChange = Instant(milliseconds: (now.milliseconds / day + 1) * day)
            if now.milliseconds % day < 300_000 { seenMidnights.insert(now.milliseconds / day) }
            return wake.next(at: now).seconds
        }
        #expect(ours <= timer && seenMidnights.count == 7, "\(ours) of \(timer)")
    }

    @Test func aCertainChangeThatHasPassedPullsNoWake() {
        // The picture cannot be drawn for it: then nothing is known, and the interval counts.
        for seconds in [60, 61, 3_600, 100_000] {
            for possible in [[], [PanelWake.PossibleChange.never], [.anyTime], [.attempt(Self.after(Self.hour))]] {
                let sleep = Self.next(possible, certain: Self.after(-seconds))
                #expect(sleep.seconds == 900 && sleep.reason == .interval, "\(seconds)")
            }
        }
        // One of the last minute may not be drawn yet.
        let sleep = Self.next([.never], certain: Self.after(-59))
        #expect(sleep.seconds == 300 && sleep.reason == .certainChange)
    }

    @Test func quietHoursAreSleptThrough() {
        let evening = Instant(milliseconds: Self.now.milliseconds + 11 * 3_600_000 + 25 * 60_000)  // 21:55
        let cases: [([PanelWake.PossibleChange], Instant?)] = [
            ([.anyTime], nil), ([.never], evening.advanced(by: .seconds(2 * Self.hour))),
        ]
        for (possible, certain) in cases {
            let sleep = Self.next(possible, certain: certain, quiet: true, at: evening)
            #expect(sleep.reason == .quietHours)
            #expect(sleep.seconds > 8 * Self.hour + 5 * Self.minute && sleep.seconds < 9 * Self.hour)
        }
        let night = evening.advanced(by: .seconds(5 * Self.hour))
        #expect(Self.next([.anyTime], quiet: true, at: night).reason == .quietHours)
    }

    @Test func aCertainChangeInQuietHoursLengthensNoInterval() {
        let evening = Self.after(10 * Self.hour)  // 20:30
        let midnight = evening.advanced(by: .seconds(3 * Self.hour + 30 * Self.minute))
        #expect(Self.next([.anyTime], certain: midnight, at: evening).seconds > 900)
        #expect(Self.next([.anyTime], certain: midnight, quiet: true, at: evening).seconds == 900)
    }

    @Test func aPanelThatWasToldToSleepWakesOnceADay() {
        let sleep = Self.next([.anyTime], certain: Self.after(600), until: Self.after(72 * Self.hour))
        #expect(sleep.seconds == 24 * Self.hour && sleep.reason == .sleepUntil)
        #expect(Self.next([.anyTime], until: Self.after(2 * Self.hour)).seconds == 2 * Self.hour)
        #expect(Self.next([.anyTime], until: Self.after(-1)).reason == .interval)
    }

    @Test func aSlowClockIsToldLessAndAFastOneMore() {
        for rate in [0.04, -0.04] {
            var clock = PanelClock()
            for _ in 0..<20 { clock.take(asked: .seconds(900), slept: .seconds(900 * (1 + rate))) }
            let wake = PanelWake(interval: .seconds(900), clock: clock)
            let sleep = wake.next(at: Self.now)
            #expect(rate > 0 ? sleep.seconds < 21_600 : sleep.seconds > 21_600)
            let slept = Double(sleep.seconds) * (1 + rate)
            #expect(abs(slept - sleep.wake.milliseconds(since: Self.now).seconds) < 900)
        }
    }

    // MARK: Properties

    @Test(arguments: 0..<20 as Range<UInt64>)
    func anySleepIsWithinItsBoundsAndForItsReason(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var clock = PanelClock()
        for _ in 0..<500 {
            let limits = PanelWake.Limits(
                minimumSleep: .seconds(Int.random(in: 5...600, using: &random)),
                maximumSleep: .seconds(Int.random(in: 600...40_000, using: &random))
            )
            let interval = Duration.seconds(Int.random(in: 1...50_000, using: &random))
            let now = Self.after(Int.random(in: 0...200_000, using: &random))
            let isQuiet = random.chance(30)
            var wake = PanelWake(
                interval: interval,
                limits: limits,
                clock: clock,
                quietEnd: { isQuiet ? Self.quietAtNight($0) : nil }
            )
            func soon() -> Instant { now.advanced(by: .seconds(Int.random(in: -100...60_000, using: &random))) }
            wake.certainChange = random.chance(50) ? soon() : nil
            wake.sleepUntil = random.chance(10) ? soon() : nil
            wake.possibleChanges = (0..<Int.random(in: 0...4, using: &random)).map { _ -> PanelWake.PossibleChange in
                random.chance(70) ? .attempt(soon()) : random.chance(50) ? .never : .anyTime
            }
            let sleep = wake.next(at: now)
            let told = Duration.seconds(sleep.seconds)
            #expect(told >= min(limits.minimumSleep, PanelWake.longestSleep) && told <= PanelWake.longestSleep)
            #expect(sleep.earliest <= sleep.wake && sleep.earliest >= now)
            #expect(sleep == wake.next(at: now))
            if !isQuiet { check(wake, sleep, now, clock, interval: max(interval, limits.minimumSleep)) }
            let error = Double.random(in: -0.05...0.05, using: &random)
            clock.take(asked: told, slept: .seconds(Double(sleep.seconds) * (1 + error) + 8))
        }
    }

    private func check(
        _ wake: PanelWake,
        _ sleep: PanelWake.Sleep,
        _ now: Instant,
        _ clock: PanelClock,
        interval: Duration
    ) {
        guard wake.sleepUntil.map({ $0 <= now }) ?? true else { return }
        // Possible changes never pull a wake: without a certain one, it is never before the interval.
        let slack = Duration.seconds(2)
        let slept = Duration.milliseconds(sleep.wake.milliseconds(since: now))
        if wake.certainChange == nil { #expect(slept >= min(interval, PanelWake.longestSleep) - slack) }
        if wake.possibleChanges.contains(.anyTime) {
            let asked = max(interval, .seconds(clock.seconds(for: interval)))
            let longest = max(interval, clock.expectedSleep(asked)) * 1.1
            #expect(slept <= longest + clock.uncertainty(of: longest) + slack)
        }
        if wake.certainChange == nil {
            #expect(.seconds(sleep.seconds) >= min(interval, PanelWake.longestSleep) - slack)
        }
        var without = wake
        without.possibleChanges = [.anyTime]
        #expect(without.next(at: now).seconds <= sleep.seconds)
        // A certain change lengthens an interval a little, and no other sleep.
        var uncertain = wake
        uncertain.certainChange = nil
        let usual = uncertain.next(at: now)
        #expect(sleep.seconds <= usual.seconds * 3 / 2 + 60)
    }
}

extension Int64 {
    /// The seconds of a number of milliseconds.
    fileprivate var seconds: Double { Double(self) / 1_000 }
}
