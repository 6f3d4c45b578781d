// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Locking
import ServiceRuntime
import Testing

@Suite(.timeLimit(.minutes(3))) struct StopSignalTests {
    @Test func actionsRunOnceAndInTheirOrder() {
        let stop = StopSignal()
        let order = Lock<[Int]>([])
        for number in 1...3 { stop.onStop { order.withLock { $0.append(number) } } }
        #expect(!stop.isStopped)
        stop.stop(.terminated)
        stop.stop(.interrupted)
        #expect(order.withLock { $0 } == [1, 2, 3])
        #expect(stop.reason == .terminated)
    }

    @Test func anActionThatComesLateRunsAtOnce() {
        let stop = StopSignal()
        stop.stop()
        let ran = Lock(false)
        stop.onStop { ran.withLock { $0 = true } }
        #expect(ran.withLock { $0 })
    }

    @Test func aCancelledActionDoesNotRun() {
        let stop = StopSignal()
        let registration = stop.onStop { Issue.record("it was cancelled") }
        registration.cancel()
        stop.stop()
    }

    @Test func allWhoWaitAreReleased() async {
        let stop = StopSignal()
        await withTaskGroup { group in
            for _ in 0..<20 { group.addTask { await stop.wait() } }
            group.addTask { stop.stop() }
        }
        await stop.wait()
        #expect(stop.isStopped)
    }

    @Test func waitingEndsWithItsTask() async {
        let stop = StopSignal()
        let waiting = Task { await stop.wait() }
        waiting.cancel()
        await waiting.value
        #expect(!stop.isStopped)
    }

    @Test func stopsFromManyThreadsCountOnce() async {
        for _ in 0..<50 {
            let stop = StopSignal()
            let runs = Lock(0)
            stop.onStop { runs.withLock { $0 += 1 } }
            await withTaskGroup { group in
                for _ in 0..<8 { group.addTask { stop.stop() } }
            }
            #expect(runs.withLock { $0 } == 1)
        }
    }
}
