// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import ServiceEngine
import Testing
import WidgetSchema

@Suite struct EngineTests {
    typealias CountingEngine = Engine<CountingCore, CountingStore, SquaringPool>

    private let store = CountingStore()
    private let pool = SquaringPool()
    private var engine: CountingEngine
    private let begin = ContinuousClock.now

    init() { engine = CountingEngine(store: store, pool: pool) }

    private func now(_ milliseconds: Int64, wallAhead: Int64 = 0) -> ClockReading {
        ClockReading(
            wall: Instant(milliseconds: 1_763_683_200_000 + milliseconds + wallAhead),
            monotonic: begin + .milliseconds(milliseconds)
        )
    }

    /// Runs a batch that must be committed, and returns its effects without the end of the batch.
    private mutating func effects(
        _ inputs: [CountingCore.Input],
        at milliseconds: Int64 = 0,
        wallAhead: Int64 = 0,
        setup: String = "n"
    ) throws -> [CountingCore.Effect] {
        let now = now(milliseconds, wallAhead: wallAhead)
        let outcome = try engine.process(inputs, setup: .init(name: setup), now: now)
        guard case .perform(let effects) = outcome else {
            Issue.record("the batch was not committed")
            return []
        }
        #expect(effects.last == .ended(now), "the batch ends with the time it was given")
        return effects.dropLast()
    }

    /// Runs a batch that must not be committed.
    private mutating func paused(
        _ inputs: [CountingCore.Input],
        at milliseconds: Int64,
        wallAhead: Int64 = 0
    ) throws -> (effects: [CountingCore.Effect], refused: [CountingCore.Input]) {
        let outcome = try engine.process(inputs, setup: .init(), now: now(milliseconds, wallAhead: wallAhead))
        guard case .paused(let effects, let refused) = outcome else {
            Issue.record("the batch was committed")
            return ([], [])
        }
        return (effects, refused)
    }

    /// Pauses the engine with a commit that fails.
    private mutating func pauseAt10() throws {
        store.failure = .locked
        _ = try paused([.add("a", 1)], at: 10)
    }

    private mutating func start() throws { _ = try effects([]) }

    @Test mutating func aBatchIsOneCommitBeforeItsEffectsWhichComeInOrder() throws {
        try start()
        let effects = try effects([.add("a", 1), .add("b", 2), .add("a", 3)])
        #expect(store.commits.last == [.init(key: "a", sum: 1), .init(key: "b", sum: 2), .init(key: "a", sum: 4)])
        #expect(store.commits.count == 2)
        #expect(store.sums == ["a": 4, "b": 2])
        #expect(effects == [.announce("a", 1), .announce("b", 2), .announce("a", 4)])
    }

    @Test mutating func theFirstBatchStartsTheCoreAndLaterOnesDoNot() throws {
        #expect(try effects([.add("a", 1)]) == [.started([:], load: 1, setup: "n"), .announce("a", 1)])
        #expect(try effects([.add("a", 1)], setup: "other") == [.announce("a", 2)])
        #expect(store.loads == 1)
    }

    @Test mutating func openLoadsTheCoreOnceAndReportsAnUnusableStore() throws {
        store.failure = .damaged
        #expect(throws: StoreFailure.self) { try engine.open(setup: .init()) }
        store.failure = nil
        try engine.open(setup: .init())
        #expect(try effects([]) == [.started([:], load: 2, setup: "n")])
        #expect(store.loads == 2)
    }

    @Test mutating func aFailedBatchHasNoEffectAndItsWritersAreRefused() throws {
        try start()
        store.failure = .before
        let outcome = try paused([.add("a", 1), .ask("a")], at: 10)
        #expect(outcome.effects == [])
        #expect(outcome.refused == [.add("a", 1), .ask("a")], "there is no such key in the store")
        #expect(store.pauses == [true])
        #expect(engine.pauseReason is CountingStore.Broken)
    }

