// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The loop of every service: loads the core, lets it decide about a batch, commits all writes in one transaction, and
/// then returns the effects in order.
///
/// After a commit that failed, or whose result is unknown, only the store can be trusted: the engine discards the core
/// and the rest of the batch, and pauses writes. During the pause, the engine uses the store to answer requests that
/// need no write, and rejects all other requests. The first batch after the pause loads and starts a new core.
///
/// The engine has no socket, disk, clock or thread of its own. It is used by one thread; calls of the store and of the
/// worker pool block that thread.
public struct Engine<Core: ServiceCore, Store: ServiceStore, Pool: Workers>
where Store.State == Core.State, Store.Write == Core.Write, Pool.Work == Core.Work, Pool.Done == Core.Done {
    /// The duration of the pause of writes after a call of the store failed.
    ///
    /// The pause begins at the time `now` that was passed to `process` or `confirmOwnership`. `extendPause` moves its
    /// end.
    public static var storePause: Duration { .seconds(1) }
    /// The tolerance for changes of the wall clock.
    ///
    /// Between two batches, the wall clock and the monotonic clock should advance by the same amount. If the amounts
    /// differ by more than `clockTolerance`, the engine calls `ServiceCore.clockChanged`.
    public static var clockTolerance: Duration { .seconds(1) }

    private enum Stop {
        case notRequested
        case requested
        case begun
    }

    public let store: Store
    /// The reason why writes are paused; nil if writes are not paused.
    public private(set) var pauseReason: (any Error)?
    /// The number of times that writes were paused because a call of the store failed.
    ///
    /// The failed call was a load of the state, the commit of a batch, or the check in `confirmOwnership`.
    public private(set) var failedCommits: Int64 = 0
    private let pool: Pool
    /// The core; nil before the first load and after a failed commit.
    private var core: Core?
    /// The value of `core.nextDeadline` after the last batch; nil if the core had no deadline.
    ///
    /// The value is stored here, because reading it from the optional `core` would copy the core.
    private var coreDeadline: Deadline?
    private var hasStarted = false
    private var pausedUntil: ContinuousClock.Instant?
    /// The core that answers requests while writes are paused; nil if none is loaded.
    private var readingCore: Core?
    private var loads: UInt64 = 0
    private var lastReading: ClockReading?
    /// The sum of the changes of the wall clock since the last committed batch.
    private var clockChange: Duration = .zero
    private var stopping = Stop.notRequested

    public init(store: Store, pool: Pool) {
        self.store = store
        self.pool = pool
    }

    /// Loads the first core, so that a service with an unusable store fails at its start.
    public mutating func open(setup: Core.Setup) throws(StoreFailure) {
        if core == nil { core = try makeCore(setup) }
    }

    /// Returns the time at which `process` must be called even if no input has arrived; nil if only an input makes a
    /// call necessary.
    public func nextWake(after now: ClockReading) -> ContinuousClock.Instant? {
        if let pausedUntil { return pausedUntil }
        guard hasStarted, core != nil else { return now.monotonic }
        let renewal = store.ownership?.renewalDue
        guard let deadline = coreDeadline?.monotonicTime(after: now) else { return renewal }
        return renewal.map { min($0, deadline) } ?? deadline
    }

    /// Extends the current pause so that it ends no earlier than `storePause` after `now`; does nothing if writes are
    /// not paused.
    ///
    /// `now` must be a time after `process` or `confirmOwnership` has returned. Without this function, the pause could
    /// already have ended: a call of the store that fails may block for longer than `storePause`.
    public mutating func extendPause(after now: ContinuousClock.Instant) {
        guard let end = pausedUntil else { return }
        pausedUntil = max(end, now + Self.storePause)
    }

    /// Requests a stop; the next call of `process` stops the core.
    ///
    /// If writes are paused, there is no core to stop. Further calls of `requestStop` have no effect.
    public mutating func requestStop() {
        if case .notRequested = stopping { stopping = .requested }
    }

    /// A Boolean value that indicates whether the core has stopped and has nothing left to do.
    ///
    /// After a stop, the value is also true if no core is loaded: the engine does not wait for a store that fails.
    public var isFinished: Bool {
        guard case .begun = stopping else { return false }
        return core?.isFinished ?? true
    }

    /// Runs one batch of inputs, either completely or not at all.
    ///
    /// `setup` is used only if a core has to be created.
    public mutating func process(
        _ inputs: [Core.Input],
        setup: Core.Setup,
        now: ClockReading
    ) throws(TakenOver) -> BatchOutcome<Core.Input, Core.Effect> {
        noteWallClock(now: now)
        if isPaused(now: now) {
            if case .requested = stopping { stopping = .begun }
            return try answerFromStore(inputs, setup)
        }
        let effects: [Core.Effect]
        do {
            effects = try runBatch(inputs, setup, now: now)
        } catch {
            switch error {
            case .takenOver(let reason): throw TakenOver(reason: reason)
            case .discard(let reason): return try discard(inputs, setup, reason, now: now)
            }
        }
        if pausedUntil != nil {
            (pausedUntil, pauseReason, readingCore) = (nil, nil, nil)
            store.setPaused(false)
        }
        return .perform(effects)
    }

    /// Returns a Boolean value that indicates whether the process must call `confirmOwnership` before its next effect,
    /// because a standby may have taken over since the batch was committed.
    public func needsConfirmation(now: ContinuousClock.Instant) -> Bool {
        store.ownership.map { $0.trustedUntil <= now } ?? false
    }

    /// Checks that this process still owns the store; returns true if it does.
    ///
    /// Throws `TakenOver` if another process owns the store, or if the file of the store was replaced. Returns false,
    /// and pauses writes, if the check failed for another reason, such as a store that does not answer. In this case,
    /// the caller must drop the effects that were not performed yet, as after a failed commit.
    public mutating func confirmOwnership(now: ClockReading) throws(TakenOver) -> Bool {
        do {
            try store.commit([])
            return true
        } catch {
            guard case .discard(let reason) = error else { throw TakenOver(reason: error.reason) }
            core = nil
            beginPause(reason, now: now)
            return false
        }
    }

    // MARK: A batch

    private mutating func runBatch(
        _ inputs: [Core.Input],
        _ setup: Core.Setup,
        now: ClockReading
    ) throws(StoreFailure) -> [Core.Effect] {
        // Only the local variable refers to the core, so a change does not copy the core's tables. The property stays
        // nil until the commit has succeeded.
        var core = if let running = self.core.take() { running } else { try makeCore(setup) }
        var step = Core.Decisions()
        // Before a start, because the core's start compares the times in its state with the time.
        if clockChange != .zero { take(core.clockChanged(by: clockChange, now: now), &step, &core, now: now) }
        if !hasStarted { take(core.start(now: now), &step, &core, now: now) }
        if case .requested = stopping {
            take(core.stop(now: now), &step, &core, now: now)
            stopping = .begun
        }
        for input in inputs { step.append(core.handle(input, now: now)) }
        finishWork(&step, &core, now: now)
        take(core.endBatch(now: now), &step, &core, now: now)
        coreDeadline = core.nextDeadline
        try store.commit(step.writes)
        self.core = consume core
        (hasStarted, clockChange) = (true, .zero)
        return step.effects
    }

    private func take(_ step: Core.Decisions, _ sum: inout Core.Decisions, _ core: inout Core, now: ClockReading) {
        sum.append(step)
        finishWork(&sum, &core, now: now)
    }

    /// Runs the work in `step.work` on the worker pool, and passes the results to `core`.
    ///
    /// The decisions that `core` makes about the results are appended to `step`, and can request further work. The
    /// function returns when `step.work` is empty.
    private func finishWork(_ step: inout Core.Decisions, _ core: inout Core, now: ClockReading) {
        while !step.work.isEmpty {
            let work = step.work
            step.work = []
            step.append(core.finish(pool.run(work), now: now))
        }
    }

    private mutating func makeCore(_ setup: Core.Setup) throws(StoreFailure) -> Core {
        loads += 1
        return Core(try store.load(), setup: setup, load: loads)
    }

    private mutating func noteWallClock(now: ClockReading) {
        defer { lastReading = now }
        guard let change = lastReading.map(now.wallClockChange(since:)),
            change > Self.clockTolerance || change < .zero - Self.clockTolerance
        else { return }
        clockChange += change
    }

    // MARK: A store that fails

    private func isPaused(now: ClockReading) -> Bool {
        pausedUntil.map { now.monotonic < $0 } ?? false
    }

    private mutating func discard(
        _ inputs: [Core.Input],
        _ setup: Core.Setup,
        _ reason: any Error,
        now: ClockReading
    ) throws(TakenOver) -> BatchOutcome<Core.Input, Core.Effect> {
        beginPause(reason, now: now)
        return try answerFromStore(inputs, setup)
    }

    private mutating func beginPause(_ reason: any Error, now: ClockReading) {
        hasStarted = false
        readingCore = nil
        pausedUntil = now.monotonic + Self.storePause
        pauseReason = reason
        failedCommits += 1
        store.setPaused(true)
    }

    /// Uses the state in the store to answer the inputs that need no write, and refuses the other inputs.
    private mutating func answerFromStore(
        _ inputs: [Core.Input],
        _ setup: Core.Setup
    ) throws(TakenOver) -> BatchOutcome<Core.Input, Core.Effect> {
        guard !inputs.isEmpty else { return .paused([], refused: []) }
        do throws(StoreFailure) {
            try store.commit([])
            if readingCore == nil { readingCore = try makeCore(setup) }
        } catch {
            if case .takenOver(let reason) = error { throw TakenOver(reason: reason) }
            return .paused([], refused: inputs)
        }
        var effects: [Core.Effect] = []
        var refused: [Core.Input] = []
        for input in inputs {
            if let effect = readingCore?.read(input) { effects.append(effect) } else { refused.append(input) }
        }
        return .paused(effects, refused: refused)
    }
}
