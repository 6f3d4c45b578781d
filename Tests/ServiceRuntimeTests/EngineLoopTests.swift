// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Locking
import MessageBus
import ServiceEngine
import Testing

@testable import ServiceRuntime

@Suite(.timeLimit(.minutes(3))) struct EngineLoopTests {
    private struct Broken: Error {}

    /// The commits of the engine, and the time that the next one needs before it fails.
    private final class Record: Sendable {
        struct Commit {
            var writes: Int
            var begun: ContinuousClock.Instant
            var ended: ContinuousClock.Instant
        }

        let commits = Lock<[Commit]>([])
        let hangs = Lock<Duration?>(nil)
        let hasFailed = Lock(false)
        let stop = StopSignal()
    }

    private struct Store: ServiceStore {
        let record: Record

        var reader: Void { () }
        func load() -> [Int] { [] }
        func setPaused(_ paused: Bool) {}

        func commit(_ writes: [Int]) throws(StoreFailure) {
            let begun = ContinuousClock.now
            let hangs = writes.isEmpty ? nil : record.hangs.withLock { $0.take() }
            if let hangs { while ContinuousClock.now < begun + hangs {} }
            record.commits.withLock { $0.append(.init(writes: writes.count, begun: begun, ended: .now)) }
            if hangs != nil {
                record.hasFailed.withLock { $0 = true }
                throw .discard(Broken())
            }
            // The commit after the pause is the last one of its test.
            if !writes.isEmpty, record.hasFailed.withLock(\.self) { record.stop.stop(.requested) }
        }
    }

    private func run(_ record: Record, _ makeAdapter: @escaping @Sendable (BusClient) -> ScriptedAdapter) async throws {
        try await runEngineService(stop: record.stop) { client in
            EngineParts(adapter: makeAdapter(client), store: Store(record: record), pool: NoWorkers())
        }
    }

    @Test func inputsThatTheCoreDoesNotNeedDoNotReachTheStore() async throws {
        let record = Record()
        let inputs = 50
        try await run(record) { client in
            client.post(1)
            return ScriptedAdapter { input in
                guard case .posted(let value) = input, let number = value as? Int else { return nil }
                // The next value belongs to the next batch.
                if number < inputs { client.post(number + 1) } else { record.stop.stop(.requested) }
                return nil
            }
        }
        let empty = record.commits.withLock { $0.count { $0.writes == 0 } }
        #expect(empty < inputs / 5, "only the batches of the stop check the ownership")
    }

    @Test func writesPauseAfterACommitThatHungForLongerThanThePause() async throws {
        let record = Record()
        try await run(record) { client in
            client.post(1)
            return ScriptedAdapter { input in
                guard case .posted(let value) = input, let number = value as? Int else { return nil }
                record.hangs.withLock { $0 = .milliseconds(1200) }
                return number
            }
        }
        let commits = record.commits.withLock { $0.filter { $0.writes > 0 } }
        let hung = try #require(commits.firstIndex { $0.ended - $0.begun >= .milliseconds(1200) })
        let next = try #require(commits[(hung + 1)...].first)
        #expect(next.begun - commits[hung].ended >= .seconds(1))
    }
}
