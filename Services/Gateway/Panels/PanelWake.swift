// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// The rule for the next wake of a sleeping panel: a pure function of what is known when the panel asks.
///
/// Certain changes may pull a wake earlier, but not below ``Limits/minimumSleep``. Possible changes only lengthen a sleep.
/// Marks of stale content do neither. The intervals before a certain change are lengthened a little, so that it comes in place of a
/// wake, and not in addition to them.
struct PanelWake: Sendable {
    /// The limits of a panel's sleeps.
    struct Limits: Hashable, Sendable {
        /// The minimum duration of a sleep.
        var minimumSleep = SleepingPanel.defaultMinimumSleep
        /// The maximum duration of a sleep; only quiet hours and ``PanelWake/sleepUntil`` are longer.
        var maximumSleep = SleepingPanel.defaultMaximumSleep
    }

    /// The time from which the content of one source may change.
    enum PossibleChange: Hashable, Sendable {
        /// The outcome of an attempt, which begins at this time or later.
        case attempt(Instant)
        /// Nothing is planned: the source rests, or is gone.
        case never
        /// The content may change at any time: it is pushed, it is a file, or the next fetch of its source is unknown.
        case anyTime
    }

    /// The rule that decided.
    enum Reason: Sendable {
        /// The panel's interval.
        case interval
        /// The picture changes then without new content, such as at midnight.
        case certainChange
        /// No source is fetched before.
        case possibleChange
        /// No change is expected within the longest sleep.
        case maximumSleep
        /// The end of the quiet hours.
        case quietHours
        /// The panel was told to sleep; it wakes at least once a day.
        case sleepUntil
    }

    /// The answer to a panel.
    struct Sleep: Hashable, Sendable {
        /// The time to sleep, which the panel is told.
        var seconds: Int
        /// The rule that decided; only tests read it.
        var reason: Reason
        /// The expected time of the next wake.
        var wake: Instant
        /// The time before which the panel does not wake, unless somebody wakes it.
        var earliest: Instant
    }

    /// The longest sleep of all: a panel that is away for a day counts as lost.
    static let longestSleep: Duration = .seconds(24 * 3_600)
    /// The least time after a change at which the panel is woken for it.
    ///
    /// It contains the time of a fetch, of its way through the services, and of an error of the panel's clock.
    static let minimumMargin: Duration = .seconds(20)
    /// The time for which a certain change may be late: until then, its picture may not be drawn yet.
    private static let certainChangeGrace: Duration = .seconds(60)
    /// The factor by which an interval is lengthened at most, so that a certain change comes at its end.
    private static let longestInterval = 1.1
    /// The number of times that a wake is moved to the end of quiet hours, if these end in others.
    private static let maximumQuietMoves = 4

    /// The time between two wakes, which is at least ``Limits/minimumSleep``.
    private let interval: Duration
    private let limits: Limits
    private let clock: PanelClock
    private let quietEnd: @Sendable (Instant) -> Instant?
    /// The time until which the panel was told to sleep; nil if it was not.
    var sleepUntil: Instant?
    /// The next time at which the picture changes without new content; nil if there is none.
    ///
    /// A time that has passed by more than a minute pulls no wake: the picture could not be drawn for it. As the next change is
    /// then unknown, the panel sleeps for its interval.
    var certainChange: Instant?
    /// The possible changes of all sources of the board; the order does not matter.
    var possibleChanges: [PossibleChange] = []

    /// Creates a rule for a panel.
    ///
    /// `quietEnd` returns the end of the quiet hours that contain an instant; nil if it is in none.
    init(
        interval: Duration,
        limits: Limits = Limits(),
        clock: PanelClock = PanelClock(),
        quietEnd: @escaping @Sendable (Instant) -> Instant? = { _ in nil }
    ) {
        self.limits = limits
        self.interval = max(interval, limits.minimumSleep)
        self.clock = clock
        self.quietEnd = quietEnd
    }

