// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import ServiceEngine

/// The setup of a fetcher's core: its limits and the other values that it needs at its start.
struct FetcherSetup: Sendable {
    var limits = FetcherLimits()
    var parserVersion: Int?
    /// The monotonic time at which the core's own clock starts; the core's times are durations since this time.
    var clockStart: ContinuousClock.Instant

    /// Returns the core's own time at `instant`: the duration since `clockStart`.
    ///
    /// The core's time also advances while the machine is suspended.
    func elapsed(at instant: ContinuousClock.Instant) -> Duration { instant - clockStart }
}

extension FetcherCore: ServiceCore {
    typealias State = NoStore.State
    typealias Input = FetcherInput
    typealias Write = Never
    typealias Effect = FetcherEffect
    typealias Work = Never
    typealias Done = Never

    init(_ state: State, setup: FetcherSetup, load: UInt64) {
        self.init(limits: setup.limits, parserVersion: setup.parserVersion, clockStart: setup.clockStart)
    }

    mutating func start(now: ClockReading) -> Decisions { Decisions() }

    mutating func handle(_ input: FetcherInput, now: ClockReading) -> Decisions {
        Decisions(effects: handle(input, now: elapsed(at: now)))
    }

    mutating func endBatch(now: ClockReading) -> Decisions { Decisions(effects: handle(.tick, now: elapsed(at: now))) }

    mutating func stop(now: ClockReading) -> Decisions { Decisions(effects: handle(.stop, now: elapsed(at: now))) }

    var nextDeadline: Deadline? {
        guard let clockStart, let nextDue else { return nil }
        return .monotonic(clockStart + nextDue)
    }

    private func elapsed(at now: ClockReading) -> Duration { clockStart.map { now.monotonic - $0 } ?? .zero }
}
