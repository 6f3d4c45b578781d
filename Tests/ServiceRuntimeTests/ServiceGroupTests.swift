// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import ServiceRuntime
import Testing

@Suite(.timeLimit(.minutes(1))) struct ServiceGroupTests {
    private struct Waiting: Service {
        let stop: StopSignal
        func run() async throws { await stop.wait() }
    }

    private struct Ending: Service {
        func run() async throws {}
    }

    private struct Failing: Service {
        struct Failure: Error {}
        func run() async throws { throw Failure() }
    }

    private struct Blocking: Service {
        let stop: StopSignal

        func run() async throws {
            let stop = stop
            let reason = try await ServiceThread.run(named: "blocking") { () -> StopSignal.Reason? in
                let woken = Signal()
                stop.onStop { woken.signal() }
                woken.wait()
                return stop.reason
            }
            #expect(reason == .serviceEnded)
        }
    }

    @Test func theFirstServiceThatEndsStopsAllOthers() async throws {
        let stop = StopSignal()
        try await ServiceGroup([Waiting(stop: stop), Ending(), Blocking(stop: stop)], stop: stop).run()
        #expect(stop.reason == .serviceEnded)
    }

    @Test func aFailureStopsAllOthersAndIsThrown() async throws {
        let stop = StopSignal()
        await #expect(throws: Failing.Failure.self) {
            try await ServiceGroup([Waiting(stop: stop), Failing(), Waiting(stop: stop)], stop: stop).run()
        }
        #expect(stop.isStopped)
    }

    @Test func aServiceThreadHandsOverItsResultAndItsError() async throws {
        let answer = try await ServiceThread.run(named: "answer") { 42 }
        #expect(answer == 42)
        await #expect(throws: Failing.Failure.self) {
            try await ServiceThread.run(named: "failure") { throw Failing.Failure() }
        }
    }
}
