// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import MessageBus
import ServiceEngine
import Synchronization
import Testing

@testable import ServiceRuntime

/// A service that is stopped while it starts with a large state.
@Suite(.timeLimit(.minutes(3))) struct EngineServiceTests {
    /// The calls of the engine, and the point at which the process is told to stop.
    private final class Record: Sendable {
        enum Call: Hashable {
            case load
            case start
            case commit
            case perform(Int)
            case close
        }

        private let calls = Mutex<[Call]>([])
        private let stopsAt: Call
        let stop = StopSignal()

        var all: [Call] { calls.withLock(\.self) }

        init(stopsAt: Call) { self.stopsAt = stopsAt }

        func note(_ call: Call) {
            calls.withLock { $0.append(call) }
            if call == stopsAt { stop.stop(.requested) }
        }
    }

    /// A core that republishes many events at its start.
    private struct Core: ServiceCore {
        typealias State = Record
        typealias Setup = Void
        typealias Input = Int
        typealias Write = Int
        typealias Effect = Int
        typealias Work = Never
        typealias Done = Never

        static let events = 100
        private let record: Record

        init(_ state: Record, setup: Void, load: UInt64) { record = state }

        mutating func start(now: ClockReading) -> Step<Int, Never, Int> {
            record.note(.start)
            return Step(writes: [1], effects: Array(0..<Self.events))
        }

        mutating func handle(_ input: Int, now: ClockReading) -> Step<Int, Never, Int> { Step() }
        mutating func endBatch(now: ClockReading) -> Step<Int, Never, Int> { Step() }
        var nextDeadline: Deadline? { nil }
    }

    private struct Store: ServiceStore {
        let record: Record

        var reader: Void { () }
        func load() -> Record {
            record.note(.load)
            return record
        }
        func commit(_ writes: [Int]) { if !writes.isEmpty { record.note(.commit) } }
        func setPaused(_ paused: Bool) {}
        func close() { record.note(.close) }
    }

    private final class Adapter: ServiceAdapter {
        typealias Core = EngineServiceTests.Core
        typealias Reader = Void

        let record: Record
        var setup: Void { () }

        init(_ record: Record) { self.record = record }

        func input(_ input: BusInput) -> Int? { nil }
        func refuse(_ input: Int) {}

        /// Records an effect; the second one takes all the remaining time if the first one has stopped the process.
        func perform(_ effect: Int, reading: Void) {
            let wasStopped = record.stop.isStopped
            record.note(.perform(effect))
            guard wasStopped, effect == 1 else { return }
            let end = ContinuousClock.now + EngineLoop<Adapter, Store, NoWorkers>.finishTimeout
            while ContinuousClock.now < end {}
        }
    }

    private func run(stopsAt call: Record.Call) async throws -> [Record.Call] {
        let record = Record(stopsAt: call)
        try await runEngineService(stop: record.stop) { _ in
            EngineParts(adapter: Adapter(record), store: Store(record: record), pool: NoWorkers())
        }
        return record.all
    }

    @Test func aServiceThatIsStoppedWhileItLoadsDoesNotStart() async throws {
        #expect(try await run(stopsAt: .load) == [.load, .close])
    }

    @Test func effectsThatAreLeftWhenTheTimeToStopHasPassedAreDropped() async throws {
        #expect(try await run(stopsAt: .perform(0)) == [.load, .start, .commit, .perform(0), .perform(1), .close])
    }

    @Test func aServiceThatIsStoppedInTimePerformsItsEffects() async throws {
        let performed = (0..<Core.events).map { Record.Call.perform($0) }
        #expect(try await run(stopsAt: .perform(1)) == [.load, .start, .commit] + performed + [.close])
    }
}
