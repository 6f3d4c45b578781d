// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Locking
import ServiceEngine
import Testing

@testable import ServiceRuntime

/// A service that is stopped while it starts with a large state.
@Suite(.timeLimit(.minutes(3))) struct EngineServiceTests {
    /// The calls of the engine, and the point at which the process is told to stop.
    private final class Record: Sendable {
        enum Call: Hashable {
            case load
            case commit
            case perform(Int)
            case close
        }

        private let calls = Lock<[Call]>([])
        private let stopsAt: Call
        let stop = StopSignal()

        var all: [Call] { calls.withLock(\.self) }

        init(stopsAt: Call) { self.stopsAt = stopsAt }

        func note(_ call: Call) {
            calls.withLock { $0.append(call) }
            if call == stopsAt { stop.stop(.requested) }
        }
    }

    /// The events that the core republishes at its start.
    private static let events = Array(0..<100)

    private struct Store: ServiceStore {
        let record: Record

        var reader: Void { () }
        func load() -> [Int] {
            record.note(.load)
            return EngineServiceTests.events
        }
        func commit(_ writes: [Int]) { if !writes.isEmpty { record.note(.commit) } }
        func setPaused(_ paused: Bool) {}
        func close() { record.note(.close) }
    }

    /// Returns an adapter that records effects.
    ///
    /// The second one takes all the remaining time if the first one has stopped the process.
    private static func adapter(_ record: Record) -> ScriptedAdapter {
        ScriptedAdapter(performs: { effect in
            let wasStopped = record.stop.isStopped
            record.note(.perform(effect))
            guard wasStopped, effect == 1 else { return }
            let end = ContinuousClock.now + EngineLoop<ScriptedAdapter, Store, NoWorkers>.finishTimeout
            while ContinuousClock.now < end {}
        })
    }

    private func run(stopsAt call: Record.Call) async throws -> [Record.Call] {
        let record = Record(stopsAt: call)
        try await runEngineService(stop: record.stop) { _ in
            EngineParts(adapter: Self.adapter(record), store: Store(record: record), pool: NoWorkers())
        }
        return record.all
    }

    @Test func aServiceThatIsStoppedWhileItLoadsDoesNotStart() async throws {
        #expect(try await run(stopsAt: .load) == [.load, .close])
    }

    @Test func effectsThatAreLeftWhenTheTimeToStopHasPassedAreDropped() async throws {
        #expect(try await run(stopsAt: .perform(0)) == [.load, .commit, .perform(0), .perform(1), .close])
    }

    @Test func aServiceThatIsStoppedInTimePerformsItsEffects() async throws {
        let performed = Self.events.map { Record.Call.perform($0) }
        #expect(try await run(stopsAt: .perform(1)) == [.load, .commit] + performed + [.close])
    }
}