    /// Returns the sleep of a panel that asks at `now`.
    func next(at now: Instant) -> Sleep {
        var (target, reason) = wake(after: now)
        // A slow clock is not told less than the interval: a panel never wakes more often than by a timer.
        let isInterval = reason != .sleepUntil && target >= now.advanced(by: interval)
        for _ in 0..<Self.maximumQuietMoves {
            guard let end = quietEnd(target), end > target else { break }
            (target, reason) = (instant(after: end, now: now), .quietHours)
        }
        let sleep = Self.duration(from: now, to: target)
        let bounded = min(max(sleep, limits.minimumSleep), Self.longestSleep)
        let shortest = isInterval && reason != .quietHours ? interval : limits.minimumSleep
        let most = Self.seconds(Self.longestSleep)
        let least = min(Self.seconds(shortest), most)
        let seconds = min(max(clock.seconds(for: bounded), least), most)
        let asked = Duration.seconds(seconds)
        let (expected, uncertainty) = (clock.expectedSleep(asked), clock.uncertainty(of: asked))
        return Sleep(
            seconds: seconds,
            reason: reason,
            wake: now.advanced(by: expected),
            earliest: now.advanced(by: max(.zero, expected - uncertainty))
        )
    }

    /// Returns the next wake without regard to quiet hours, and the rule that decided.
    private func wake(after now: Instant) -> (Instant, Reason) {
        if let sleepUntil, sleepUntil > now {
            return (min(sleepUntil, now.advanced(by: Self.longestSleep)), .sleepUntil)
        }
        var (target, reason) = (intervalEnd(before: certainChange, now: now), Reason.interval)
        let late = certainChange.map { Self.duration(from: $0, to: now) }
        let isOverdue = late.map { $0 >= Self.certainChangeGrace } ?? false
        if !possibleChanges.contains(.anyTime), !isOverdue {
            let longest = now.advanced(by: max(limits.maximumSleep, interval))
            let attempts = possibleChanges.compactMap { change in
                if case .attempt(let instant) = change { instant } else { nil }
            }
            let change = attempts.min().map { instant(after: $0, now: now) } ?? longest
            if change > target { (target, reason) = (change, .possibleChange) }
            if target >= longest, change >= longest { (target, reason) = (longest, .maximumSleep) }
        }
        if let certainChange, !isOverdue {
            let expected = certainChange > now ? certainChange : now.advanced(by: Self.certainChangeGrace)
            let change = max(instant(after: expected, now: now), now.advanced(by: limits.minimumSleep))
            if change <= target { (target, reason) = (change, .certainChange) }
        }
        return (target, reason)
    }

    /// Returns the end of an interval that begins now, which is lengthened so that a whole number of intervals ends at a certain change.
    ///
    /// Without that, the change would add a wake: a panel that wakes each 15.4 minutes would wake 93 times before midnight, and then
    /// once more. The interval stays as it is if there is no such change within a day, if the panel does not wake for it because of quiet
    /// hours, or if the interval would become much longer.
    private func intervalEnd(before change: Instant?, now: Instant) -> Instant {
        let usual = now.advanced(by: interval)
        guard let change, change > now, change <= now.advanced(by: Self.longestSleep), quietEnd(change) == nil else {
            return usual
        }
        // A slow clock is not told less than the interval, so the panel sleeps longer.
        let asked = Duration.seconds(max(Self.seconds(interval), clock.seconds(for: interval)))
        let shortest = max(clock.expectedSleep(asked), interval)
        let rest = Self.duration(from: now, to: change) + Self.minimumMargin
        let count = (rest / shortest).rounded(.down)
        let longest = max(limits.maximumSleep, interval)
        guard count >= 1, rest / count <= min(shortest * Self.longestInterval, longest) else { return usual }
        let end = count > 1 ? now.advanced(by: rest / count) : instant(after: change, now: now)
        return min(end, now.advanced(by: longest))
    }

    /// Returns the time at which a panel that sleeps from `now` on is woken for a change, so that it does not come before.
    private func instant(after change: Instant, now: Instant) -> Instant {
        let sleep = max(.zero, Self.duration(from: now, to: change))
        return change.advanced(by: max(Self.minimumMargin, clock.uncertainty(of: min(sleep, Self.longestSleep))))
    }

    private static func duration(from now: Instant, to instant: Instant) -> Duration {
        .milliseconds(instant.milliseconds(since: now))
    }

    private static func seconds(_ duration: Duration) -> Int { Int(duration.wholeMilliseconds / 1_000) }
}
