// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Dispatch
import Glibc
import ServiceRuntime
import Synchronization

/// Threads that run what they are given, in the order in which it came.
///
/// May be used from any thread. Parsing blocks for as long as a document is large, so it has threads of its own, and
/// never more of them than the machine has processors.
final class ParserThreads: Sendable {
    private struct State {
        var jobs: [@Sendable () -> Void] = []
        var next = 0
        var isStopped = false

        mutating func take() -> (@Sendable () -> Void)? {
            guard next < jobs.count else { return nil }
            defer {
                next += 1
                // What was done gives its memory back, also where there is always more to do.
                if next * 2 >= jobs.count {
                    jobs.removeFirst(next)
                    next = 0
                }
            }
            return jobs[next]
        }
    }

    private let count: Int
    private let state = Mutex(State())
    /// One signal for each job, and one for each thread at the end.
    private let signal = DispatchSemaphore(value: 0)

    init(count: Int) {
        self.count = max(1, count)
        for number in 0..<self.count {
            ServiceThread.start(named: "parser-\(number)") { [self] in work() }
        }
    }

    /// Does nothing after `stop`: whoever waits has gone.
    func run(_ job: @escaping @Sendable () -> Void) {
        state.withLock { $0.jobs.append(job) }
        signal.signal()
    }

    /// Lets the threads end; what they have begun they finish.
    func stop() {
        state.withLock { state in
            state.isStopped = true
            state.jobs = []
            state.next = 0
        }
        for _ in 0..<count { signal.signal() }
    }

    /// How much less urgent parsing is than the fetcher's loop and its transfers (`nice`).
    private static let niceness: Int32 = 5

    private func work() {
        // On Linux this is about the calling thread alone. If it fails, parsing is as urgent as the rest.
        _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, Self.niceness)
        while true {
            signal.wait()
            let (job, isStopped) = state.withLock { ($0.take(), $0.isStopped) }
            if isStopped { return }
            job?()
        }
    }
}