    @Test(arguments: [CountingStore.Failure.before, .after])
    mutating func theCoreIsDiscardedAfterACommitThatFailedOrMayHaveFailed(failure: CountingStore.Failure) throws {
        _ = try effects([.add("a", 5)])
        store.failure = failure
        _ = try paused([.add("a", 1)], at: 10)
        store.failure = nil
        let stored = failure == .after ? 6 : 5
        let next = try effects([.add("a", 1)], at: 2000, setup: "new")
        #expect(next.first == .started(["a": stored], load: 3, setup: "new"), "a new core, with the setup of now")
        #expect(next.last == .announce("a", stored + 1))
        #expect(store.pauses == [true, false])
        #expect(engine.pauseReason == nil)
    }

    @Test mutating func whilePausedReadsAreAnsweredFromTheStoreAndNothingIsWritten() throws {
        _ = try effects([.add("a", 5)])
        try pauseAt10()
        store.failure = nil
        let commits = store.commits.count
        let outcome = try paused([.ask("a"), .add("a", 1), .ask("b")], at: 1009)
        #expect(outcome.effects == [.answer("a")])
        #expect(outcome.refused == [.add("a", 1), .ask("b")])
        #expect(store.commits[commits...].allSatisfy { $0.isEmpty }, "ownership is checked, and nothing is written")
        #expect(!store.commits[commits...].isEmpty)
        #expect(try effects([], at: 1010).first == .started(["a": 5], load: 3, setup: "n"))
    }

    @Test mutating func thePauseFollowsACommitThatHungForLongerThanThePause() throws {
        _ = try effects([.add("a", 5)])
        engine.extendPause(after: now(5).monotonic)
        #expect(try effects([.add("a", 1)], at: 6) == [.announce("a", 6)], "without a failure there is no pause")
        try pauseAt10()
        // The commit took 2.5 s.
        engine.extendPause(after: now(2510).monotonic)
        #expect(engine.nextWake(after: now(2510)) == begin + .milliseconds(3510))
        store.failure = nil
        #expect(try paused([.add("a", 1)], at: 3509).refused == [.add("a", 1)])
        #expect(try effects([.add("a", 1)], at: 3510).last == .announce("a", 7))
    }

    @Test mutating func aPauseIsNotShortened() throws {
        _ = try effects([.add("a", 5)])
        try pauseAt10()
        engine.extendPause(after: now(-500).monotonic)
        #expect(engine.nextWake(after: now(20)) == begin + .milliseconds(1010))
    }

    @Test mutating func aStoreThatCannotBeReadRefusesEverything() throws {
        _ = try effects([.add("a", 5)])
        store.failure = .damaged
        #expect(try paused([.ask("a")], at: 10).refused == [.ask("a")])
        #expect(try paused([.ask("a")], at: 20).refused == [.ask("a")])
        #expect(try paused([.add("a", 1)], at: 5000).refused == [.add("a", 1)], "and it is tried again")
        #expect(engine.failedCommits == 2)
    }

    @Test mutating func aProcessThatWasTakenOverSaysNothingEvenWithoutWrites() throws {
        _ = try effects([.add("a", 5)])
        store.failure = .takenOver
        #expect(throws: TakenOver.self) { try engine.process([.ask("a")], setup: .init(), now: now(1)) }
        #expect(throws: TakenOver.self) { try engine.process([], setup: .init(), now: now(2)) }
    }

    @Test mutating func aProcessThatWasTakenOverWhilePausedDoesNotAnswer() throws {
        _ = try effects([.add("a", 5)])
        try pauseAt10()
        store.failure = .takenOver
        #expect(throws: TakenOver.self) { try engine.process([.ask("a")], setup: .init(), now: now(20)) }
    }

    @Test mutating func workOfABatchRunsTogetherAndIsCommittedWithIt() throws {
        try start()
        let effects = try effects([.addSquare("a", 2), .add("b", 1), .addSquare("a", 4)])
        #expect(pool.batches == [[2, 4], [3]], "what a result asks for is done in the same batch")
        #expect(effects == [.announce("b", 1), .announce("a", 4), .announce("a", 20), .announce("a", 29)])
        #expect(store.commits.count == 2)
        #expect(store.sums == ["a": 29, "b": 1])
    }

    @Test mutating func aDeadlineByTheWallClockIsDueByTheMonotonicOne() throws {
        #expect(engine.nextWake(after: now(0)) == begin, "a core that was not started has work at once")
        try start()
        #expect(engine.nextWake(after: now(100)) == begin + .milliseconds(250))
        #expect(engine.nextWake(after: now(400)) == begin + .milliseconds(400), "and never before now")
        store.failure = .locked
        _ = try paused([.add("a", 1)], at: 500)
        #expect(engine.nextWake(after: now(600)) == begin + .milliseconds(1500), "the end of the pause")
    }

