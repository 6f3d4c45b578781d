// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Dispatch
import Locking
import MessageBus
import ServiceRuntime
import Testing

@Suite(.timeLimit(.minutes(3))) struct WorkerPoolTests {
    private typealias Options = WorkerPool<Int>.Options

    @Test func jobsOfOneThreadRunInTheirOrderWithTheSameTool() async throws {
        let created = Lock(0)
        let pool = WorkerPool(named: "test", Options(threads: 1)) {
            created.withLock { created in
                created += 1
                return created
            }
        }
        defer { pool.stop() }
        let results = Inbox<[Int]>(maximumCount: .max, maximumBytes: .max)
        for number in 0..<100 { pool.submit { tool in results.post([tool, number]) } }
        for number in 0..<100 { #expect(await results.next() == [1, number]) }
    }

    @Test func eachThreadCreatesAToolOfItsOwn() async throws {
        let created = Lock(0)
        let pool = WorkerPool(named: "test", Options(threads: 3)) {
            created.withLock { created in
                created += 1
                return created
            }
        }
        defer { pool.stop() }
        let tools = Inbox<Int>(maximumCount: .max, maximumBytes: .max)
        // Each job waits until all three run, so that no thread takes two.
        let started = Lock(0)
        let all = DispatchSemaphore(value: 0)
        for _ in 0..<3 {
            pool.submit { tool in
                let isLast = started.withLock { started in
                    started += 1
                    return started == 3
                }
                if isLast { for _ in 0..<3 { all.signal() } }
                all.wait()
                tools.post(tool)
            }
        }
        var seen: Set<Int> = []
        for _ in 0..<3 { seen.insert(try #require(await tools.next())) }
        #expect(seen == [1, 2, 3])
    }

    @Test func moreJobsThanMayWaitAreRejected() async throws {
        let pool = WorkerPool(named: "test", Options(threads: 1, maximumWaiting: 2)) { 0 }
        defer { pool.stop() }
        let running = Inbox<Bool>(maximumCount: .max, maximumBytes: .max)
        let release = DispatchSemaphore(value: 0)
        pool.submit { _ in
            running.post(true)
            release.wait()
        }
        #expect(await running.next() == true)
        #expect(pool.submit { _ in running.post(true) })
        #expect(pool.submit { _ in running.post(true) })
        #expect(!pool.submit { _ in running.post(false) })
        release.signal()
        #expect(await running.next() == true)
        #expect(await running.next() == true)
    }

    @Test func afterTheStopNoJobIsTaken() {
        let pool = WorkerPool(named: "test", Options(threads: 1)) { 0 }
        pool.stop()
        #expect(!pool.submit { _ in })
    }
}