    @Test(arguments: [Int64(1001), -1001, 86_400_000])
    mutating func aChangeOfTheWallClockIsPassedOnOnce(milliseconds: Int64) throws {
        try start()
        #expect(try effects([], at: 50, wallAhead: milliseconds).first == .clockChanged(.milliseconds(milliseconds)))
        #expect(try effects([], at: 90, wallAhead: milliseconds) == [])
    }

    @Test mutating func aChangeOfTheWallClockIsKeptUntilABatchIsCommitted() throws {
        try start()
        store.failure = .locked
        // The clock is set while a commit fails, and again during the pause.
        _ = try paused([.add("a", 1)], at: 10, wallAhead: 5_000)
        _ = try paused([], at: 20, wallAhead: 9_000)
        store.failure = nil
        let effects = try effects([], at: 5_000, wallAhead: 9_000)
        #expect(effects.first == .clockChanged(.milliseconds(9_000)))
        #expect(effects.count { if case .clockChanged = $0 { true } else { false } } == 1)
    }

    @Test mutating func aSmallDriftOfTheWallClockIsNoChange() throws {
        try start()
        #expect(try effects([], at: 50, wallAhead: 999) == [])
    }

    @Test mutating func aStopIsPassedOnOnceAndFinishesWhenTheCoreHas() throws {
        _ = try effects([.add("unfinished", 1)])
        #expect(!engine.isFinished)
        engine.requestStop()
        #expect(!engine.isFinished, "the stop has not reached the core")
        #expect(try effects([.add("a", 1)]) == [.stopped, .announce("a", 1)])
        #expect(!engine.isFinished)
        engine.requestStop()
        #expect(try effects([]) == [])
    }

    @Test mutating func aStopDoesNotWaitForAStoreThatCannotBeUsed() throws {
        _ = try effects([.add("unfinished", 1)])
        try pauseAt10()
        engine.requestStop()
        _ = try paused([], at: 20)
        #expect(engine.isFinished)
    }

    // MARK: Ownership

    private func ownership(renewalDue: Int64, trustedUntil: Int64) -> Ownership {
        Ownership(
            term: Term(token: 1),
            renewalDue: begin + .milliseconds(renewalDue),
            trustedUntil: begin + .milliseconds(trustedUntil)
        )
    }

    @Test mutating func anIdleOwnerWakesToRenewItsLease() throws {
        try start()
        // Before the deadline of the core.
        store.ownership = ownership(renewalDue: 100, trustedUntil: 2000)
        #expect(engine.nextWake(after: now(0)) == begin + .milliseconds(100))
        let commits = store.commits.count
        _ = try effects([], at: 100)
        #expect(store.commits.count == commits + 1)
    }

    @Test mutating func anOwnerThatWasSuspendedAsksItsStoreBeforeItActs() throws {
        try start()
        #expect(!engine.needsConfirmation(now: now(99_999).monotonic))
        store.ownership = ownership(renewalDue: 1000, trustedUntil: 2000)
        #expect(!engine.needsConfirmation(now: now(1999).monotonic))
        #expect(engine.needsConfirmation(now: now(2000).monotonic))
        let isConfirmed = try engine.confirmOwnership(now: now(2000))
        #expect(isConfirmed)
        store.failure = .takenOver
        do {
            _ = try engine.confirmOwnership(now: now(2000))
            Issue.record("a process that was taken over must not go on")
        } catch {
            #expect(error.reason is CountingStore.Owned)
        }
    }

    @Test mutating func aStoreThatDoesNotConfirmDiscardsTheCore() throws {
        try start()
        _ = try effects([.add("a", 1)])
        let loads = store.loads
        store.failure = .damaged
        let isConfirmed = try engine.confirmOwnership(now: now(10))
        #expect(!isConfirmed)
        #expect(engine.pauseReason is CountingStore.Broken)
        store.failure = nil
        _ = try effects([.add("a", 1)], at: 1010)
        #expect(store.loads == loads + 1)
        #expect(store.sums == ["a": 2])
    }
}
